/*
 * acquisition.h - the analyser without its outputs: source thread, IQ ring, dsp thread, supervision.
 *
 * Lines come out of the line ring given at start. Called from the loop thread.
 */
#ifndef FFTD_DAEMON_ACQUISITION_H
#define FFTD_DAEMON_ACQUISITION_H

#include "daemon/config/config.h"
#include "daemon/line/line_ring.h"
#include "daemon/status/status.h"

struct radio;

/* True for a replay (or a simulation) as fast as its readers accept: nobody may lose a line. */
bool radio_lossless(const struct config *config);

/* Checks what can be checked before anything starts, opens the engine, starts the threads. */
int radio_start(struct radio **out, const struct config *config, struct line_ring *lines,
                char *error, size_t error_size);
/* Joins the threads. True: one that is stuck in a driver was left behind, and still reads the
 * configuration. */
bool radio_stop(struct radio *r);
void radio_destroy(struct radio *r);

/* Every 250 ms or so: watches for a stuck source. True while both threads make progress. */
bool radio_tick(struct radio *r);
bool radio_ended(struct radio *r); /* the last line is published, whatever the state says */
void radio_status(struct radio *r, struct status *out);
/*
 * Puts the complete wanted state into the slot. With one line in error: -ENOTSUP the source cannot
 * change this; -EINVAL, -ENOMEM the ring of samples would be too small or too large.
 */
int radio_apply(struct radio *r, const struct wanted *want, char *error, size_t error_size);

#endif
