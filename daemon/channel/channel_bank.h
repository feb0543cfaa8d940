/*
 * channel_bank.h - channels of one stream: one forward transform a block for all of them, and for
 * each of them its bins, an inverse transform and the rest of its shift.
 *
 * A segment is a sequence of samples without gaps at one centre. Its first block starts `reach`
 * samples before its first sample, and a block starts every `hop` samples; samples outside the
 * segment are 0. Blocks therefore depend on positions alone, not on when a channel was opened.
 * Output q of a segment belongs to input sample q n / m after its first one; a segment of N samples
 * has ceil(N m / n).
 *
 * The phase of the shift is that of the sample's number: sample s is multiplied by
 * exp(-2 pi i s f), where f is a whole multiple of 2^-64 turns a sample. No phase is accumulated,
 * so gaps and restarts do not change it.
 *
 * One thread.
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_BANK_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_BANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/channel/channel_meter.h"
#include "daemon/channel/channel_plan.h"
#include "fft/iq.h"

struct channel_bank;
struct channel_kind;
struct reason;

/* A channel in the bank. The caller zeroes it before the first join. */
struct channel_filter {
    struct channel_kind *kind;         /* the bank's; NULL: not in it */
    bool outside;                      /* its centre is not in the stream: its outputs are zeros */
    bool cut;                          /* the stream lacks a part of its pass band */
    uint64_t frequency;                /* in 2^-64 turns a sample */
    int64_t bin;                       /* the nearest one of the forward transform */
    double rest;                       /* frequency less that of the bin, in turns a sample */
    struct channel_bins band, around;  /* its own bins; those for the estimate of its noise */
    double noise[CHANNEL_METER_MEANS]; /* power in a bin, newest first; NAN: not known */
    uint32_t noise_blocks;             /* after which it is estimated anew */
};

/* Of a channel in a block: powers of its band, as parts of full scale. */
struct channel_levels {
    double level; /* NAN: not known, as of blocks at the ends of a segment */
    double noise; /* of noise alone; NAN: not known yet */
};

/* Where the outputs of a channel's bins are, and their shift. */
struct channel_place {
    uint64_t sample;    /* number of the sample at which the block starts, its reach included */
    uint64_t frequency; /* of the filter, as it was */
    double rest;
    uint64_t first; /* output: its number in the segment */
    size_t count;   /* of outputs */
};

/* Opens an engine of its own. -ENOMEM, or the engine's error. */
int channel_bank_create(struct channel_bank **out, const struct channel_grid *g,
                        enum fft_iq_format format, double full_scale, struct reason *why);
void channel_bank_destroy(struct channel_bank *b); /* NULL is fine */

/* Plans what channels of this shape need, unless others have it already. -ENOMEM. */
int channel_bank_join(struct channel_bank *b, struct channel_filter *f,
                      const struct channel_shape *s, struct reason *why);
void channel_bank_leave(struct channel_bank *b, struct channel_filter *f);
/* Its centre, from that of the stream. For the blocks that follow. */
void channel_bank_tune(struct channel_bank *b, struct channel_filter *f, double shift_hz);

/*
 * Starts a segment at its block `block` (0 is the first). number: of the segment's first sample.
 * Returns the number of samples at the start of the segment that precede this block.
 */
uint64_t channel_bank_begin(struct channel_bank *b, uint64_t number, uint64_t block);
/* The first block of a segment whose samples all lie `position` or more after the segment's start.
 */
uint64_t channel_bank_block_from(const struct channel_grid *g, uint64_t position);
/* How many samples complete the block. */
size_t channel_bank_needs(const struct channel_bank *b);
/*
 * Takes at most that many samples. True: the block is complete; channel_bank_run gives each
 * channel's outputs, until the next call.
 */
bool channel_bank_push(struct channel_bank *b, const void *raw, size_t count);
/* After the last sample of a segment: true until all blocks with outputs are complete. */
bool channel_bank_flush(struct channel_bank *b);
/*
 * The channel's outputs of the block. *first: number of the first one in the segment. Returns how
 * many; they are valid until the next call.
 */
size_t channel_bank_run(struct channel_bank *b, const struct channel_filter *f, uint64_t *first,
                        const struct fft_iq **out);

/*
 * channel_bank_run in two steps, for a channel that is not outside: take copies the bins of the
 * block, [m]; transform computes their outputs at any later time. Outputs are valid until the next
 * call.
 */
void channel_bank_take(const struct channel_bank *b, const struct channel_filter *f,
                       struct channel_place *place, struct fft_iq *bins);
const struct fft_iq *channel_bank_transform(struct channel_bank *b, const struct channel_filter *f,
                                            const struct channel_place *place,
                                            const struct fft_iq *bins);

/* Number of the sample that the block's outputs begin at. */
uint64_t channel_bank_sample(const struct channel_bank *b);
/* The channel's powers in the block: once a block, without an inverse transform. */
void channel_bank_levels(struct channel_bank *b, struct channel_filter *f,
                         struct channel_levels *out);
/*
 * Returns the number of independent values in a block's level: of noise alone, the levels of blocks
 * vary like means of that many.
 */
double channel_bank_independent(const struct channel_filter *f);
/* Call after the bins have changed their frequencies: forgets the noise estimates. */
void channel_bank_forget_noise(struct channel_bank *b);

#endif
