/*
 * engine_runner.h - runs an engine on one plan: batches in, one fold out, with a fallback.
 *
 * When an engine fails at run time, the CPU engine replaces it and repeats every batch in flight.
 * The caller still holds their spans. The dsp thread only.
 */
#ifndef FFTD_DAEMON_DSP_ENGINE_RUNNER_H
#define FFTD_DAEMON_DSP_ENGINE_RUNNER_H

#include "daemon/dsp/plan_maker.h"
#include "fft/fft.h"

struct batch {
    const void *span;
    uint64_t position;
    uint32_t frames;
    bool is_line;                     /* it has all frames of a line */
    size_t fresh;                     /* index of the first sample that no batch before had */
    uint64_t clipped;                 /* of the samples from there on; when it is done */
    struct fft_correction correction; /* set by submit, if the plan is `corrected` */
};

struct engine_runner {
    struct fft_engine *engine;
    struct fft_engine_config fallback; /* the CPU engine, with the same number of threads */
    struct active_plan active; /* zeroed: none yet; no spectrum: stopped, or lost with its engine */
    struct active_plan next;   /* prepared, not committed */
    struct plan_maker maker;   /* of a plan, while the active one runs */
    struct batch batch[FFT_SPECTRUM_MAX_DEPTH];
    uint64_t submitted, folded; /* batches */
    bool borrows; /* the fold reads the newest batch, whose memory the engine may not use yet */
    struct fft_correction correction;
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
 * nothing if there was a plan. Nothing may be in flight. What was made of the same order while the
 * active plan ran is taken; else it is dropped.
 */
int engine_runner_prepare(struct engine_runner *a, const struct plan_order *order);
void engine_runner_commit(struct engine_runner *a);  /* activates the prepared plan */
void engine_runner_discard(struct engine_runner *a); /* or drops it */
void engine_runner_drop_plan(struct engine_runner *a);
/* There is an active plan, and the engine can make this one meanwhile. */
bool engine_runner_plans_concurrently(const struct engine_runner *a,
                                      const struct plan_order *order);
/* Begins to do so, instead of a plan that was begun before. False: there is no thread for it. */
bool engine_runner_prepare_concurrently(struct engine_runner *a, const struct plan_order *order);
bool engine_runner_has_begun(const struct engine_runner *a, const struct plan_order *order);
bool engine_runner_is_making(const struct engine_runner *a); /* it is not done yet */
void engine_runner_forget(struct engine_runner *a);      /* drops what was made, if that is done */
bool engine_runner_works(const struct engine_runner *a); /* a plan is active */
bool engine_runner_accepts(
    const struct engine_runner *a); /* fewer than `depth` batches are in flight */
/* Of the samples of the batches submitted next. The plan must be `corrected`. */
void engine_runner_correct(struct engine_runner *a, const struct fft_correction *correction);
/* The span stays held until its batch is folded. */
int engine_runner_submit(struct engine_runner *a, const struct batch *batch);
/* Folds the oldest batch. 1 and *done; 0: none is done; -errno: the CPU engine failed too. */
int engine_runner_poll(struct engine_runner *a, struct batch *done, int timeout_ms);
/* The line contains the folded frames. */
void engine_runner_end_line(struct engine_runner *a);

#endif
