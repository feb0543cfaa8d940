/*
 * engine_runner.h - runs an engine on one plan: batches in, one fold out, with a fallback.
 *
 * When an engine fails at run time, the CPU engine replaces it and repeats every batch in flight.
 * The caller still holds their spans. The dsp thread only.
 */
#ifndef FFTD_DAEMON_DSP_ENGINE_RUNNER_H
#define FFTD_DAEMON_DSP_ENGINE_RUNNER_H

#include "daemon/dsp/plan.h"
#include "fft/fft.h"

struct batch {
    const void *span;
    uint64_t position;
    uint32_t frames;
};

/* A plan with the objects that the engine needs for it. */
struct active_plan {
    struct plan plan;
    struct fft_spectrum *spectrum;
    struct fft_fold *fold;
};

struct engine_runner {
    struct fft_engine *engine;
    struct fft_engine_config fallback; /* the CPU engine, with the same number of threads */
    struct active_plan active; /* zeroed: none yet; no spectrum: stopped, or lost with its engine */
    struct active_plan next;   /* prepared, not committed */
    struct batch batch[FFT_SPECTRUM_MAX_DEPTH];
    uint64_t submitted, folded; /* batches */
    uint32_t fallbacks;
    char note[256]; /* for people: the last fallback; "": none */
};

/* Owns the engine from now on. */
void engine_runner_init(struct engine_runner *a, struct fft_engine *engine, uint32_t threads);
void engine_runner_finish(struct engine_runner *a);

/* Waits for the batches in flight and discards them. No span is read until the next plan. */
void engine_runner_stop(struct engine_runner *a);

/*
 * A new plan in two steps, so that the old one stays active when memory is short: -ENOMEM changes
 * nothing if there was a plan. The runner owns the plan from now on and zeroes *p. Nothing may be
 * in flight.
 */
int engine_runner_prepare(struct engine_runner *a, struct plan *p);
void engine_runner_commit(struct engine_runner *a);  /* activates the prepared plan */
void engine_runner_discard(struct engine_runner *a); /* or drops it */
void engine_runner_drop_plan(struct engine_runner *a);
bool engine_runner_works(const struct engine_runner *a); /* a plan is active */
bool engine_runner_accepts(
    const struct engine_runner *a); /* fewer than `depth` batches are in flight */
/* The span stays held until its batch is folded. */
int engine_runner_submit(struct engine_runner *a, const struct batch *batch);
/* Folds the oldest batch. 1 and *done; 0: none is done; -errno: the CPU engine failed too. */
int engine_runner_poll(struct engine_runner *a, struct batch *done, int timeout_ms);

#endif
