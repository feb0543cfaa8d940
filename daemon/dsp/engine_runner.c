/* engine_runner.c - submits and folds batches, and replaces a failed engine. */
#include "daemon/dsp/engine_runner.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/log.h"

void engine_runner_init(struct engine_runner *a, struct fft_engine *engine, uint32_t threads)
{
    *a = (struct engine_runner){.engine = engine,
                                .fallback = {.name = "cpu", .threads = threads},
                                .correction = {.ii = 1, .qq = 1}};
}

/* Lets the engine have the memory of a batch that the fold borrowed. */
static void return_borrowed(struct engine_runner *a)
{
    if (!a->borrows)
        return;
    fft_fold_keep(a->active.fold);
    fft_spectrum_release(a->active.spectrum);
    a->borrows = false;
}

void engine_runner_stop(struct engine_runner *a)
{
    if (a->maker.order.memory) /* which ends with the epoch */
        plan_maker_cancel(&a->maker);
    return_borrowed(a);
    fft_spectrum_destroy(a->active.spectrum);
    a->active.spectrum = NULL;
}

void engine_runner_finish(struct engine_runner *a)
{
    plan_maker_cancel(&a->maker);
    active_plan_finish(&a->next);
    active_plan_finish(&a->active);
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
    plan_maker_cancel(&a->maker);
    return_borrowed(a);
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
    struct fft_spectrum_config *plan = &p->plan.spectrum;
    int err = fft_spectrum_create(&p->spectrum, a->engine, plan, why, sizeof why);
    if (err == 0 || !has_fallback(a))
        return err;
    if (err == -ENOMEM && a->active.fold)
        return err; /* no room for a second plan: the engine is not broken */
    err = open_fallback(a, why[0] ? why : strerror(-err));
    return err < 0 ? err : fft_spectrum_create(&p->spectrum, a->engine, plan, NULL, 0);
}

int engine_runner_prepare(struct engine_runner *a, const struct plan_order *order)
{
    assert(a->submitted == a->folded && !a->borrows && !a->next.fold);
    int err = -EAGAIN;
    if (engine_runner_has_begun(a, order))
        err = plan_maker_take(&a->maker, &a->next);
    if (err == 0 || err == -ENOMEM)
        return err;
    plan_maker_cancel(&a->maker);
    err = active_plan_init(&a->next, order); /* also a fallback may make it */
    if (err == 0)
        err = create_spectrum(a, &a->next);
    if (err < 0)
        engine_runner_discard(a);
    return err;
}

bool engine_runner_has_begun(const struct engine_runner *a, const struct plan_order *order)
{
    return plan_maker_has_begun(&a->maker, order);
}

bool engine_runner_is_making(const struct engine_runner *a)
{
    return plan_maker_is_making(&a->maker);
}

void engine_runner_forget(struct engine_runner *a)
{
    if (!engine_runner_is_making(a))
        plan_maker_cancel(&a->maker);
}

/* A plan for the next ring cannot pin it yet. */
bool engine_runner_plans_concurrently(const struct engine_runner *a, const struct plan_order *order)
{
    return engine_runner_works(a) && fft_engine_plans_concurrently(a->engine) &&
           (order->memory || !fft_engine_pins_memory(a->engine));
}

bool engine_runner_prepare_concurrently(struct engine_runner *a, const struct plan_order *order)
{
    plan_maker_cancel(&a->maker);
    return plan_maker_start(&a->maker, a->engine, order) == 0;
}

void engine_runner_commit(struct engine_runner *a)
{
    active_plan_finish(&a->active);
    a->active = a->next;
    a->next = (struct active_plan){0};
}

void engine_runner_discard(struct engine_runner *a)
{
    active_plan_finish(&a->next);
}

void engine_runner_drop_plan(struct engine_runner *a)
{
    active_plan_finish(&a->active);
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
    if (a->active.plan.spectrum.corrected)
        fft_spectrum_correct(a->active.spectrum, &b->correction);
    return fft_spectrum_submit(a->active.spectrum, b->span, b->position, b->frames, b->fresh);
}

/* After a failure, the CPU engine repeats every batch in flight, in order. */
static int repeat_in_flight(struct engine_runner *a, int failure)
{
    if (!has_fallback(a))
        return failure;
    const char *error = fft_spectrum_last_error(a->active.spectrum);
    int err = open_fallback(a, error[0] ? error : strerror(-failure));
    if (err == 0)
        err =
            fft_spectrum_create(&a->active.spectrum, a->engine, &a->active.plan.spectrum, NULL, 0);
    for (uint64_t i = a->folded; err == 0 && i < a->submitted; i++)
        err = submit(a, batch_at(a, i));
    return err;
}

bool engine_runner_accepts(const struct engine_runner *a)
{
    return a->submitted - a->folded + a->borrows < a->active.plan.spectrum.depth;
}

void engine_runner_correct(struct engine_runner *a, const struct fft_correction *correction)
{
    assert(a->active.plan.spectrum.corrected);
    a->correction = *correction;
}

int engine_runner_submit(struct engine_runner *a, const struct batch *batch)
{
    assert(engine_runner_accepts(a));
    struct batch *b = batch_at(a, a->submitted);
    *b = *batch;
    b->correction = a->correction;
    const int err = submit(a, b);
    a->submitted++;
    return err < 0 ? repeat_in_flight(a, err) : 0;
}

/* A batch that makes a line is not copied before the line has it. */
static void fold(struct engine_runner *a, const struct fft_partial *partial, bool is_line)
{
    struct fft_fold *f = a->active.fold;
    return_borrowed(a);
    if (is_line && fft_fold_frames(f) == 0) {
        fft_fold_borrow(f, partial);
        a->borrows = true;
        return;
    }
    fft_fold_add(f, partial);
    fft_spectrum_release(a->active.spectrum);
}

void engine_runner_end_line(struct engine_runner *a)
{
    fft_fold_reset(a->active.fold);
    return_borrowed(a);
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
    fold(a, &partial, batch_at(a, a->folded)->is_line);
    *done = *batch_at(a, a->folded++);
    done->clipped = partial.clipped;
    return 1;
}
