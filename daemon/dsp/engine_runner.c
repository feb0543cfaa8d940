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

static void drop(struct job *job)
{
    fft_spectrum_destroy(job->spectrum);
    fft_fold_destroy(job->fold);
    plan_finish(&job->plan);
    *job = (struct job){0};
}

void engine_runner_stop(struct engine_runner *a)
{
    fft_spectrum_destroy(a->job.spectrum);
    a->job.spectrum = NULL;
}

void engine_runner_finish(struct engine_runner *a)
{
    drop(&a->next);
    drop(&a->job);
    fft_engine_close(a->engine);
    a->engine = NULL;
}

static bool has_fallback(const struct engine_runner *a)
{
    return a->engine && strcmp(fft_engine_name(a->engine), a->fallback.name) != 0;
}

/* Closes the engine that failed and opens the CPU's. `why` says what happened; it may be the
 * engine's. */
static int open_fallback(struct engine_runner *a, const char *why)
{
    char reason[128] = "";
    snprintf(a->note, sizeof a->note, "%s failed (%s): the CPU engine took over",
             fft_engine_name(a->engine), why);
    log_warn("engine %s", a->note);
    fft_spectrum_destroy(a->job.spectrum);
    a->job.spectrum = NULL;
    fft_engine_close(a->engine);
    a->engine = NULL;
    a->fallbacks++;
    return fft_engine_open(&a->engine, &a->fallback, reason, sizeof reason);
}

/* ---- plans ------------------------------------------------------------------------------ */

static int create_spectrum(struct engine_runner *a, struct job *job)
{
    char why[160] = "";
    struct fft_spectrum_plan *plan = &job->plan.spectrum;
    int err = fft_spectrum_create(&job->spectrum, a->engine, plan, why, sizeof why);
    if (err == 0 || !has_fallback(a))
        return err;
    if (err == -ENOMEM && a->job.fold)
        return err; /* an engine that has no room for a second plan is not broken */
    err = open_fallback(a, why[0] ? why : strerror(-err));
    return err < 0 ? err : fft_spectrum_create(&job->spectrum, a->engine, plan, NULL, 0);
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
    drop(&a->job);
    a->job = a->next;
    a->next = (struct job){0};
}

void engine_runner_discard(struct engine_runner *a)
{
    drop(&a->next);
}

void engine_runner_drop_plan(struct engine_runner *a)
{
    drop(&a->job);
}

bool engine_runner_works(const struct engine_runner *a)
{
    return a->job.spectrum != NULL;
}

/* ---- batches ---------------------------------------------------------------------------- */

static struct flight *flight_at(struct engine_runner *a, uint64_t count)
{
    return &a->flight[count % a->job.plan.spectrum.depth];
}

static int submit(struct engine_runner *a, const struct flight *f)
{
    return fft_spectrum_submit(a->job.spectrum, f->span, f->position, f->frames);
}

/* The engine is lost: the CPU engine redoes everything in flight, in order. */
static int redo(struct engine_runner *a, int failure)
{
    if (!has_fallback(a))
        return failure;
    const char *trouble = fft_engine_trouble(a->engine);
    int err = open_fallback(a, trouble[0] ? trouble : strerror(-failure));
    if (err == 0)
        err = fft_spectrum_create(&a->job.spectrum, a->engine, &a->job.plan.spectrum, NULL, 0);
    for (uint64_t i = a->folded; err == 0 && i < a->submitted; i++)
        err = submit(a, flight_at(a, i));
    return err;
}

int engine_runner_submit(struct engine_runner *a, const struct flight *batch)
{
    if (a->submitted - a->folded == a->job.plan.spectrum.depth)
        return -EAGAIN;
    *flight_at(a, a->submitted) = *batch;
    const int err = submit(a, batch);
    if (err == -EAGAIN)
        return err;
    a->submitted++;
    return err < 0 ? redo(a, err) : 0;
}

int engine_runner_poll(struct engine_runner *a, struct flight *done, int timeout_ms)
{
    if (a->folded == a->submitted)
        return 0;
    struct fft_partial partial;
    const int got = fft_spectrum_poll(a->job.spectrum, &partial, timeout_ms);
    if (got < 0) {
        const int err = redo(a, got);
        return err < 0 ? err : 0;
    }
    if (got == 0)
        return 0;
    assert(partial.position == flight_at(a, a->folded)->position);
    fft_fold_add(a->job.fold, &partial);
    fft_spectrum_release(a->job.spectrum);
    *done = *flight_at(a, a->folded++);
    return 1;
}
