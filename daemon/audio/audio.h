/*
 * audio.h - the receivers of a radio: channels that become audio, for any number of listeners.
 *
 * A thread of their own demodulates and encodes. Equal requests share a receiver. Requests with the
 * same rate and format also share its encoding. A receiver ends with its last listener. Any thread
 * may call any function, except where a comment names one.
 */
#ifndef FFTD_DAEMON_AUDIO_AUDIO_H
#define FFTD_DAEMON_AUDIO_AUDIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/audio/audio_receiver.h"
#include "daemon/audio/audio_request.h"
#include "daemon/figure/figure.h"

struct audio;
struct audio_listener;
struct reason;

struct audio_config {
    struct channels *channels; /* outlive the listeners */
    bool lossless;             /* replay: it waits for listeners that ask for it */
    void (*ready)(void *user); /* (optional) its thread: somebody has a new block, or the end */
    void *user;
};

struct audio_state {
    bool on;
    size_t receivers, encodings, listeners;
    uint64_t listeners_total;
    uint64_t skipped; /* blocks that slow listeners missed */
};
extern const struct figure audio_figures[]; /* of the metrics */

/* A receiver. Plain values. */
struct audio_info {
    uint64_t channel; /* its id */
    struct audio_request request;
    struct demod_plan plan;
    size_t encodings, listeners;
    struct audio_figures figures;
};

/* -ENOMEM or -EAGAIN, with one line in *why. */
int audio_create(struct audio **out, const struct audio_config *config, struct reason *why);
/* Ends the thread and closes its channels: before channels_destroy. NULL is fine, as below. */
void audio_stop(struct audio *a);
/* After channels_destroy, whose thread calls audio_wake, and after the last listener. */
void audio_destroy(struct audio *a);
/* A channel has a new block, or has ended. */
void audio_wake(struct audio *a);

/*
 * Starts to listen at the next block of a receiver; audio_leave ends it. -EINVAL with the key at
 * fault, -ENOMEM, or an error of channel_open.
 */
int audio_listen(struct audio *a, const struct audio_request *q, struct audio_listener **out,
                 struct reason *why);
void audio_leave(struct audio_listener *l); /* NULL is fine */
/* Whether all that audio_listen would compute is computed already, for others. */
bool audio_has(struct audio *a, const struct audio_request *q);

/*
 * A named channel has moved, and its receivers follow; or (after: NULL) it has ended or is another
 * one, and they end.
 */
void audio_channel_moved(struct audio *a, const char *name, const struct channel_setup *after);

/* Copies at most `most` of them, oldest first; returns how many there are. */
size_t audio_list(struct audio *a, struct audio_info *out, size_t most);
void audio_state(struct audio *a, struct audio_state *out); /* NULL: off */

#endif
