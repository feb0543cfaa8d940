/*
 * channels.h - the channels of a radio: a thread of their own takes every sample from the IQ ring,
 * behind the dsp thread, and gives each channel its blocks.
 *
 * In real time the thread never delays the writer: samples overwritten before they are read are
 * lost and counted. In a lossless replay none are lost: the ring waits for the thread, and the
 * thread waits for outputs created with `waits`. Without a channel the thread reads nothing.
 *
 * Any thread may call any function, except where a comment names one.
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNELS_H
#define FFTD_DAEMON_CHANNEL_CHANNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/channel/channel_info.h"
#include "daemon/channel/channel_options.h"
#include "daemon/channel/channel_output.h"
#include "daemon/figure/figure.h"

struct channel;
struct channels;
struct iq_tap;
struct reason;

struct channels_state {
    bool on;
    size_t open, most;
    size_t named; /* in addition to these */
    uint64_t opened_total;
    uint64_t missed;  /* samples of the stream that the thread came too late for */
    uint64_t version; /* grows when a channel is opened, moved or closed, or changes its state */
    uint64_t transformed; /* blocks of channels that were transformed (of armed ones, few) */
    double block_s;       /* 0: no stream, or no channel */
};
extern const struct figure channels_figures[]; /* of the metrics */

struct channels_config {
    const struct channel_options *options; /* outlive the channels */
    bool lossless;                         /* replay: the ring waits */
    void (*ready)(void *user); /* (optional) their thread: a channel has a new block, or ended */
    /* (optional) Their thread: a transmission of a named channel has begun, or ended. */
    void (*transmission)(void *user, struct channel_transmission *t);
    void *user;
};

/* -ENOMEM or -EAGAIN, with one line in *why. */
int channels_create(struct channels **out, const struct channels_config *config,
                    struct reason *why);
/* After the dsp thread has ended, which uses the tap. NULL is fine. */
void channels_destroy(struct channels *c);
/* The tap through which the dsp thread announces epochs. The channels own it. */
struct iq_tap *channels_tap(struct channels *c);

/*
 * Opens a channel; channel_close ends it. If the stream is not known yet, the rate is checked
 * later; the channel's state then gives the reason of a refusal. -EINVAL with the key that is
 * wrong, -EMFILE: there are max-channels already, -ENOMEM.
 */
int channel_open(struct channels *c, const struct channel_request *request, struct channel **out,
                 struct reason *why);
void channel_close(struct channel *x); /* NULL is fine */
/*
 * One with a name, for any number of readers: max-channels does not count it. opened (optional) is
 * called with it before its first block: a reader that joins its output then misses none. waits: in
 * a lossless replay the replay waits for those who have joined.
 */
struct channel_named {
    const char *name, *mode; /* mode: of its audio, for people; NULL: none */
    double passband_hz;      /* of the mode; 0: its own */
    struct channel_request request;
    void (*opened)(void *user, struct channel *x);
    void *user;
};
int channel_open_named(struct channels *c, const struct channel_named *n, struct channel **out,
                       struct reason *why);
/* A reader of a named channel: the channel is there until it leaves, also after its end. */
void channel_join(struct channel *x);
void channel_leave(struct channel *x); /* NULL is fine */
/* Moves it, from the next block on. */
void channel_move(struct channel *x, double center_hz);
struct channel_output *channel_output_of(struct channel *x); /* lives as long as the channel */
void channel_info(struct channel *x, struct channel_info *out);
bool channel_is_refused(struct channel *x); /* this stream cannot have it */
/* Copies at most `most` of them, oldest first; returns how many there are. */
size_t channels_list(struct channels *c, struct channel_info *out, size_t most);
/* No epoch will follow: an output ends after its last block. May be called again; NULL is fine. */
void channels_end(struct channels *c);
/* After channels_end: all samples have become blocks, or nobody takes any. */
bool channels_finished(struct channels *c); /* NULL is fine */
/*
 * Ends the thread, once all samples have become blocks, or after patience_ms: no block and no
 * transmission follow. The channels are still there, until their users close them. NULL is fine.
 */
void channels_stop(struct channels *c, int patience_ms);
void channels_state(struct channels *c, struct channels_state *out); /* NULL: off */

#endif
