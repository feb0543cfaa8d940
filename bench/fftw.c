/* fftw.c - FFTW at run time: its functions, its best plan, and the pipeline around it. */
#include "bench/fftw.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/pipeline.h"

/* FFTW's documented interface, as far as it is used here ("FFTW 3.3 manual", chapter 4). */
enum { FORWARD = -1, MEASURE = 0, PATIENT = 1 << 5 };
typedef struct plan_opaque *fftw_plan;

struct api {
    fftw_plan (*plan_many)(int rank, const int *n, int howmany, struct iq *in, const int *in_embed,
                           int in_stride, int in_distance, struct iq *out, const int *out_embed,
                           int out_stride, int out_distance, int sign, unsigned flags);
    void (*execute)(fftw_plan plan, struct iq *in, struct iq *out);
    void (*destroy)(fftw_plan plan);
    void (*cleanup)(void);
    int (*load_wisdom)(const char *file);
    int (*save_wisdom)(const char *file);
    const char *version;
};

enum { MAX_BATCH_POINTS = 32768, CHOICE_ROUNDS = 3 };

/* One thread's buffers, and its part of a run. */
struct hand {
    struct fftw *fftw;
    const struct job *job;
    struct iq *in, *out; /* [batch][n]; the same in place */
    float *sum;          /* [n] */
    uint32_t from, to;   /* frames */
    pthread_t thread;
};

struct fftw {
    void *library;
    struct api api;
    bool patient;
    char name[80], wisdom[300];

    uint32_t batch;
    fftw_plan plan;
    float *window; /* [2 n], as pipeline_load wants it */
    struct hand *hands;
    uint32_t threads;
};

/* ---- the library ------------------------------------------------------------------------ */

static bool find(struct fftw *f, const char *name, void *pointer_to_function)
{
    void *symbol = dlsym(f->library, name);
    memcpy(pointer_to_function, &symbol, sizeof symbol);
    return symbol;
}

static bool find_all(struct fftw *f)
{
    return find(f, "fftwf_plan_many_dft", &f->api.plan_many) &&
           find(f, "fftwf_execute_dft", &f->api.execute) &&
           find(f, "fftwf_destroy_plan", &f->api.destroy) &&
           find(f, "fftwf_cleanup", &f->api.cleanup) &&
           find(f, "fftwf_import_wisdom_from_filename", &f->api.load_wisdom) &&
           find(f, "fftwf_export_wisdom_to_filename", &f->api.save_wisdom) &&
           find(f, "fftwf_version", &f->api.version);
}

/* PATIENT wisdom would answer requests for MEASURE too: only the former is ever kept. */
static void name_wisdom(struct fftw *f)
{
    const char *home = getenv("HOME");
    snprintf(f->wisdom, sizeof f->wisdom, "%s/.cache/fft-bench.%.60s.patient", home ? home : ".",
             f->api.version);
}

int fftw_open(struct fftw **out, bool patient, char *why, size_t size)
{
    const char *file = getenv("FFT_BENCH_FFTW");
    struct fftw *f = *out = calloc(1, sizeof *f);
    if (!f)
        return -ENOMEM;
    f->patient = patient;
    f->library = dlopen(file ? file : "libfftw3f.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!f->library || !find_all(f)) {
        const char *reason = dlerror();
        snprintf(why, size, "no FFTW: %s", reason ? reason : "a function is missing");
        fftw_close(f);
        *out = NULL;
        return -ENODEV;
    }
    snprintf(f->name, sizeof f->name, "%.60s %s", f->api.version, patient ? "PATIENT" : "MEASURE");
    name_wisdom(f);
    if (patient)
        f->api.load_wisdom(f->wisdom);
    return 0;
}

void fftw_close(struct fftw *f)
{
    if (!f)
        return;
    fftw_release(f);
    if (f->api.cleanup)
        f->api.cleanup(); /* what the planner keeps */
    if (f->library)
        dlclose(f->library);
    free(f);
}

const char *fftw_name(const struct fftw *f)
{
    return f->name;
}

/* ---- the pipeline ----------------------------------------------------------------------- */

static void *run_part(void *user)
{
    const struct hand *h = user;
    const struct spectrum_plan *plan = &h->job->plan;
    const size_t hop_bytes = plan->hop * iq_bytes(plan->format);

    memset(h->sum, 0, plan->n * sizeof *h->sum);
    for (uint32_t at = h->from; at < h->to; at += h->fftw->batch) {
        const uint32_t left = h->to - at, count = left < h->fftw->batch ? left : h->fftw->batch;
        for (size_t i = 0; i < count; i++)
            pipeline_load(plan->format, (const char *)h->job->raw + (at + i) * hop_bytes,
                          h->fftw->window, h->in + i * plan->n, plan->n);
        h->fftw->api.execute(h->fftw->plan, h->in, h->out);
        for (size_t i = 0; i < count; i++)
            pipeline_power(h->out + i * plan->n, h->sum, plan->n);
    }
    return NULL;
}

static int run_frames(struct fftw *f, const struct job *job, uint64_t frames)
{
    for (uint32_t i = 0; i < f->threads; i++) {
        struct hand *h = &f->hands[i];
        h->from = (uint32_t)(frames * i / f->threads);
        h->to = (uint32_t)(frames * (i + 1) / f->threads);
        h->job = job;
        if (i > 0 && pthread_create(&h->thread, NULL, run_part, h) != 0)
            return -EAGAIN;
    }
    run_part(&f->hands[0]);
    for (uint32_t i = 1; i < f->threads; i++)
        pthread_join(f->hands[i].thread, NULL);
    for (uint32_t i = 1; i < f->threads; i++)
        for (uint32_t k = 0; k < job->plan.n; k++)
            f->hands[0].sum[k] += f->hands[i].sum[k];
    return 0;
}

static int fftw_run(void *user, const struct job *job)
{
    return run_frames(user, job, job->plan.max_frames);
}

/* Centred, as ours is. */
static int fftw_first(void *user, const struct job *job, float *bins)
{
    struct fftw *f = user;
    const uint32_t n = job->plan.n;
    const int err = run_frames(f, job, 1);
    const float *sum = f->hands[f->threads - 1].sum; /* the part with the only frame */
    for (uint32_t k = 0; k < n; k++)
        bins[k] = sum[(k + n / 2) % n];
    return err;
}

struct contestant fftw_contestant(struct fftw *f)
{
    return (struct contestant){.name = f->name, .user = f, .run = fftw_run, .first = fftw_first};
}

/* ---- the best plan ---------------------------------------------------------------------- */

struct choice {
    uint32_t batch;
    bool in_place;
};

static struct iq *points(size_t count)
{
    return aligned_alloc(64, (count * sizeof(struct iq) + 63) / 64 * 64);
}

static int take_hand(struct hand *h, struct fftw *f, const struct choice *choice, uint32_t n)
{
    h->fftw = f;
    h->in = points((size_t)choice->batch * n);
    h->out = choice->in_place ? h->in : points((size_t)choice->batch * n);
    h->sum = calloc(n, sizeof *h->sum);
    return h->in && h->out && h->sum ? 0 : -ENOMEM;
}

void fftw_release(struct fftw *f)
{
    for (uint32_t i = 0; f->hands && i < f->threads; i++) {
        struct hand *h = &f->hands[i];
        if (h->out != h->in)
            free(h->out);
        free(h->in);
        free(h->sum);
    }
    if (f->plan)
        f->api.destroy(f->plan);
    free(f->hands);
    free(f->window);
    f->hands = NULL;
    f->plan = NULL;
    f->window = NULL;
}

static int set_up(struct fftw *f, const struct job *job, const struct choice *choice)
{
    const int n = (int)job->plan.n;
    const double scale = 1.0 / iq_full_scale(job->plan.format);

    fftw_release(f);
    f->threads = job->threads;
    f->batch = choice->batch;
    f->hands = calloc(f->threads, sizeof *f->hands);
    f->window = malloc(2 * (size_t)n * sizeof *f->window);
    int err = f->hands && f->window ? 0 : -ENOMEM;
    for (uint32_t i = 0; err == 0 && i < f->threads; i++)
        err = take_hand(&f->hands[i], f, choice, job->plan.n);
    if (err < 0)
        return err;

    struct hand *h = &f->hands[0];
    f->plan = f->api.plan_many(1, &n, (int)f->batch, h->in, NULL, 1, n, h->out, NULL, 1, n, FORWARD,
                               f->patient ? PATIENT : MEASURE);
    for (size_t i = 0; i < job->plan.n; i++)
        f->window[2 * i] = f->window[2 * i + 1] = (float)((double)job->window[i] * scale);
    for (uint32_t i = 0; i < f->threads; i++)
        memset(f->hands[i].in, 0, (size_t)f->batch * job->plan.n * sizeof(struct iq));
    return f->plan ? 0 : -EIO;
}

static double time_choice(struct fftw *f, const struct job *job, const struct choice *choice)
{
    double times[CHOICE_ROUNDS];
    if (set_up(f, job, choice) < 0)
        return -1;
    for (int i = 0; i < CHOICE_ROUNDS; i++) {
        const double start = contest_clock(job);
        fftw_run(f, job);
        times[i] = contest_clock(job) - start;
    }
    return contest_median(times, CHOICE_ROUNDS);
}

int fftw_prepare(struct fftw *f, const struct job *job)
{
    struct choice best = {.batch = 1};
    double fastest = -1;

    for (uint32_t batch = 1; batch == 1 || batch * job->plan.n <= MAX_BATCH_POINTS; batch *= 4)
        for (int in_place = 0; in_place < 2; in_place++) {
            const struct choice choice = {batch, in_place};
            const double seconds = time_choice(f, job, &choice);
            if (seconds >= 0 && (fastest < 0 || seconds < fastest)) {
                fastest = seconds;
                best = choice;
            }
        }
    const int err = set_up(f, job, &best);
    if (err == 0 && f->patient)
        f->api.save_wisdom(f->wisdom);
    return err;
}
