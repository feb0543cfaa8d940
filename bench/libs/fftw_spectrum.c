/*
 * fftw_spectrum.c - the spectrum pipeline around FFTW, and the search for its best plan and batch.
 */
#include "bench/libs/fftw_spectrum.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/libs/pipeline.h"
#include "bench/threads.h"

enum { MAX_BATCH_POINTS = 32768 };

/* One thread's buffers. */
struct fftw_workspace {
    struct fft_iq *in, *out; /* [batch][n]; equal in place */
    float *sum;              /* [n] */
};

/* ---- runs ------------------------------------------------------------------------------- */

static void run_part(void *user, uint32_t thread, uint32_t from, uint32_t to)
{
    const struct fftw_spectrum *s = user;
    const struct fft_spectrum_config *plan = &s->test_case->plan;
    const size_t hop_bytes = plan->hop * fft_iq_bytes(plan->format);
    const struct fftw_workspace *h = &s->workspaces[thread];

    memset(h->sum, 0, plan->n * sizeof *h->sum);
    for (uint32_t at = from; at < to; at += s->batch) {
        const uint32_t left = to - at, count = left < s->batch ? left : s->batch;
        for (size_t i = 0; i < count; i++)
            pipeline_load(plan->format, (const char *)s->test_case->raw + (at + i) * hop_bytes,
                          s->window, h->in + i * plan->n, plan->n);
        s->fftw->api.run_c2c(s->plan, h->in, h->out);
        for (size_t i = 0; i < count; i++)
            pipeline_power(h->out + i * plan->n, h->sum, plan->n);
    }
}

static int run_frames(struct fftw_spectrum *s, uint32_t frames)
{
    const int err = threads_run(s->threads, frames, run_part, s);
    for (uint32_t i = 1; err == 0 && i < s->threads; i++)
        for (uint32_t k = 0; k < s->test_case->plan.n; k++)
            s->workspaces[0].sum[k] += s->workspaces[i].sum[k];
    return err;
}

static int run(void *user)
{
    struct fftw_spectrum *s = user;
    return run_frames(s, s->test_case->plan.max_frames);
}

/* Compares the bins of the first frame, centred like the engine's. */
static int check(void *user, double *error)
{
    struct fftw_spectrum *s = user;
    const uint32_t n = s->test_case->plan.n;
    float *bins = malloc(n * sizeof *bins);
    int err = bins ? run_frames(s, 1) : -ENOMEM;
    if (err == 0) {
        for (uint32_t k = 0; k < n; k++)
            bins[k] = s->workspaces[0].sum[(k + n / 2) % n];
        *error = spectrum_case_error(s->test_case, bins);
    }
    free(bins);
    return err;
}

struct contestant fftw_spectrum_contestant(struct fftw_spectrum *s)
{
    return (struct contestant){.name = s->fftw->name, .user = s, .run = run, .check = check};
}

/* ---- the best plan ---------------------------------------------------------------------- */

static struct fft_iq *points(size_t count)
{
    return aligned_alloc(64, (count * sizeof(struct fft_iq) + 63) / 64 * 64);
}

void fftw_spectrum_finish(struct fftw_spectrum *s)
{
    for (uint32_t i = 0; s->workspaces && i < s->threads; i++) {
        struct fftw_workspace *h = &s->workspaces[i];
        if (h->out != h->in)
            free(h->out);
        free(h->in);
        free(h->sum);
    }
    if (s->plan)
        s->fftw->api.destroy(s->plan);
    free(s->workspaces);
    free(s->window);
    *s = (struct fftw_spectrum){.fftw = s->fftw, .test_case = s->test_case};
}

static int alloc_workspace(struct fftw_workspace *h, size_t count, bool in_place, uint32_t n)
{
    h->in = points(count);
    h->out = in_place ? h->in : points(count);
    h->sum = calloc(n, sizeof *h->sum);
    return h->in && h->out && h->sum ? 0 : -ENOMEM;
}

static int alloc_memory(struct fftw_spectrum *s, bool in_place)
{
    const struct spectrum_case *test_case = s->test_case;
    const uint32_t n = test_case->plan.n;
    const double scale = 1.0 / fft_iq_full_scale(test_case->plan.format);

    s->threads = test_case->threads;
    s->workspaces = calloc(s->threads, sizeof *s->workspaces);
    s->window = malloc(2 * (size_t)n * sizeof *s->window);
    int err = s->workspaces && s->window ? 0 : -ENOMEM;
    for (uint32_t i = 0; err == 0 && i < s->threads; i++)
        err = alloc_workspace(&s->workspaces[i], (size_t)s->batch * n, in_place, n);
    for (size_t i = 0; err == 0 && i < n; i++)
        s->window[2 * i] = s->window[2 * i + 1] = (float)((double)test_case->window[i] * scale);
    return err;
}

/* Variants: batches of 1, 4, 16, ... frames, each out of place and in place. */
static int set_up(void *user, int variant)
{
    struct fftw_spectrum *s = user;
    const int n = (int)s->test_case->plan.n;

    fftw_spectrum_finish(s);
    s->batch = 1U << (variant / 2 * 2);
    if (s->batch > 1 && s->batch * s->test_case->plan.n > MAX_BATCH_POINTS)
        return -ERANGE;
    const int err = alloc_memory(s, variant % 2 == 1);
    if (err < 0)
        return err;
    const struct fftw_workspace *h = &s->workspaces[0];
    s->plan = s->fftw->api.plan_c2c(1, &n, (int)s->batch, h->in, NULL, 1, n, h->out, NULL, 1, n,
                                    FFTW_FORWARD, s->fftw->effort);
    for (uint32_t i = 0; i < s->threads; i++)
        memset(s->workspaces[i].in, 0,
               (size_t)s->batch * s->test_case->plan.n * sizeof(struct fft_iq));
    fftw_keep(s->fftw);
    return s->plan ? 0 : -EIO;
}

int fftw_spectrum_init(struct fftw_spectrum *s, struct fftw *f,
                       const struct spectrum_case *test_case)
{
    *s = (struct fftw_spectrum){.fftw = f, .test_case = test_case};
    return contest_choose(s, set_up, run, test_case->threads > 1);
}
