/*
 * iq_tap.h - gives one thread besides dsp samples of the IQ ring, by position.
 *
 * In real time the tap never delays the writer: samples that were overwritten are gone. In replay
 * (lossless) it holds unreleased samples while samples are wanted, so that the same file
 * gives the same samples every time. A ring that is too small for that is not held.
 */
#ifndef FFTD_DAEMON_STREAM_EPOCH_IQ_TAP_H
#define FFTD_DAEMON_STREAM_EPOCH_IQ_TAP_H

#include "daemon/stream/epoch/epoch.h"

struct iq_tap;

int iq_tap_create(struct iq_tap **out, bool lossless); /* -ENOMEM */
void iq_tap_destroy(struct iq_tap *t);                 /* NULL is fine */
void iq_tap_want(struct iq_tap *t, bool wanted);       /* any thread; at first, none are wanted */
/*
 * Lossless: holds what the ring of the newest epoch has, and what comes, until it is released or
 * forgotten: for a reader that begins in the middle of an epoch. Any thread.
 */
void iq_tap_hold(struct iq_tap *t);
/*
 * Before the first epoch: `next`, for another reader, gets each epoch that t gets, too. It must
 * live until the dsp thread has ended.
 */
void iq_tap_chain(struct iq_tap *t, struct iq_tap *next);

/* ---- the dsp thread; t NULL is fine ---- */

/* Before the first sample of the epoch is released. Ends the one before. */
void iq_tap_begin(struct iq_tap *t, struct epoch *e);
void iq_tap_end(struct iq_tap *t); /* in real time, frees the ring */

/* ---- any thread ---- */

/* The newest epoch, and the position after its newest sample. False: there is no sample. */
bool iq_tap_head(struct iq_tap *t, uint32_t *number, uint64_t *position);
/* Samples in the ring of this epoch; 0: the epoch is gone. */
uint64_t iq_tap_capacity(struct iq_tap *t, uint32_t number);

/* ---- the reader ---- */

/*
 * Converts `count` samples from a position of the epoch of this number on to full scale 1.0.
 * Returns count, or 0: they are gone, or not all of them are written.
 */
size_t iq_tap_read(struct iq_tap *t, uint32_t number, uint64_t position, size_t count,
                   struct fft_iq *out);
/* Neither samples of the epoch before this position nor of older epochs will be read. */
void iq_tap_release(struct iq_tap *t, uint32_t number, uint64_t position);
/* The oldest epoch of this number or a higher one, as a reference; NULL: none. Any thread. */
struct epoch *iq_tap_epoch_from(struct iq_tap *t, uint32_t number);
/* Neither holds samples of this epoch any more nor keeps older ones. */
void iq_tap_forget(struct iq_tap *t, uint32_t number);
/* The newest one, as a reference, or NULL. Any thread. */
struct epoch *iq_tap_newest(struct iq_tap *t);
/*
 * No line came for a while: releases the samples for good if they alone stop the writer, because a
 * line is longer than the ring.
 */
void iq_tap_unblock(struct iq_tap *t);

#endif
