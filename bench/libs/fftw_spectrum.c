/* fftw_spectrum.c - the pipeline around FFTW, and the search for its best plan and batch. */
#include "bench/libs/fftw_spectrum.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/libs/pipeline.h"
#include "bench/threads.h"

enum { MAX_BATCH_POINTS = 32768 };

/* One thread's buffers. */
struct fftw_hand {
    struct fft_iq *in, *out; /* [batch][n]; the same in place */
    float *sum;              /* [n] */
};

/* ---- runs ------------------------------------------------------------------------------- */

static void run_part(void *user, uint32_t thread, uint32_t from, uint32_t to)
{
    const struct fftw_spectrum *s = user;
    const struct fft_spectrum_plan *plan = &s->job->plan;
    const size_t hop_bytes = plan->hop * fft_iq_bytes(plan->format);
    const struct fftw_hand *h = &s->hands[thread];

    memset(h->sum, 0, plan->n * sizeof *h->sum);
    for (uint32_t at = from; at < to; at += s->batch) {
        const uint32_t left = to - at, count = left < s->batch ? left : s->batch;
        for (size_t i = 0; i < count; i++)
            pipeline_load(plan->format, (const char *)s->job->raw + (at + i) * hop_bytes, s->window,
                          h->in + i * plan->n, plan->n);
        s->fftw->api.run_c2c(s->plan, h->in, h->out);
        for (size_t i = 0; i < count; i++)
            pipeline_power(h->out + i * plan->n, h->sum, plan->n);
    }
}

static int run_frames(struct fftw_spectrum *s, uint32_t frames)
{
    const int err = team_run(s->threads, frames, run_part, s);
    for (uint32_t i = 1; err == 0 && i < s->threads; i++)
        for (uint32_t k = 0; k < s->job->plan.n; k++)
            s->hands[0].sum[k] += s->hands[i].sum[k];
    return err;
}

static int run(void *user)
{
    struct fftw_spectrum *s = user;
    return run_frames(s, s->job->plan.max_frames);
}

/* The bins of the first frame, centred as ours are. */
static int check(void *user, double *error)
{
    struct fftw_spectrum *s = user;
    const uint32_t n = s->job->plan.n;
    float *bins = malloc(n * sizeof *bins);
    int err = bins ? run_frames(s, 1) : -ENOMEM;
    if (err == 0) {
        for (uint32_t k = 0; k < n; k++)
            bins[k] = s->hands[0].sum[(k + n / 2) % n];
        *error = spectrum_job_error(s->job, bins);
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
    for (uint32_t i = 0; s->hands && i < s->threads; i++) {
        struct fftw_hand *h = &s->hands[i];
        if (h->out != h->in)
            free(h->out);
        free(h->in);
        free(h->sum);
    }
    if (s->plan)
        s->fftw->api.destroy(s->plan);
    free(s->hands);
    free(s->window);
    *s = (struct fftw_spectrum){.fftw = s->fftw, .job = s->job};
}

static int take_hand(struct fftw_hand *h, size_t count, bool in_place, uint32_t n)
{
    h->in = points(count);
    h->out = in_place ? h->in : points(count);
    h->sum = calloc(n, sizeof *h->sum);
    return h->in && h->out && h->sum ? 0 : -ENOMEM;
}

static int take_memory(struct fftw_spectrum *s, bool in_place)
{
    const struct spectrum_job *job = s->job;
    const uint32_t n = job->plan.n;
    const double scale = 1.0 / fft_iq_full_scale(job->plan.format);

    s->threads = job->threads;
    s->hands = calloc(s->threads, sizeof *s->hands);
    s->window = malloc(2 * (size_t)n * sizeof *s->window);
    int err = s->hands && s->window ? 0 : -ENOMEM;
    for (uint32_t i = 0; err == 0 && i < s->threads; i++)
        err = take_hand(&s->hands[i], (size_t)s->batch * n, in_place, n);
    for (size_t i = 0; err == 0 && i < n; i++)
        s->window[2 * i] = s->window[2 * i + 1] = (float)((double)job->window[i] * scale);
    return err;
}

/* Batches of 1, 4, 16, ... frames, each in and out of place. */
static int set_up(void *user, int way)
{
    struct fftw_spectrum *s = user;
    const int n = (int)s->job->plan.n;

    fftw_spectrum_finish(s);
    s->batch = 1U << (way / 2 * 2);
    if (s->batch > 1 && s->batch * s->job->plan.n > MAX_BATCH_POINTS)
        return -ERANGE;
    const int err = take_memory(s, way % 2 == 1);
    if (err < 0)
        return err;
    const struct fftw_hand *h = &s->hands[0];
    s->plan = s->fftw->api.plan_c2c(1, &n, (int)s->batch, h->in, NULL, 1, n, h->out, NULL, 1, n,
                                    FFTW_FORWARD, s->fftw->effort);
    for (uint32_t i = 0; i < s->threads; i++)
        memset(s->hands[i].in, 0, (size_t)s->batch * s->job->plan.n * sizeof(struct fft_iq));
    fftw_keep(s->fftw);
    return s->plan ? 0 : -EIO;
}

int fftw_spectrum_init(struct fftw_spectrum *s, struct fftw *f, const struct spectrum_job *job)
{
    *s = (struct fftw_spectrum){.fftw = f, .job = job};
    return contest_choose(s, set_up, run, job->threads > 1);
}
