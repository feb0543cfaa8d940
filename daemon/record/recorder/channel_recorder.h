/*
 * channel_recorder.h - records the transmissions of armed channels, a SigMF pair each, on a thread
 * of its own.
 *
 * A recording begins with what comes before the transmission, and lasts until its squelch shuts or
 * its channel's limit is reached. Transmissions shorter than 100 ms leave none. The limits of
 * recordings of events apply: bytes an hour, free space, and how much the folder may have. Names
 * have the channel's after the time: "fftd_20261121T101500Z_tower_118.1M_25k".
 */
#ifndef FFTD_DAEMON_RECORD_RECORDER_CHANNEL_RECORDER_H
#define FFTD_DAEMON_RECORD_RECORDER_CHANNEL_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/record/record_options.h"

struct channel_output;
struct channel_recorder;
struct recorder;

/* options, and the recorder, whose allowance it shares, outlive it. -ENOMEM, -EAGAIN. */
int channel_recorder_create(struct channel_recorder **out, const struct record_options *options,
                            struct recorder *recorder);
/* Records all blocks of outputs that are closed, and ends. NULL is fine. */
void channel_recorder_destroy(struct channel_recorder *r);

/*
 * Joins the output of a channel, before its first block, until it is closed. max_s: of a recording;
 * 0: no limit. Any thread. Without memory the channel is not recorded, as the log says.
 */
void channel_recorder_add(struct channel_recorder *r, const char *name, double rate_hz,
                          double max_s, struct channel_output *output);
void channel_recorder_wake(struct channel_recorder *r); /* there are blocks. NULL is fine */

#endif
