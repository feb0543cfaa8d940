/*
 * resident.c - opencl-bench-resident: times the opencl engine's kernels on samples in device
 * memory, without a bus.
 *
 *     opencl-bench-resident [DEVICE [OPTIONS]]     as in --engine opencl:DEVICE and --options
 *
 * The input is cs16 without overlap, at least a mebisample and at most a quarter of the largest
 * buffer; the result is the mean of all frames. Each row is the median of several runs; each run
 * ends with one wait.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/contest.h"
#include "fft/opencl/opencl_kernels.h"
#include "fft/opencl/opencl_settings.h"

enum { RUNS = 9, LAUNCHED = 4 /* batches a run */ };

static const uint64_t most_samples = (uint64_t)1 << 28, least_samples = (uint64_t)1 << 20;

struct resident {
    struct opencl_driver driver;
    struct opencl_settings settings;
    struct opencl_cache cache;
    struct opencl_device device;
    struct _cl_command_queue *queue;
    char why[400];
};

/* The measurement of one size. */
struct row {
    struct resident *r;
    struct opencl_spectrum plan;
    struct opencl_kernels kernels;
    struct opencl_buffers places;
    double seconds; /* of a batch */
};

static struct fft_reason why_of(struct resident *r)
{
    return (struct fft_reason){r->why, sizeof r->why};
}

static int open_device(struct resident *r, const char *name, const char *options)
{
    struct opencl_search search;
    int err = opencl_settings_parse(&r->settings, options, why_of(r));
    if (err == 0)
        err = opencl_driver_load(&r->driver, why_of(r));
    if (err == 0)
        err = opencl_search(&search, &r->driver, name, false, why_of(r));
    if (err != 0)
        return err;
    opencl_cache_open(&r->cache, r->settings.cache);
    uint32_t first = 0;
    while (!search.found[first].eligible)
        first++;
    err = opencl_device_open(&r->device, &r->driver, &search.found[first], &r->cache,
                             r->settings.profile, why_of(r));
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

/* Fills the samples with repetitions of a block of noise. */
static int fill_samples(struct row *row)
{
    enum { BLOCK = 1 << 22 };
    const size_t all = row->plan.samples_bytes, block = BLOCK * sizeof(int16_t);
    int16_t *samples = malloc(block);
    uint32_t state = 1;
    int err = samples ? 0 : -ENOMEM;
    for (size_t i = 0; samples && i < BLOCK; i++) {
        state = state * 1664525U + 1013904223U;
        samples[i] = (int16_t)((int32_t)state >> 18);
    }
    for (size_t at = 0; err == 0 && at < all; at += block)
        err = fill(row, OPENCL_SAMPLES, at, samples, all - at < block ? all - at : block);
    free(samples);
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
        err = take(row, OPENCL_SAMPLES, row->plan.samples_bytes);
    if (err == 0)
        err = take(row, OPENCL_TABLES, row->plan.tables_bytes);
    if (err == 0)
        err = take(row, OPENCL_SCRATCH, row->plan.scratch_bytes);
    if (err == 0)
        err = take(row, OPENCL_RESULT, row->plan.result.bytes);
    if (err == 0)
        err = fill_tables(row);
    return err < 0 ? err : fill_samples(row);
}

static int launch_batch(struct row *row)
{
    struct resident *r = row->r;
    struct opencl_launch next;
    int err = 0;
    for (uint32_t i = 0;
         err == 0 && opencl_spectrum_launch(&row->plan, 0, row->plan.spec.max_frames, i, &next);
         i++)
        err = opencl_kernels_launch(&row->kernels, r->queue, &next, &row->places, NULL, why_of(r));
    return err;
}

static int run(struct row *row, double *seconds)
{
    struct resident *r = row->r;
    const double began = contest_clock(true);
    int err = 0;
    for (int i = 0; err == 0 && i < LAUNCHED; i++)
        err = launch_batch(row);
    if (err == 0)
        err = opencl_check(r->driver.finish(r->queue), "waiting for the device", why_of(r));
    *seconds = (contest_clock(true) - began) / LAUNCHED;
    return err;
}

static int measure(struct row *row)
{
    double warm, seconds[RUNS];
    int err = prepare(row);
    if (err == 0)
        err = run(row, &warm);
    for (int i = 0; err == 0 && i < RUNS; i++)
        err = run(row, &seconds[i]);
    if (err == 0)
        row->seconds = contest_median(seconds, RUNS);
    return err;
}

static void drop(struct row *row)
{
    for (int i = 0; i < OPENCL_ROLES; i++)
        if (row->places.by_role[i])
            row->r->driver.buffer_release(row->places.by_role[i]);
    opencl_kernels_finish(&row->kernels);
}

static uint64_t samples_for(const struct opencl_profile *p, uint32_t n)
{
    const uint64_t capacity = p->alloc_bytes / 16;
    uint64_t samples = p->type == OPENCL_GPU ? most_samples : least_samples;
    while (samples > capacity && samples > least_samples)
        samples /= 2;
    return samples > n ? samples : n;
}

static int print_row(struct resident *r, uint32_t n)
{
    float *window = malloc(n * sizeof *window);
    struct row row = {.r = r};
    char choice[128] = "";
    if (!window)
        return -ENOMEM;
    for (uint32_t i = 0; i < n; i++)
        window[i] = 1.0F / (float)n;
    const struct fft_spectrum_config job = {
        .n = n,
        .hop = n,
        .max_frames = (uint32_t)(samples_for(&r->device.profile, n) / n),
        .depth = 1,
        .format = FFT_IQ_CS16,
        .detectors = FFT_DETECTOR_MEAN,
        .window = window,
    };
    int err = opencl_spectrum_plan(&row.plan, &r->device.profile, &job, &r->settings.choice);
    if (err == 0)
        err = measure(&row);
    else
        snprintf(r->why, sizeof r->why, "no such plan");
    opencl_choice_print(&row.plan.choice, choice, sizeof choice);
    if (err == 0)
        printf("%8u %10u %10.3f  %s\n", n, job.max_frames,
               1e-9 * (double)n * job.max_frames / row.seconds, choice);
    else
        printf("%8u %s\n", n, r->why);
    fflush(stdout);
    drop(&row);
    free(window);
    return err;
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {256, 512, 1024, 2048, 4096, 8192, 16384, 65536, 1 << 20};
    static struct resident r;
    int failed = 0;
    if (open_device(&r, argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : NULL) < 0) {
        fprintf(stderr, "%s: %s\n", argv[0], r.why);
        return EXIT_FAILURE;
    }
    printf("%s\n       n     frames       GS/s  plan\n", r.device.identity);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        failed |= print_row(&r, sizes[i]) < 0;
    opencl_queue_destroy(&r.device, r.queue);
    opencl_device_close(&r.device);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
