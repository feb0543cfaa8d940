/*
 * dsp_rig.h - a dsp thread under test: counter-coded samples in, lines out.
 *
 * The probe engine writes down which sample numbers it saw, so that conservation is proven by the
 * samples themselves and not by the ledger that is under test; a test may bring another engine in
 * the limits. Failures end the test.
 */
#ifndef FFTD_TESTS_SUPPORT_DSP_DSP_RIG_H
#define FFTD_TESTS_SUPPORT_DSP_DSP_RIG_H

#include "tests/support/cmocka_all.h"

#include <uv.h>

#include "daemon/dsp/dsp_thread.h"
#include "tests/support/dsp/probe_engine.h"

enum { RATE = 1000000 };

struct bench {
    struct exchange *exchange;
    struct line_ring *lines;
    struct line_reader reader;
    struct dsp_thread *pipeline;
    struct epoch *epoch; /* the one that is written */
    struct settings settings;
    uint32_t number; /* of the next sample */
    uint32_t block;
    struct line *last; /* held */
    uint64_t lines_seen, frames, gaps;
};

static const struct dsp_thread_config no_limits;

struct settings bench_wanted(void); /* 10 frames of 256 samples a line, 50 % overlap */
void bench_start(struct bench *b, const struct settings *w, bool lossless,
                 const struct dsp_thread_config *limits);
/* Takes the lines that are there; with wait, until the pipeline closed their ring. */
void bench_take_lines(struct bench *b, bool wait);
void bench_write(struct bench *b, uint32_t count); /* takes lines meanwhile */
/* A device that lost samples skips their numbers. */
void bench_lose(struct bench *b, enum loss cause, uint32_t samples);
void bench_wait_for_frames(struct bench *b, uint64_t frames);
void bench_end_epoch(struct bench *b);
void bench_push_epoch(struct bench *b, bool lossless); /* the next one; start pushes the first */
struct ledger bench_finish(struct bench *b);           /* after the last sample */
void bench_conserves(const struct bench *b, const struct ledger *ledger);
void bench_clean_up(struct bench *b);

#endif
