/* spectrum.c - the part of fused spectra that all engines share: checks, batches, their order. */
#include "fft/engine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_DETECTORS = (1U << FFT_DETECTORS) - 1 };

static int refuse(struct reason why, const char *text)
{
    fft_reason_set(why, "%s", text);
    return -EINVAL;
}

static int check_density(const struct fft_density *d, uint32_t n, struct reason why)
{
    if (d->columns == 0)
        return 0;
    if (d->columns > n)
        return refuse(why, "density has more columns than there are bins");
    if (d->levels < 1 || d->levels > FFT_SPECTRUM_MAX_LEVELS)
        return refuse(why, "density levels must be 1 .. 4096");
    if (!isfinite(d->top_db) || !(d->step_db > 0) || !isfinite(d->step_db))
        return refuse(why, "density needs a finite top and a step above 0 dB");
    return 0;
}

static int check_plan(const struct fft_spectrum_plan *p, struct reason why)
{
    if (p->n < FFT_SPECTRUM_MIN_N || p->n > FFT_SPECTRUM_MAX_N || (p->n & (p->n - 1)) != 0)
        return refuse(why, "n must be a power of two, 64 .. 4194304");
    if (p->hop < 1 || p->hop > p->n)
        return refuse(why, "hop must be 1 .. n");
    if (p->max_frames < 1)
        return refuse(why, "a batch needs at least one frame");
    if (p->depth < 1 || p->depth > FFT_SPECTRUM_MAX_DEPTH)
        return refuse(why, "depth must be 1 .. 16");
    if ((unsigned)p->format >= FFT_IQ_FORMATS)
        return refuse(why, "no such sample format");
    if (!p->window)
        return refuse(why, "a window is needed");
    if ((p->detectors & ~(unsigned)ALL_DETECTORS) || (p->detectors == 0 && p->density.columns == 0))
        return refuse(why, "no such detector, or nothing to compute");
    return check_density(&p->density, p->n, why);
}

int fft_spectrum_create(struct fft_spectrum **out, struct fft_engine *e,
                        const struct fft_spectrum_plan *plan, char *why_text, size_t why_size)
{
    const struct reason why = {why_text, why_size};

    *out = NULL;
    fft_reason_set(why, "%s", "");
    int err = check_plan(plan, why);
    if (err == 0 && e->ops->can)
        err = e->ops->can(e, plan, why);
    if (err < 0)
        return err;

    struct fft_spectrum *s = calloc(1, sizeof *s);
    if (!s)
        return -ENOMEM;
    s->engine = e;
    s->plan = *plan;
    s->window = malloc(plan->n * sizeof *s->window);
    s->priv = calloc(1, e->ops->spectrum_size ? e->ops->spectrum_size : 1);
    err = -ENOMEM;
    if (s->window && s->priv) {
        memcpy(s->window, plan->window, plan->n * sizeof *s->window);
        s->plan.window = s->window;
        e->trouble[0] = '\0';
        err = e->ops->spectrum_init(s);
    }
    if (err < 0) {
        fft_reason_set(why, "%s: n = %u: %s", e->ops->name, plan->n,
                       e->trouble[0] ? e->trouble : strerror(-err));
        fft_spectrum_destroy(s);
        return err;
    }
    *out = s;
    return 0;
}

static size_t fold_bytes(const struct fft_spectrum_plan *plan)
{
    size_t bytes = 0;
    for (unsigned t = 0; t < FFT_DETECTORS; t++)
        bytes += plan->detectors & 1U << t
                     ? 1U << t == FFT_DETECTOR_MEAN ? sizeof(double) : sizeof(float)
                     : 0;
    return bytes * plan->n;
}

size_t fft_spectrum_bytes(const struct fft_engine_config *config,
                          const struct fft_spectrum_plan *plan)
{
    const size_t common = sizeof(struct fft_spectrum) + plan->n * sizeof(float) + fold_bytes(plan);
    for (const struct engine_ops *const *ops = fft_engine_list; *ops; ops++) {
        const size_t own = (*ops)->spectrum_bytes ? (*ops)->spectrum_bytes(config, plan) : 0;
        if (own > 0)
            return common + own;
    }
    return 0;
}

void fft_spectrum_destroy(struct fft_spectrum *s)
{
    if (!s)
        return;
    if (s->priv && s->window)
        s->engine->ops->spectrum_finish(s);
    free(s->priv);
    free(s->window);
    free(s);
}

static struct batch *at(struct fft_spectrum *s, uint64_t count)
{
    return &s->batches[count % s->plan.depth];
}

int fft_spectrum_submit(struct fft_spectrum *s, const void *span, uint64_t position, uint32_t count)
{
    if (!span || (uintptr_t)span % fft_iq_bytes(s->plan.format) != 0)
        return -EINVAL;
    if (count < 1 || count > s->plan.max_frames)
        return -EINVAL;
    if (s->submitted - s->released == s->plan.depth)
        return -EAGAIN;

    struct batch *b = at(s, s->submitted);
    *b = (struct batch){.span = span,
                        .partial = {.position = position, .frames = count},
                        .index = (uint32_t)(s->submitted % s->plan.depth)};
    const int err = s->engine->ops->submit(s, b);
    if (err == 0)
        s->submitted++;
    return err;
}

int fft_spectrum_poll(struct fft_spectrum *s, struct fft_partial *out, int timeout_ms)
{
    if (s->polled == s->submitted)
        return 0;

    struct batch *b = at(s, s->polled);
    const int done = s->engine->ops->poll(s, b, timeout_ms);
    if (done == 1) {
        s->polled++;
        *out = b->partial;
    }
    return done;
}

void fft_spectrum_release(struct fft_spectrum *s)
{
    if (s->released < s->polled)
        s->released++;
}
