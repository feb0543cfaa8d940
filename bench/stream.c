/* stream.c - runs streams of batches, and single frames, and prints how long they take. */
#include "bench/stream.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { RING_BYTES = 256 << 20, LATENCIES = 2000 };

static const double run_seconds = 1.0;

double stream_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Prints "PROGRAM: what: why"; why: NULL or "" for the text of -err. Returns err. */
static int say(const char *what, int err, const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what,
            why && *why ? why : strerror(-err));
    return err;
}

/* ---- the ring --------------------------------------------------------------------------- */

/* Maps the same memory twice, like the daemon's ring, and fills it with noise. */
static unsigned char *make_ring(void)
{
    const int fd = memfd_create("stream", MFD_CLOEXEC);
    unsigned char *ring =
        mmap(NULL, 2 * (size_t)RING_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fd < 0 || ring == MAP_FAILED || ftruncate(fd, RING_BYTES) < 0)
        return NULL;
    for (int half = 0; half < 2; half++) {
        if (mmap(ring + (size_t)half * RING_BYTES, RING_BYTES, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0) == MAP_FAILED)
            return NULL;
    }
    uint32_t state = 1;
    for (size_t i = 0; i < RING_BYTES; i += 4) {
        state = state * 1664525U + 1013904223U;
        memcpy(ring + i, &state, 4);
    }
    close(fd);
    return ring;
}

/* ---- the bus ---------------------------------------------------------------------------- */

/* *best: bytes a second. */
static int measure_bus(const struct stream_bench *bench, struct fft_engine *e, double *best)
{
    static const size_t chunks[] = {1 << 20, 4 << 20, 16 << 20, 64 << 20};
    char why[200] = "";
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        double rate = 0;
        const int err = bench->bus_rate(e, chunks[i], &rate, (struct fft_reason){why, sizeof why});
        if (err < 0)
            return say("bus", err, why);
        *best = rate > *best ? rate : *best;
        printf("bus      chunk %6zu KiB                          %7.2f GB/s\n", chunks[i] >> 10,
               1e-9 * rate);
    }
    return 0;
}

/* ---- streams ---------------------------------------------------------------------------- */

struct job {
    uint32_t n, hop, depth;
    size_t batch_bytes; /* new bytes of a batch, without overlap */
    enum fft_iq_format format;
};

static int create(struct fft_spectrum **s, struct fft_engine *e, const struct job *job,
                  const unsigned char *ring)
{
    const size_t sample = fft_iq_bytes(job->format);
    const size_t frames = job->batch_bytes / (job->hop * sample);
    float *window = malloc(job->n * sizeof *window);
    char why[200] = "";
    for (uint32_t i = 0; window && i < job->n; i++)
        window[i] = 1.0F / (float)job->n;
    const struct fft_spectrum_config plan = {.n = job->n,
                                             .hop = job->hop,
                                             .max_frames = frames ? (uint32_t)frames : 1,
                                             .depth = job->depth,
                                             .format = job->format,
                                             .detectors = FFT_DETECTOR_MEAN,
                                             .window = window,
                                             .memory = ring,
                                             .memory_bytes = RING_BYTES};
    const int err = window ? fft_spectrum_create(s, e, &plan, why, sizeof why) : -ENOMEM;
    free(window);
    return err < 0 ? say("spectrum", err, why) : (int)plan.max_frames;
}

/* Runs batches for a fixed time. *rate: samples of the stream a second. */
static int run(struct fft_spectrum *s, const struct job *job, uint32_t frames,
               const unsigned char *ring, double *rate)
{
    const uint64_t advance = (uint64_t)frames * job->hop,
                   ring_samples = RING_BYTES / fft_iq_bytes(job->format);
    struct fft_partial p;
    uint64_t position = 0, done = 0;
    double began = stream_now();
    bool warm = false;
    for (int err = 0;;) {
        err = fft_spectrum_submit(s, ring + position % ring_samples * fft_iq_bytes(job->format),
                                  position, frames, 0);
        if (err == 0) {
            position += advance;
            continue;
        }
        if (err == -EAGAIN)
            err = fft_spectrum_poll(s, &p, -1);
        if (err < 0)
            return err;
        fft_spectrum_release(s);
        done++;
        if (!warm && stream_now() - began > 0.2) {
            warm = true;
            done = 0;
            began = stream_now();
        }
        if (warm && stream_now() - began > run_seconds)
            break;
    }
    *rate = (double)(done * advance) / (stream_now() - began);
    return 0;
}

static int measure_stream(struct fft_engine *e, const struct job *job, const unsigned char *ring,
                          double bus)
{
    struct fft_spectrum *s = NULL;
    double rate = 0;
    const int frames = create(&s, e, job, ring);
    if (frames < 0)
        return frames;
    const int err = run(s, job, (uint32_t)frames, ring, &rate);
    if (err < 0)
        say("stream", err, fft_spectrum_last_error(s));
    else
        printf("stream   n %7u hop %7u %-4s batch %6zu KiB depth %u  %7.3f GS/s  %5.1f %% of the "
               "bus %s\n",
               job->n, job->hop, fft_iq_name(job->format), job->batch_bytes >> 10, job->depth,
               1e-9 * rate, 100 * rate * (double)fft_iq_bytes(job->format) / bus,
               fft_spectrum_note(s));
    fflush(stdout);
    fft_spectrum_destroy(s);
    return err;
}

/* ---- latency ---------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int measure_latency(struct fft_engine *e, uint32_t n, enum fft_iq_format format,
                           const unsigned char *ring)
{
    const struct job job = {
        .n = n, .hop = n, .depth = 1, .batch_bytes = n * fft_iq_bytes(format), .format = format};
    static double took[LATENCIES];
    struct fft_spectrum *s = NULL;
    struct fft_partial p;
    int err = create(&s, e, &job, ring);
    for (uint32_t i = 0; err >= 0 && i < LATENCIES; i++) {
        const double began = stream_now();
        err =
            fft_spectrum_submit(s, ring + (size_t)i % 64 * job.batch_bytes, (uint64_t)i * n, 1, 0);
        if (err == 0)
            err = fft_spectrum_poll(s, &p, -1);
        took[i] = stream_now() - began;
        fft_spectrum_release(s);
    }
    if (err < 0)
        say("latency", err, s ? fft_spectrum_last_error(s) : "");
    fft_spectrum_destroy(s);
    if (err < 0)
        return err;
    qsort(took, LATENCIES, sizeof took[0], ascending);
    printf("latency  n %7u %-4s  one frame                  %7.1f us median, %.1f at best, %.1f 99 "
           "%%\n",
           n, fft_iq_name(format), 1e6 * took[LATENCIES / 2], 1e6 * took[0],
           1e6 * took[LATENCIES * 99 / 100]);
    return 0;
}

/* ---- all runs --------------------------------------------------------------------------- */

static int measure_all(struct fft_engine *e, const unsigned char *ring, double bus,
                       bool latency_alone)
{
    static const struct job jobs[] = {
        {4096, 4096, 4, 1 << 20, FFT_IQ_CS16},       {4096, 4096, 4, 4 << 20, FFT_IQ_CS16},
        {4096, 4096, 4, 16 << 20, FFT_IQ_CS16},      {4096, 4096, 2, 16 << 20, FFT_IQ_CS16},
        {4096, 1024, 4, 16 << 20, FFT_IQ_CS16},      {4096, 1024, 4, 4 << 20, FFT_IQ_CS16},
        {1024, 256, 4, 16 << 20, FFT_IQ_CS16},       {65536, 16384, 4, 16 << 20, FFT_IQ_CS16},
        {1048576, 262144, 4, 16 << 20, FFT_IQ_CS16}, {4096, 4096, 4, 16 << 20, FFT_IQ_CU8},
        {4096, 1024, 4, 16 << 20, FFT_IQ_CU8},       {4096, 4096, 4, 16 << 20, FFT_IQ_CF32},
        {4096, 4093, 4, 16 << 20, FFT_IQ_CS16},      {4096, 4096, 8, 64 << 10, FFT_IQ_CS16},
    };
    static const uint32_t sizes[] = {256, 1024, 4096, 16384, 65536};
    int err = 0;
    for (size_t i = 0; !latency_alone && err == 0 && i < sizeof jobs / sizeof jobs[0]; i++)
        err = measure_stream(e, &jobs[i], ring, bus);
    for (size_t i = 0; err == 0 && i < sizeof sizes / sizeof sizes[0]; i++)
        err = measure_latency(e, sizes[i], FFT_IQ_CS16, ring);
    return err;
}

int stream_main(const struct stream_bench *bench, int argc, char **argv)
{
    const struct engine_ops *const list[] = {bench->engine, NULL};
    const char *device = argc > 1 ? argv[1] : bench->device;
    char name[80], why[400];
    struct fft_engine *e = NULL;
    double bus = 0;

    snprintf(name, sizeof name, "%s%s%s", bench->engine->name, device ? ":" : "",
             device ? device : "");
    const struct fft_engine_config config = {.name = name};
    unsigned char *ring = make_ring();
    if (!ring)
        return say("ring", -ENOMEM, NULL) != 0;
    int err = fft_engine_open_from(list, &config, &e, (struct fft_reason){why, sizeof why});
    if (err < 0)
        return say("engine", err, why) != 0;
    err = measure_bus(bench, e, &bus);
    if (err == 0)
        err = measure_all(e, ring, bus, argc > 2 && strcmp(argv[2], "latency") == 0);
    printf("%s\n", fft_engine_describe(e));
    fft_engine_close(e);
    return err < 0;
}
