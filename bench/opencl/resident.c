/*
 * resident.c - opencl-bench-resident: times the opencl engine's kernels on samples in device
 * memory, without a bus.
 *
 *     opencl-bench-resident [DEVICE [OPTIONS...]]     as in --engine opencl:DEVICE and --options
 *
 * The plans of several OPTIONS run in turn; each is compared with the first one. $SIZES names the
 * lengths ("256 4096"); $DETECTORS=all computes all detectors, not the mean alone.
 *
 * The input is cs16 without overlap, at least a mebisample and at most a quarter of the largest
 * buffer. Each row is the median of several runs; each run ends with one wait. The error is that of
 * the mean power of a few frames against double precision, relative, L2.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/contest.h"
#include "fft/opencl/opencl_kernels.h"
#include "fft/opencl/opencl_settings.h"
#include "reference/reference.h"

enum { RUNS = 9, LAUNCHED = 4 /* batches a run */, MAX_SETS = 16, CHECKED = 3 /* frames */ };
enum { BLOCK = 1 << 22 /* numbers of noise, repeated */ };

static const uint64_t most_samples = (uint64_t)1 << 28, least_samples = (uint64_t)1 << 20;

struct resident {
    struct opencl_driver driver;
    struct opencl_settings settings[MAX_SETS]; /* the first one's device is used */
    int sets;
    struct opencl_cache cache;
    struct opencl_device device;
    struct _cl_command_queue *queue;
    int16_t *noise; /* [BLOCK] */
    char why[400];
};

/* The measurement of one size with one set of options. */
struct row {
    struct resident *r;
    struct opencl_spectrum plan;
    struct opencl_kernels kernels;
    struct opencl_buffers places; /* the samples belong to all sets */
    int err;
    double times[RUNS], seconds; /* of a batch */
    double error;
    char why[200];
};

static struct fft_reason why_of(struct resident *r)
{
    return (struct fft_reason){r->why, sizeof r->why};
}

static int open_device(struct resident *r, const char *name, char **options, int count)
{
    struct opencl_search search;
    int err = count <= MAX_SETS ? 0 : -E2BIG;
    r->sets = count > 0 ? count : 1;
    for (int i = 0; err == 0 && i < r->sets; i++)
        err = opencl_settings_parse(&r->settings[i], count > 0 ? options[i] : NULL, why_of(r));
    if (err == 0)
        err = opencl_driver_load(&r->driver, why_of(r));
    if (err == 0)
        err = opencl_search(&search, &r->driver, name, false, why_of(r));
    if (err != 0)
        return err;
    opencl_cache_open(&r->cache, r->settings[0].cache);
    uint32_t first = 0;
    while (!search.found[first].eligible)
        first++;
    err = opencl_device_open(&r->device, &r->driver, &search.found[first], &r->cache,
                             r->settings[0].profile, why_of(r));
    return err < 0 ? err : opencl_queue_create(&r->device, &r->queue, why_of(r));
}

/* ---- one size --------------------------------------------------------------------------- */

static int build(struct row *row)
{
    const size_t length = opencl_spectrum_source(&row->plan, NULL, 0);
    char *text = malloc(length + 1);
    if (!text)
        return -ENOMEM;
    opencl_spectrum_source(&row->plan, text, length + 1);
    const struct opencl_kernels_source source = {text, row->plan.options, row->plan.kernels,
                                                 row->plan.kernel_count};
    return opencl_kernels_init(&row->kernels, &row->r->device, &source, why_of(row->r));
}

static int take(struct row *row, enum opencl_role role, size_t bytes)
{
    return opencl_memory_allocate(&row->r->device, 0, bytes, &row->places.by_role[role],
                                  "device memory", why_of(row->r));
}

static int fill(struct row *row, enum opencl_role role, size_t at, const void *from, size_t bytes)
{
    struct resident *r = row->r;
    return opencl_check(
        r->driver.write(r->queue, row->places.by_role[role], 1, at, bytes, from, 0, NULL, NULL),
        "filling device memory", why_of(r));
}

static int make_noise(struct resident *r)
{
    uint32_t state = 1;
    r->noise = malloc(BLOCK * sizeof *r->noise);
    for (size_t i = 0; r->noise && i < BLOCK; i++) {
        state = state * 1664525U + 1013904223U;
        r->noise[i] = (int16_t)((int32_t)state >> 18);
    }
    return r->noise ? 0 : -ENOMEM;
}

/* Fills the samples with repetitions of a block of noise. */
static int fill_samples(struct row *row)
{
    const size_t all = row->plan.samples_bytes, block = BLOCK * sizeof(int16_t);
    int err = 0;
    for (size_t at = 0; err == 0 && at < all; at += block)
        err = fill(row, OPENCL_SAMPLES, at, row->r->noise, all - at < block ? all - at : block);
    return err;
}

static int fill_tables(struct row *row)
{
    void *tables = malloc(row->plan.tables_bytes + 1);
    if (!tables)
        return -ENOMEM;
    opencl_spectrum_tables(&row->plan, tables);
    const int err = fill(row, OPENCL_TABLES, 0, tables, row->plan.tables_bytes);
    free(tables);
    return err;
}

static int prepare(struct row *row)
{
    int err = build(row);
    if (err == 0)
        err = take(row, OPENCL_TABLES, row->plan.tables_bytes);
    if (err == 0)
        err = take(row, OPENCL_SCRATCH, row->plan.scratch_bytes);
    if (err == 0)
        err = take(row, OPENCL_RESULT, row->plan.result.bytes);
    if (err == 0)
        err = fill_tables(row);
    return err;
}

static int launch_batch(struct row *row, uint32_t frames)
{
    struct resident *r = row->r;
    struct opencl_launch next;
    int err = 0;
    for (uint32_t i = 0; err == 0 && opencl_spectrum_launch(&row->plan, 0, frames, i, &next); i++)
        err = opencl_kernels_launch(&row->kernels, r->queue, &next, &row->places, NULL, why_of(r));
    return err;
}

static int run(struct row *row, double *seconds)
{
    struct resident *r = row->r;
    const double began = contest_clock(true);
    int err = 0;
    for (int i = 0; err == 0 && i < LAUNCHED; i++)
        err = launch_batch(row, row->plan.spec.max_frames);
    if (err == 0)
        err = opencl_check(r->driver.finish(r->queue), "waiting for the device", why_of(r));
    *seconds = (contest_clock(true) - began) / LAUNCHED;
    return err;
}

/* The noise as cs16, repeated. */
static void reference_mean(const struct row *row, uint32_t frames, double *mean)
{
    const struct fft_spectrum_config *spec = &row->plan.spec;
    const size_t bytes = (size_t)spec->n * 2 * sizeof(int16_t);
    double *bins = malloc(spec->n * sizeof *bins);
    int16_t *frame = malloc(bytes);
    memset(mean, 0, spec->n * sizeof *mean);
    for (uint32_t f = 0; bins && frame && f < frames; f++) {
        for (size_t i = 0; i < (size_t)spec->n * 2; i++)
            frame[i] = row->r->noise[((size_t)f * spec->n * 2 + i) % BLOCK];
        reference_power(spec, frame, 0, bins);
        for (uint32_t k = 0; k < spec->n; k++)
            mean[k] += bins[k];
    }
    free(frame);
    free(bins);
}

static double distance(const float *got, const double *want, uint32_t n)
{
    double off = 0, all = 0;
    for (uint32_t k = 0; k < n; k++) {
        off += (got[k] - want[k]) * (got[k] - want[k]);
        all += want[k] * want[k];
    }
    return sqrt(off / all);
}

static int check(struct row *row, const double *want, uint32_t frames)
{
    struct resident *r = row->r;
    const uint32_t n = row->plan.spec.n;
    float *got = malloc(n * sizeof *got);
    int err = got ? launch_batch(row, frames) : -ENOMEM;
    if (err == 0)
        err =
            opencl_check(r->driver.read(r->queue, row->places.by_role[OPENCL_RESULT], 1,
                                        row->plan.result.sum, n * sizeof *got, got, 0, NULL, NULL),
                         "reading a result", why_of(r));
    if (err == 0)
        row->error = distance(got, want, n);
    free(got);
    return err;
}

static void drop(struct row *row)
{
    for (int i = 0; i < OPENCL_ROLES; i++)
        if (row->places.by_role[i] && i != OPENCL_SAMPLES)
            row->r->driver.buffer_release(row->places.by_role[i]);
    opencl_kernels_finish(&row->kernels);
}

/* Sets that fail take no further part. */
static void note(struct row *row, int err)
{
    if (err < 0 && row->err == 0)
        snprintf(row->why, sizeof row->why, "%.199s", row->r->why);
    row->err = row->err < 0 ? row->err : err;
}

static void measure(struct row *rows, int count)
{
    double warm;
    for (int i = 0; i < count; i++)
        if (rows[i].err == 0)
            note(&rows[i], run(&rows[i], &warm));
    for (int round = 0; round < RUNS; round++)
        for (int i = 0; i < count; i++)
            if (rows[i].err == 0)
                note(&rows[i], run(&rows[i], &rows[i].times[round]));
    for (int i = 0; i < count; i++)
        rows[i].seconds = contest_median(rows[i].times, RUNS);
}

static uint64_t samples_for(const struct opencl_profile *p, uint32_t n)
{
    const uint64_t capacity = p->alloc_bytes / 16;
    uint64_t samples = p->type == OPENCL_GPU ? most_samples : least_samples;
    while (samples > capacity && samples > least_samples)
        samples /= 2;
    return samples > n ? samples : n;
}

static int plan(struct row *row, const struct fft_spectrum_config *job, int set)
{
    const int err = opencl_spectrum_plan(&row->plan, &row->r->device.profile, job,
                                         &row->r->settings[set].choice);
    if (err < 0)
        snprintf(row->r->why, sizeof row->r->why, "no such plan");
    return err;
}

static void print(const struct row *row, const struct row *first)
{
    const struct fft_spectrum_config *spec = &row->plan.spec;
    char choice[128] = "";
    opencl_choice_print(&row->plan.choice, choice, sizeof choice);
    if (row->err < 0)
        printf("%8u %s\n", spec->n, row->why);
    else
        printf("%8u %10u %10.3f %8.3f %9.1e  %s\n", spec->n, spec->max_frames,
               1e-9 * (double)spec->n * spec->max_frames / row->seconds,
               first->seconds / row->seconds, row->error, choice);
    fflush(stdout);
}

static void prepare_all(struct row *rows, const struct fft_spectrum_config *job)
{
    struct resident *r = rows[0].r;
    const uint32_t frames = job->max_frames < CHECKED ? job->max_frames : CHECKED;
    struct _cl_mem *samples = NULL;
    double *want = malloc(job->n * sizeof *want);
    for (int i = 0; i < r->sets; i++) {
        rows[i].r = r;
        note(&rows[i], want ? plan(&rows[i], job, i) : -ENOMEM);
        if (rows[i].err < 0)
            continue;
        if (!samples) {
            reference_mean(&rows[i], frames, want);
            note(&rows[i], take(&rows[i], OPENCL_SAMPLES, rows[i].plan.samples_bytes));
            samples = rows[i].places.by_role[OPENCL_SAMPLES];
            if (samples)
                note(&rows[i], fill_samples(&rows[i]));
        }
        rows[i].places.by_role[OPENCL_SAMPLES] = samples;
        if (rows[i].err == 0)
            note(&rows[i], prepare(&rows[i]));
        if (rows[i].err == 0)
            note(&rows[i], check(&rows[i], want, frames));
    }
    free(want);
}

static int print_rows(struct resident *r, uint32_t n)
{
    const char *detectors = getenv("DETECTORS");
    float *window = malloc(n * sizeof *window);
    struct row *rows = calloc(MAX_SETS, sizeof *rows);
    int err = 0;
    if (!window || !rows)
        return -ENOMEM;
    for (uint32_t i = 0; i < n; i++)
        window[i] = 1.0F / (float)n;
    const struct fft_spectrum_config job = {
        .n = n,
        .hop = n,
        .max_frames = (uint32_t)(samples_for(&r->device.profile, n) / n),
        .depth = 1,
        .format = FFT_IQ_CS16,
        .detectors =
            FFT_DETECTOR_MEAN |
            (detectors && strcmp(detectors, "all") == 0 ? FFT_DETECTOR_MAX | FFT_DETECTOR_MIN : 0),
        .window = window,
    };
    rows[0].r = r;
    prepare_all(rows, &job);
    measure(rows, r->sets);
    for (int i = 0; i < r->sets; i++) {
        print(&rows[i], &rows[0]);
        err = err < 0 ? err : rows[i].err;
    }
    struct _cl_mem *samples = NULL;
    for (int i = 0; i < r->sets; i++) {
        samples = samples ? samples : rows[i].places.by_role[OPENCL_SAMPLES];
        drop(&rows[i]);
    }
    if (samples)
        r->driver.buffer_release(samples);
    free(rows);
    free(window);
    return err;
}

int main(int argc, char **argv)
{
    static const char all[] = "256 512 1024 2048 4096 8192 16384 65536 1048576";
    static struct resident r;
    const char *at = getenv("SIZES");
    char *end;
    int failed = 0;
    if (open_device(&r, argc > 1 ? argv[1] : "", argv + 2, argc > 2 ? argc - 2 : 0) < 0 ||
        make_noise(&r) < 0) {
        fprintf(stderr, "%s: %s\n", argv[0], r.why);
        return EXIT_FAILURE;
    }
    printf("%s\n       n     frames       GS/s    times     error  plan\n", r.device.identity);
    for (at = at ? at : all;; at = end) {
        const unsigned long n = strtoul(at, &end, 10);
        if (end == at)
            break;
        failed |= print_rows(&r, (uint32_t)n) < 0;
    }
    free(r.noise);
    opencl_queue_destroy(&r.device, r.queue);
    opencl_device_close(&r.device);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
