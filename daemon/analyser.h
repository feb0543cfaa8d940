/*
 * analyser.h - an engine at work on one plan: batches in, one fold out; falls back when it fails.
 *
 * When an engine fails at run time the CPU engine takes over and redoes every batch in flight,
 * whose spans the caller still holds. Used by the dsp thread alone; `note` is for people.
 */
#ifndef FFTD_DAEMON_ANALYSER_H
#define FFTD_DAEMON_ANALYSER_H

#include "daemon/plan.h"
#include "fft/fft.h"

struct flight {
    const void *span;
    uint64_t position;
    uint32_t frames;
};

struct analyser {
    struct fft_engine *engine;
    struct fft_engine_config fallback; /* the CPU engine's, with the same number of threads */
    struct plan plan;
    struct spectrum *spectrum;
    struct fold *fold;
    struct flight flight[SPECTRUM_MAX_DEPTH];
    uint64_t submitted, folded; /* batches */
    uint32_t fallbacks;
    char note[256];
};

/* Takes the engine over, also when it fails. */
void analyser_init(struct analyser *a, struct fft_engine *engine, uint32_t threads);
void analyser_finish(struct analyser *a);

/* Waits for what is in flight, without folding it: no span is read any more. Until the next plan. */
void analyser_stop(struct analyser *a);

/* Takes the plan over (p is zeroed). Nothing may be in flight. */
int analyser_set_plan(struct analyser *a, struct plan *p);
/* The span stays held until its batch is folded. -EAGAIN: `depth` are in flight. */
int analyser_submit(struct analyser *a, const struct flight *batch);
/* Folds the oldest batch: 1 and *done, 0 not yet or none, -errno when the CPU engine failed too. */
int analyser_poll(struct analyser *a, struct flight *done, int timeout_ms);

#endif
