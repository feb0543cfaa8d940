/*
 * acquisition.h - the analyser without its outputs: source thread, IQ ring, dsp thread,
 * supervision.
 *
 * Lines are published in the line ring given at start. The loop thread calls all functions.
 */
#ifndef FFTD_DAEMON_RUN_ACQUISITION_H
#define FFTD_DAEMON_RUN_ACQUISITION_H

#include "daemon/calibration/active_calibration.h"
#include "daemon/config/config.h"
#include "daemon/line/line_ring.h"
#include "daemon/status/status.h"
#include "daemon/stream/epoch/iq_tap.h"

struct reason;
struct acquisition;

/* True if samples come as fast as the readers accept them. Then no reader may lose a line. */
bool acquisition_lossless(const struct config *config);

/* What it writes to; all outlive it. */
struct acquisition_sinks {
    struct line_ring *lines;
    struct iq_tap *tap; /* gets the epochs; or NULL */
    struct active_calibration
        *active_calibration; /* gets that of an archive that is replayed; or NULL */
};
/* Checks the configuration, opens the engine and starts the threads. A recording is open then. */
int acquisition_start(struct acquisition **out, const struct config *config,
                      const struct acquisition_sinks *sinks, struct reason *why);
enum acquisition_rest {
    ACQUISITION_ENDED,      /* all threads are joined */
    ACQUISITION_LEFT_ALONE, /* a source thread stuck in a driver still reads the configuration */
    ACQUISITION_HANGS       /* the dsp thread hangs and uses everything: the process must end */
};

/* Joins the threads, as far as they end. It logs which one hangs. */
enum acquisition_rest acquisition_stop(struct acquisition *r);
void acquisition_destroy(struct acquisition *r); /* frees nothing if the dsp thread hangs */

/* About every 250 ms: abandons a stuck source. True while both threads make progress. */
bool acquisition_tick(struct acquisition *r);
/* True when the last line is published, whatever the state is. */
bool acquisition_ended(struct acquisition *r);
void acquisition_status(struct acquisition *r, struct status *out);
struct radio_options *
acquisition_radio(struct acquisition *r); /* a reference; NULL: no radio is open */
/*
 * Requests new settings, complete. -ENOTSUP: the source cannot change its tuning. -EINVAL: the
 * IQ ring would be too small. -ENOMEM: there is no memory for it or for the plan. On failure
 * nothing changes.
 */
int acquisition_apply(struct acquisition *r, const struct settings *settings, struct reason *why);

/* Requests a replay, complete. The errors of replay_check; on failure nothing changes. */
int acquisition_replay(struct acquisition *r, const struct replay_request *want,
                       struct reason *why);

#endif
