/* daemon.c - runs fftd at each size and takes the difference of two readings. */
#include "bench/daemon/daemon.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/daemon/viewer.h"
#include "bench/message.h"
#include "fft/monotonic.h"

enum { START_MS = 60000, SETTLE_MS = 1500, QUICK_MS = 300, POLL_MS = 50, ARGUMENTS = 100 };

struct arguments {
    char text[ARGUMENTS][96];
    char *list[ARGUMENTS + 1];
    size_t count;
};

__attribute__((format(printf, 2, 3))) static void add(struct arguments *a, const char *format, ...);

/* What does not fit is a mistake of this program: the options are few. */
static void add(struct arguments *a, const char *format, ...)
{
    va_list values;
    if (a->count == ARGUMENTS)
        return;
    va_start(values, format);
    vsnprintf(a->text[a->count], sizeof a->text[0], format, values);
    va_end(values);
    a->list[a->count] = a->text[a->count];
    a->count++;
}

/* Ten measurements, around the carrier of the simulation's scene. `w` is their usual width. */
static void add_measurements(struct arguments *a, const struct options *o)
{
    const double center = 100e6, w = o->rate_hz / 20;
    static const char *const plain[] = {"peaks",
                                        "obw",
                                        "marker,name=strongest",
                                        "noise-marker,frequency=100M",
                                        "bandwidth",
                                        "frequency-counter"};
    for (uint32_t i = 0; i < o->measurements; i++) {
        add(a, "--measure");
        if (i < 6)
            add(a, "%s", plain[i]);
        else if (i == 6)
            add(a, "channel-power,center=%.0f,width=%.0f", center, w);
        else if (i == 7)
            add(a, "acpr,center=%.0f,width=%.0f,offsets=%.0f", center, w, 1.5 * w);
        else if (i == 8)
            add(a, "snr,center=%.0f,width=%.0f", center, w);
        else
            add(a, "band-power,start=%.0f,stop=%.0f", center - w, center + w);
    }
}

/* An open channel has a squelch that everything opens. Returns 0, or -errno. */
static int write_channels(const char *path, const struct options *o)
{
    const uint32_t count = o->channels_open + o->channels_armed;
    FILE *file = fopen(path, "w");
    if (!file)
        return -errno;
    for (uint32_t i = 0; i < count; i++) {
        const double center = 100e6 + ((i + 0.5) / count - 0.5) * 0.98 * o->rate_hz;
        /* spread evenly among the armed ones */
        const bool open =
            (uint64_t)(i + 1) * o->channels_open / count > (uint64_t)i * o->channels_open / count;
        fprintf(file, "[channel c%u]\ncenter = %.0f\nrate = %.0f\npre = 50ms\nsquelch = %s\n", i,
                center, o->channel_rate_hz, open ? "level -200" : "6");
    }
    return fclose(file) == 0 ? 0 : -EIO;
}

static void add_all(struct arguments *a, const struct options *o, uint32_t n, uint32_t hop)
{
    add(a, "--source");
    add(a, "sim");
    add(a, "--device=copy=no");
    add(a, "--format=%s", fft_iq_name(o->format));
    add(a, "--center=100M");
    add(a, "--rate=%.0f", o->rate_hz);
    add(a, "--fft-size=%u", n);
    add(a, "--overlap=%.9g", 100.0 * (n - hop) / n);
    add(a, "--engine=%s", o->engine);
    add(a, "--threads=%u", o->threads);
    if (o->isa)
        add(a, "--isa=%s", o->isa);
    if (o->columns)
        add(a, "--density-columns=%u", o->columns);
    if (o->columns)
        add(a, "--density-levels=%u", o->levels);
    add_measurements(a, o);
    for (char *const *more = o->rest; *more; more++)
        add(a, "%s", *more);
}

static void sleep_ms(int64_t ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000 * 1000000)},
              NULL);
}

/* Asks until there are lines. */
static int wait_for_lines(struct process *p, char *status)
{
    for (int waited = 0; waited < START_MS; waited += POLL_MS) {
        if (process_ended(p))
            return -EIO;
        if (process_get(p, "/api/v1/status", status, PROCESS_STATUS) == 0 &&
            process_number(status, "ledger", "lines") >= 2)
            return 0;
        sleep_ms(POLL_MS);
    }
    bench_error("fftd made no line within %d s", START_MS / 1000);
    return -ETIMEDOUT;
}

/* ---- readings --------------------------------------------------------------------------- */

/* The number after a name in Prometheus's text; 0: there is none. */
static double metric(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtod(at + strlen(name), NULL) : 0;
}

static int read_now(struct process *p, const struct viewer *v, char *status, struct daemon_row *out)
{
    const int err = process_get(p, "/api/v1/status", status, PROCESS_STATUS);
    out->seconds = (double)fft_now_ns() * 1e-9;
    if (err < 0) {
        if (!process_ended(p))
            bench_error("fftd's status: %s", strerror(-err));
        return err;
    }
    process_times(p, &out->times);
    process_text(status, "engine", "name", out->engine, sizeof out->engine);
    out->samples = process_number(status, "ledger", "seen");
    out->frames = process_number(status, "ledger", "frames");
    out->lines = process_number(status, "ledger", "lines");
    out->folded = process_number(status, "ledger", "folded");
    out->overflow = process_number(status, "lost", "overflow");
    out->overrun = process_number(status, "lost", "overrun");
    out->gap = process_number(status, "lost", "gap");
    out->retune = process_number(status, "lost", "retune");
    out->tail = process_number(status, "lost", "tail");
    out->ring_mib = process_number(status, "ledger", "ring_bytes") / (1 << 20);
    out->memory_mib = process_memory_mib(p);
    if (process_get(p, "/metrics", status, PROCESS_STATUS) == 0)
        out->channels_missed = metric(status, "\nfftd_channel_missed_samples_total ");
    out->viewer_lines = (double)atomic_load(&v->lines);
    out->viewer_densities = (double)atomic_load(&v->densities);
    return 0;
}

/* Losses are those since the start: none is forgiven. */
static void subtract(struct daemon_row *row, const struct daemon_row *before)
{
    row->seconds -= before->seconds;
    row->samples -= before->samples;
    row->frames -= before->frames;
    row->lines -= before->lines;
    row->viewer_lines -= before->viewer_lines;
    row->viewer_densities -= before->viewer_densities;
    for (uint32_t i = 0; i < row->times.count; i++)
        for (uint32_t k = 0; k < before->times.count; k++)
            if (strcmp(row->times.thread[i].name, before->times.thread[k].name) == 0)
                row->times.thread[i].seconds -= before->times.thread[k].seconds;
}

/* Density begins with a new plan, whose lines must not count. */
static int wait_for_density(struct process *p, const struct viewer *v)
{
    for (int waited = 0; waited < START_MS; waited += POLL_MS) {
        if (process_ended(p))
            return -EIO;
        if (atomic_load(&v->densities) > 0)
            return 0;
        sleep_ms(POLL_MS);
    }
    bench_error("fftd sent no density within %d s", START_MS / 1000);
    return -ETIMEDOUT;
}

static int measure(struct process *p, const struct options *o, struct daemon_row *row)
{
    struct daemon_row before = *row;
    struct viewer viewer = {0};
    char *status = malloc(PROCESS_STATUS);
    int err = status ? wait_for_lines(p, status) : -ENOMEM;
    if (err == 0 && !o->no_viewer)
        err = viewer_start(&viewer, p, o->columns > 0);
    if (err == 0 && !o->no_viewer && o->columns > 0)
        err = wait_for_density(p, &viewer);
    if (err == 0) {
        sleep_ms(o->quick ? QUICK_MS : SETTLE_MS);
        err = read_now(p, &viewer, status, &before);
    }
    if (err == 0) {
        sleep_ms(o->quick ? QUICK_MS : 1000 * (int64_t)o->seconds);
        err = read_now(p, &viewer, status, row);
    }
    if (err == 0)
        subtract(row, &before);
    viewer_stop(&viewer);
    free(status);
    return err;
}

static double load_average(void)
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

static int run(const struct options *o, uint32_t n, bool first)
{
    struct process process = {0};
    struct arguments arguments = {.count = 0};
    struct daemon_row row = {.n = n, .hop = o->hop ? o->hop : n / 4, .load = load_average()};
    if (row.hop > n) {
        bench_error("--hop %u is longer than a frame of %u", row.hop, n);
        return -EINVAL;
    }
    char channels[] = "/tmp/fft-bench-channels-XXXXXX";
    const bool has_channels = o->channels_open + o->channels_armed > 0;
    const int fd = has_channels ? mkstemp(channels) : -1;
    int err = !has_channels ? 0 : fd < 0 ? -errno : write_channels(channels, o);
    if (fd >= 0)
        close(fd);
    if (err < 0)
        bench_error("%s: %s", channels, strerror(-err));
    if (has_channels)
        add(&arguments, "-c%s", channels);
    add_all(&arguments, o, n, row.hop);
    if (err == 0)
        err = process_start(&process, o->fftd, arguments.list);
    if (err == 0)
        err = measure(&process, o, &row);
    process_finish(&process);
    if (fd >= 0)
        unlink(channels);
    if (err == 0)
        daemon_row_print(o, &row, first);
    return err;
}

int bench_daemon(const struct options *o)
{
    int err = 0;
    if (o->json)
        printf("[");
    for (uint32_t i = 0; err == 0 && i < o->count; i++)
        err = run(o, o->sizes[i].n[0], i == 0);
    if (o->json)
        printf("\n]\n");
    return err;
}
