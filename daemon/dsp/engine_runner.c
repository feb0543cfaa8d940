/* engine_runner.c - submits and folds batches, and replaces a failed engine. */
#include "daemon/dsp/engine_runner.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/log.h"

void engine_runner_init(struct engine_runner *a, struct fft_engine *engine, uint32_t threads)
{
    *a = (struct engine_runner){.engine = engine, .fallback = {.name = "cpu", .threads = threads}};
}

static void drop(struct active_plan *p)
{
    fft_spectrum_destroy(p->spectrum);
    fft_fold_destroy(p->fold);
    plan_finish(&p->plan);
    *p = (struct active_plan){0};
}

void engine_runner_stop(struct engine_runner *a)
{
    fft_spectrum_destroy(a->active.spectrum);
    a->active.spectrum = NULL;
}

void engine_runner_finish(struct engine_runner *a)
{
    drop(&a->next);
    drop(&a->active);
    fft_engine_close(a->engine);
    a->engine = NULL;
}

static bool has_fallback(const struct engine_runner *a)
{
    return a->engine && strcmp(fft_engine_name(a->engine), a->fallback.name) != 0;
}

/* Closes the failed engine and opens the CPU engine. `why` may point into the failed engine. */
static int open_fallback(struct engine_runner *a, const char *why)
{
    char reason[128] = "";
    snprintf(a->note, sizeof a->note, "%s failed (%s): the CPU engine took over",
             fft_engine_name(a->engine), why);
    log_warn("engine %s", a->note);
    fft_spectrum_destroy(a->active.spectrum);
    a->active.spectrum = NULL;
    fft_engine_close(a->engine);
    a->engine = NULL;
    a->fallbacks++;
    return fft_engine_open(&a->engine, &a->fallback, reason, sizeof reason);
}

/* ---- plans ------------------------------------------------------------------------------ */

static int create_spectrum(struct engine_runner *a, struct active_plan *p)
{
    char why[160] = "";
    struct fft_spectrum_plan *plan = &p->plan.spectrum;
    int err = fft_spectrum_create(&p->spectrum, a->engine, plan, why, sizeof why);
    if (err == 0 || !has_fallback(a))
        return err;
    if (err == -ENOMEM && a->active.fold)
        return err; /* no room for a second plan: the engine is not broken */
    err = open_fallback(a, why[0] ? why : strerror(-err));
    return err < 0 ? err : fft_spectrum_create(&p->spectrum, a->engine, plan, NULL, 0);
}

int engine_runner_prepare(struct engine_runner *a, struct plan *p)
{
    assert(a->submitted == a->folded && !a->next.fold);
    a->next.plan = *p;
    *p = (struct plan){0};
    int err = fft_fold_create(&a->next.fold, &a->next.plan.spectrum);
    if (err == 0)
        err = create_spectrum(a, &a->next);
    if (err < 0)
        engine_runner_discard(a);
    return err;
}

void engine_runner_commit(struct engine_runner *a)
{
    drop(&a->active);
    a->active = a->next;
    a->next = (struct active_plan){0};
}

void engine_runner_discard(struct engine_runner *a)
{
    drop(&a->next);
}

void engine_runner_drop_plan(struct engine_runner *a)
{
    drop(&a->active);
}

bool engine_runner_works(const struct engine_runner *a)
{
    return a->active.spectrum != NULL;
}

/* ---- batches ---------------------------------------------------------------------------- */

static struct batch *batch_at(struct engine_runner *a, uint64_t count)
{
    return &a->batch[count % a->active.plan.spectrum.depth];
}

static int submit(struct engine_runner *a, const struct batch *b)
{
    return fft_spectrum_submit(a->active.spectrum, b->span, b->position, b->frames);
}

/* After a failure, the CPU engine repeats every batch in flight, in order. */
static int repeat_in_flight(struct engine_runner *a, int failure)
{
    if (!has_fallback(a))
        return failure;
    const char *trouble = fft_engine_trouble(a->engine);
    int err = open_fallback(a, trouble[0] ? trouble : strerror(-failure));
    if (err == 0)
        err =
            fft_spectrum_create(&a->active.spectrum, a->engine, &a->active.plan.spectrum, NULL, 0);
    for (uint64_t i = a->folded; err == 0 && i < a->submitted; i++)
        err = submit(a, batch_at(a, i));
    return err;
}

bool engine_runner_accepts(const struct engine_runner *a)
{
    return a->submitted - a->folded < a->active.plan.spectrum.depth;
}

int engine_runner_submit(struct engine_runner *a, const struct batch *batch)
{
    assert(engine_runner_accepts(a));
    *batch_at(a, a->submitted) = *batch;
    const int err = submit(a, batch);
    a->submitted++;
    return err < 0 ? repeat_in_flight(a, err) : 0;
}

int engine_runner_poll(struct engine_runner *a, struct batch *done, int timeout_ms)
{
    if (a->folded == a->submitted)
        return 0;
    struct fft_partial partial;
    const int got = fft_spectrum_poll(a->active.spectrum, &partial, timeout_ms);
    if (got < 0) {
        const int err = repeat_in_flight(a, got);
        return err < 0 ? err : 0;
    }
    if (got == 0)
        return 0;
    assert(partial.position == batch_at(a, a->folded)->position);
    fft_fold_add(a->active.fold, &partial);
    fft_spectrum_release(a->active.spectrum);
    *done = *batch_at(a, a->folded++);
    return 1;
}
