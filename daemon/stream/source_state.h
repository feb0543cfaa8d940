/* source_state.h - the states of a source, and their names. Pure, any thread. */
#ifndef FFTD_DAEMON_STREAM_SOURCE_STATE_H
#define FFTD_DAEMON_STREAM_SOURCE_STATE_H

enum source_state {
    SOURCE_STARTING,
    SOURCE_WAITING, /* no device; it is reopened with back-off */
    SOURCE_RUNNING,
    SOURCE_STALLED, /* the device delivers no samples */
    SOURCE_ENDED,   /* the recording has ended */
    SOURCE_FAILED   /* final: the daemon exits with an error */
};

const char *source_state_name(enum source_state state); /* "starting", "waiting", ... */

#endif
