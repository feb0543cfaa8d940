/*
 * channel_past.h - the bins of an armed channel's newest blocks, from which its samples can still
 * be made. One thread.
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_PAST_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_PAST_H

#include <stdint.h>

#include "daemon/channel/channel_bank.h"

struct channel_past;

/* A block. The bins are those of the past, until it is overwritten. */
struct channel_kept {
    struct channel_place place;
    double level_dbfs, noise_dbfs;
    struct fft_iq *bins; /* [m] */
};

/* blocks: that it keeps, at least 1. -ENOMEM. */
int channel_past_create(struct channel_past **out, uint32_t blocks, uint32_t m);
void channel_past_destroy(struct channel_past *p); /* NULL is fine */
uint64_t channel_past_bytes(uint32_t blocks, uint32_t m);

/* Returns storage for the next block; overwrites the oldest block if it is full. */
struct channel_kept *channel_past_push(struct channel_past *p);
/* Brings the place of the next block near. */
void channel_past_prefetch(const struct channel_past *p);
uint32_t channel_past_count(const struct channel_past *p);
const struct channel_kept *channel_past_at(const struct channel_past *p,
                                           uint32_t i); /* 0: oldest */
void channel_past_clear(struct channel_past *p);        /* NULL is fine */

#endif
