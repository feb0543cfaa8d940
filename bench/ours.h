/*
 * ours.h - an engine of the library as a contestant.
 */
#ifndef FFTD_BENCH_OURS_H
#define FFTD_BENCH_OURS_H

#include "bench/contest.h"

struct ours {
    struct fft_engine *engine;
    struct spectrum *spectrum;
};

/* Plans the job on an open engine. On failure `why` names the reason. */
int ours_init(struct ours *o, struct fft_engine *engine, const struct job *job, char *why,
              size_t size);
void ours_finish(struct ours *o);
struct contestant ours_contestant(struct ours *o);

#endif
