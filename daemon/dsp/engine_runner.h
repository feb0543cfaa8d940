/*
 * engine_runner.h - an engine at work on one plan: batches in, one fold out; falls back when it fails.
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
    struct spectrum *spectrum;
    struct fold *fold;
};

struct analyser {
    struct fft_engine *engine;
    struct fft_engine_config fallback; /* the CPU engine's, with the same number of threads */
    struct job job;  /* zeroed: none yet; without spectrum: stopped, or lost with its engine */
    struct job next; /* being made ready */
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

/*
 * A new plan, in two steps, so that the old one goes on where there is no room for another: -ENOMEM
 * leaves everything as it was, if there was a plan. Takes the plan over (p is zeroed). Nothing may
 * be in flight.
 */
int analyser_prepare(struct analyser *a, struct plan *p);
void analyser_commit(struct analyser *a);  /* what was prepared is at work from now on */
void analyser_discard(struct analyser *a); /* or is not wanted any more */
void analyser_drop_plan(struct analyser *a);
bool analyser_works(const struct analyser *a); /* on a plan, now */
/* The span stays held until its batch is folded. -EAGAIN: `depth` are in flight. */
int analyser_submit(struct analyser *a, const struct flight *batch);
/* Folds the oldest batch: 1 and *done, 0 not yet or none, -errno when the CPU engine failed too. */
int analyser_poll(struct analyser *a, struct flight *done, int timeout_ms);

#endif
