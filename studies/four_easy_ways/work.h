/*
 * work.h - one transform of noise by the engine, the general radix or FFTW, with planning (anew) or
 * without (again), as study_seconds() runs it.
 */
#ifndef FFTD_STUDIES_FOUR_EASY_WAYS_WORK_H
#define FFTD_STUDIES_FOUR_EASY_WAYS_WORK_H

#include "studies/study.h"

struct work {
    struct study *study;
    uint32_t n;
    struct fft_iq *in, *out;         /* [n] */
    unsigned effort;                 /* of FFTW */
    struct fft_transform *transform; /* of the engine */
    fftw_plan plan;
};

/* Fills `in` and plans the engine's transform. 0 or -errno; call finish also after a failure. */
int work_init(struct work *w, struct study *s, uint32_t n);
void work_finish(struct work *w);

/* user: the struct work. */
void work_engine_again(void *user);
void work_engine_anew(void *user);
void work_general_anew(void *user); /* as many passes of radix 8 as n has */

/* Seconds with FFTW; NaN without it. Anew: the effort is FFTW_ESTIMATE or FFTW_MEASURE. */
double work_fftw_anew_seconds(struct work *w, unsigned effort);
double work_fftw_again_seconds(struct work *w);

/* true if `out` has the energy and the bins 0 and 1 of the transform of `in`; n >= 2. */
bool work_is_right(const struct fft_iq *in, const struct fft_iq *out, uint32_t n);

#endif
