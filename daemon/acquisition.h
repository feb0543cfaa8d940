/*
 * acquisition.h - the analyser without its outputs: source thread, IQ ring, dsp thread,
 * supervision.
 *
 * Lines come out of the line ring given at start. Called from the loop thread.
 */
#ifndef FFTD_DAEMON_ACQUISITION_H
#define FFTD_DAEMON_ACQUISITION_H

#include "daemon/config/config.h"
#include "daemon/line/line_ring.h"
#include "daemon/status/status.h"

struct acquisition;

/* True for a replay (or a simulation) as fast as its readers accept: nobody may lose a line. */
bool acquisition_lossless(const struct config *config);

/* Checks what can be checked before anything starts, opens the engine, starts the threads. */
int acquisition_start(struct acquisition **out, const struct config *config,
                      struct line_ring *lines, char *error, size_t error_size);
/* Joins the threads. True: one that is stuck in a driver was left behind, and still reads the
 * configuration. */
bool acquisition_stop(struct acquisition *r);
void acquisition_destroy(struct acquisition *r);

/* Every 250 ms or so: watches for a stuck source. True while both threads make progress. */
bool acquisition_tick(struct acquisition *r);
bool acquisition_ended(
    struct acquisition *r); /* the last line is published, whatever the state says */
void acquisition_status(struct acquisition *r, struct status *out);
/*
 * Puts the complete wanted state into the slot. With one line in error: -ENOTSUP the source cannot
 * change this; -EINVAL, -ENOMEM the ring of samples would be too small or too large.
 */
int acquisition_apply(struct acquisition *r, const struct settings *settings, char *error,
                      size_t error_size);

#endif
