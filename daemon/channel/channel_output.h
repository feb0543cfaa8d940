/*
 * channel_output.h - the newest blocks of a channel, or of its audio, from the thread that makes
 * them to readers.
 *
 * Blocks are immutable and counted. A reader that lags by more than the output keeps loses the
 * oldest ones, and learns how many blocks that were; in a lossless replay the writer waits for it
 * instead. Any thread.
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_OUTPUT_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_OUTPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/iq.h"

struct channel_block {
    atomic_uint refs; /* first, as in every block that an output has */
    uint64_t index;   /* of its first sample, on the channel's own clock: one for each sample */
    uint64_t number;  /* of the stream's sample at or just before the time of the first one */
    int64_t time_ns;  /* Unix time of the first one */
    double center_hz; /* of the channel */
    bool silent;      /* the radio is tuned elsewhere: all samples are 0 */
    bool open;        /* its squelch is open; without one it always is */
    bool last;        /* of an armed channel: the transmission ends with it */
    bool dated;       /* time_ns is known; else since the beginning of the recording */
    double heard_s;   /* of an armed channel: duration of the transmission so far */
    uint64_t transmission; /* of an armed channel: 1, 2, ...; else 0 */
    float level_dbfs;      /* power within the channel; -INFINITY: silence */
    float noise_dbfs;      /* that noise alone would have; NAN: not known */
    size_t count;          /* samples, at least 1 */
    struct fft_iq sample[];
};

/* Of any block: its memory is one piece, of malloc, and begins with its references. */
void *channel_block_ref(void *block);
void channel_block_unref(void *block); /* NULL is fine */

/*
 * Returns how many of its first samples repeat samples already delivered; `expected` is the index
 * after the last delivered one. Two segments may share one sample. An index far below `expected`
 * belongs to a new epoch: returns 0.
 */
size_t channel_block_again(const struct channel_block *b, uint64_t expected);

struct channel_output;

/*
 * blocks: capacity. waits: the writer waits for its reader, or for all joined readers. ready
 * (optional): called on the writer's thread after each block that is put, and at the end. -ENOMEM.
 */
int channel_output_create(struct channel_output **out, uint32_t blocks, bool waits,
                          void (*ready)(void *user), void *user);
struct channel_output *channel_output_ref(struct channel_output *o);
void channel_output_unref(struct channel_output *o); /* NULL is fine */

/* ---- the writer ---- */

/* Copies the samples. The rest is to be filled in. NULL: no memory. */
struct channel_block *channel_block_create(const struct fft_iq *samples, size_t count);
/* Whether put has room; waits up to timeout_ms for it. Without `waits` there always is. */
bool channel_output_has_room(struct channel_output *o, int timeout_ms);
void channel_output_put(struct channel_output *o, void *block); /* takes it over */
/* The same without a call of `ready`, for a writer that has more. */
void channel_output_add(struct channel_output *o, void *block);
void channel_output_close(struct channel_output *o); /* no more come */

/* ---- readers ---- */

/* A place among the blocks. Zeroed: begins at the oldest that is still there. */
struct channel_cursor {
    uint64_t sequence;           /* of the next block */
    uint64_t skipped;            /* blocks that it came too late for */
    struct channel_cursor *next; /* the output's, of those who have joined */
};

/*
 * Returns a reference to the next block, or NULL. *closed: the writer has closed the output; after
 * NULL, no block follows.
 */
void *channel_output_take(struct channel_output *o, struct channel_cursor *c, bool *closed);
/* As take; waits up to timeout_ms for a block. */
void *channel_output_wait(struct channel_output *o, struct channel_cursor *c, int timeout_ms,
                          bool *closed);
/*
 * Adds a reader, which starts at the next block. A waiting writer waits for the slowest joined
 * reader. Call leave before freeing the cursor.
 */
void channel_output_join(struct channel_output *o, struct channel_cursor *c);
void channel_output_leave(struct channel_output *o, struct channel_cursor *c);

#endif
