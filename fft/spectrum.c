/* spectrum.c - the part of fused spectra that all engines share: checks, batches, their order. */
#include "fft/correction.h"
#include "fft/engine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/clip_counter.h"

enum { ALL_DETECTORS = (1U << FFT_DETECTORS) - 1 };

static int refuse(struct fft_reason why, const char *text)
{
    fft_reason_set(why, "%s", text);
    return -EINVAL;
}

static int check_density(const struct fft_density *d, uint32_t n, struct fft_reason why)
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

static int check_config(const struct fft_spectrum_config *p, struct fft_reason why)
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
    if (!(p->full_scale >= 0))
        return refuse(why, "full scale must be above 0, or 0 for none");
    if ((p->detectors & ~(unsigned)ALL_DETECTORS) || (p->detectors == 0 && p->density.columns == 0))
        return refuse(why, "no such detector, or nothing to compute");
    return check_density(&p->density, p->n, why);
}

/* Without a full scale no sample counts; nor do those of cf32, which are checked before. */
static bool counts(const struct fft_spectrum *s)
{
    return s->config.full_scale > 0 && s->config.format != FFT_IQ_CF32;
}

static int check_engine(const struct fft_engine *e, const struct fft_spectrum_config *p,
                        struct fft_reason why)
{
    if (p->corrected && !e->ops->corrects) {
        fft_reason_set(why, "%s: it cannot correct samples", e->ops->name);
        return -ENOTSUP;
    }
    return e->ops->can ? e->ops->can(e, p, why) : 0;
}

int fft_spectrum_create(struct fft_spectrum **out, struct fft_engine *e,
                        const struct fft_spectrum_config *config, char *why_text, size_t why_size)
{
    const struct fft_reason why = {why_text, why_size};

    *out = NULL;
    fft_reason_set(why, "%s", "");
    int err = check_config(config, why);
    if (err == 0)
        err = check_engine(e, config, why);
    if (err < 0)
        return err;

    struct fft_spectrum *s = calloc(1, sizeof *s);
    if (!s)
        return -ENOMEM;
    s->engine = e;
    s->config = *config;
    s->correction = fft_correction_none();
    s->window = malloc(config->n * sizeof *s->window);
    s->priv = calloc(1, e->ops->spectrum_size ? e->ops->spectrum_size : 1);
    err = -ENOMEM;
    if (s->window && s->priv) {
        memcpy(s->window, config->window, config->n * sizeof *s->window);
        s->config.window = s->window;
        err = e->ops->spectrum_init(s);
    }
    if (err == 0 && counts(s) && !e->ops->counts_clipped)
        err = fft_clip_counter_create(&s->clip_counter, &s->config,
                                      fft_clip_counter_helpers(&s->config));
    if (err < 0) {
        fft_reason_set(why, "%s: n = %u: %s", e->ops->name, config->n,
                       s->last_error[0] ? s->last_error : strerror(-err));
        fft_spectrum_destroy(s);
        return err;
    }
    *out = s;
    return 0;
}

static size_t fold_bytes(const struct fft_spectrum_config *config)
{
    size_t bytes = 0;
    for (unsigned t = 0; t < FFT_DETECTORS; t++)
        bytes += config->detectors & 1U << t
                     ? 1U << t == FFT_DETECTOR_MEAN ? sizeof(double) : sizeof(float)
                     : 0;
    return bytes * config->n;
}

size_t fft_spectrum_bytes(const struct fft_engine_config *engine,
                          const struct fft_spectrum_config *config)
{
    const size_t common =
        sizeof(struct fft_spectrum) + config->n * sizeof(float) + fold_bytes(config);
    for (const struct engine_ops *const *ops = fft_engine_list; *ops; ops++) {
        const size_t own = (*ops)->spectrum_bytes ? (*ops)->spectrum_bytes(engine, config) : 0;
        if (own > 0)
            return common + own;
    }
    return 0;
}

size_t fft_spectrum_device_bytes(const struct fft_engine *e,
                                 const struct fft_spectrum_config *config)
{
    return e->ops->device_bytes ? e->ops->device_bytes(e, config) : 0;
}

void fft_spectrum_destroy(struct fft_spectrum *s)
{
    if (!s)
        return;
    fft_clip_counter_destroy(s->clip_counter);
    if (s->priv && s->window)
        s->engine->ops->spectrum_finish(s);
    free(s->priv);
    free(s->window);
    free(s);
}

const char *fft_spectrum_last_error(const struct fft_spectrum *s)
{
    return s->last_error;
}

const char *fft_spectrum_note(const struct fft_spectrum *s)
{
    return s->note;
}

int fft_spectrum_correct(struct fft_spectrum *s, const struct fft_correction *correction)
{
    if (!s->config.corrected || !fft_correction_is_finite(correction))
        return -EINVAL;
    s->correction = *correction;
    return 0;
}

static struct batch *at(struct fft_spectrum *s, uint64_t count)
{
    return &s->batches[count % s->config.depth];
}

static size_t first_counted(const struct fft_spectrum *s, uint32_t count, size_t first_new)
{
    const size_t samples = (size_t)(count - 1) * s->config.hop + s->config.n;
    return counts(s) && first_new < samples ? first_new : samples;
}

/* For an engine that does not count in its own loads. */
static void start_count(struct fft_spectrum *s, const struct batch *b)
{
    const size_t samples = (size_t)(b->partial.frames - 1) * s->config.hop + s->config.n;
    const char *at = (const char *)b->span + b->first_new * fft_iq_bytes(s->config.format);
    fft_clip_counter_start(s->clip_counter, at, samples - b->first_new);
}

int fft_spectrum_submit(struct fft_spectrum *s, const void *span, uint64_t position, uint32_t count,
                        size_t first_new)
{
    if (!span || (uintptr_t)span % fft_iq_bytes(s->config.format) != 0)
        return -EINVAL;
    if (count < 1 || count > s->config.max_frames)
        return -EINVAL;
    if (s->submitted - s->released == s->config.depth)
        return -EAGAIN;

    struct batch *b = at(s, s->submitted);
    *b = (struct batch){.span = span,
                        .partial = {.position = position, .frames = count},
                        .index = (uint32_t)(s->submitted % s->config.depth),
                        .first_new = first_counted(s, count, first_new),
                        .corrected = !fft_correction_is_none(&s->correction),
                        .correction = s->correction};
    const int err = s->engine->ops->submit(s, b);
    if (err < 0)
        return err;
    s->submitted++;
    if (s->clip_counter)
        start_count(s, b);
    return 0;
}

int fft_spectrum_poll(struct fft_spectrum *s, struct fft_partial *out, int timeout_ms)
{
    if (s->polled == s->submitted)
        return 0;

    struct batch *b = at(s, s->polled);
    const int done = s->engine->ops->poll(s, b, timeout_ms);
    if (done == 1) {
        s->polled++;
        if (s->clip_counter)
            b->partial.clipped = fft_clip_counter_finish(s->clip_counter);
        *out = b->partial;
    }
    return done;
}

void fft_spectrum_release(struct fft_spectrum *s)
{
    if (s->released < s->polled)
        s->released++;
}
