/*
 * compose.h - a transform of rank 1 to 3 as a chain of an engine's 1-D passes.
 *
 * One pass an axis, the last axis first; c2r: in order, the last axis, real, last. Forward and
 * inverse: one pass takes the last two axes if the engine joins them (engine.h). The arrays between
 * two passes depend on the preference of the engine:
 *
 *     strided   the first pass goes from in to out, the others work in place on out, with strides.
 *               c2r: from in to a work block, in place there, and the last one to out; in place,
 *               work is in. So only a c2r of rank 2 and 3 needs a block
 *     rotate    every pass writes to another block, its axis outermost and the next axis innermost:
 *               rows are always adjacent on load, and the last pass restores the order. Rank 2
 *               needs one block, rank 3 two
 *
 * Internal to the library.
 */
#ifndef FFTD_FFT_COMPOSE_H
#define FFTD_FFT_COMPOSE_H

#include "fft/layout.h"
#include "fft/real.h"

/* Where a pass reads or writes. */
enum place { PLACE_IN, PLACE_OUT, PLACE_WORK };
enum { WORK_BLOCKS = 2 };

struct stage {
    unsigned place; /* PLACE_WORK + block */
    struct side side;
};

struct step {
    struct engine_pass pass;
    struct real real; /* a real pass that the engine leaves to the library */
    bool shared;      /* real is used */
    unsigned from, to;
};

struct chain {
    uint32_t count;
    struct step step[FFT_TRANSFORM_MAX_RANK];
    struct fft_buffer *work[WORK_BLOCKS];
};

/* 0, -ENOMEM or -ENOTSUP with the reason; finish follows also after a failure. Must not be moved.
 */
int fft_chain_init(struct chain *c, struct fft_engine *e, const struct fft_transform_config *config,
                   const struct side *in, const struct side *out, struct fft_reason why);
void fft_chain_finish(struct chain *c);
int fft_chain_run(struct chain *c, struct fft_buffer *in, struct fft_buffer *out);

#endif
