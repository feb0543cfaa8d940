/*
 * engine_runner.h - an engine at work on one plan: batches in, one fold out; falls back when it
 * fails.
 *
 * When an engine fails at run time the CPU engine takes over and redoes every batch in flight,
 * whose spans the caller still holds. Used by the dsp thread alone; `note` is for people.
 */
#ifndef FFTD_DAEMON_DSP_ENGINE_RUNNER_H
#define FFTD_DAEMON_DSP_ENGINE_RUNNER_H

#include "daemon/dsp/plan.h"
#include "fft/fft.h"

struct flight {
    const void *span;
    uint64_t position;
    uint32_t frames;
};

/* What an engine works at. */
struct job {
    struct plan plan;
    struct fft_spectrum *spectrum;
    struct fft_fold *fold;
};

struct engine_runner {
    struct fft_engine *engine;
    struct fft_engine_config fallback; /* the CPU engine's, with the same number of threads */
    struct job job;  /* zeroed: none yet; without spectrum: stopped, or lost with its engine */
    struct job next; /* being made ready */
    struct flight flight[FFT_SPECTRUM_MAX_DEPTH];
    uint64_t submitted, folded; /* batches */
    uint32_t fallbacks;
    char note[256];
};

/* Takes the engine over, also when it fails. */
void engine_runner_init(struct engine_runner *a, struct fft_engine *engine, uint32_t threads);
void engine_runner_finish(struct engine_runner *a);

/* Waits for what is in flight, without folding it: no span is read any more. Until the next plan.
 */
void engine_runner_stop(struct engine_runner *a);

/*
 * A new plan, in two steps, so that the old one goes on where there is no room for another: -ENOMEM
 * leaves everything as it was, if there was a plan. Takes the plan over (p is zeroed). Nothing may
 * be in flight.
 */
int engine_runner_prepare(struct engine_runner *a, struct plan *p);
void engine_runner_commit(struct engine_runner *a);  /* what was prepared is at work from now on */
void engine_runner_discard(struct engine_runner *a); /* or is not wanted any more */
void engine_runner_drop_plan(struct engine_runner *a);
bool engine_runner_works(const struct engine_runner *a); /* on a plan, now */
/* The span stays held until its batch is folded. -EAGAIN: `depth` are in flight. */
int engine_runner_submit(struct engine_runner *a, const struct flight *batch);
/* Folds the oldest batch: 1 and *done, 0 not yet or none, -errno when the CPU engine failed too. */
int engine_runner_poll(struct engine_runner *a, struct flight *done, int timeout_ms);

#endif
