#include "daemon/output/output.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/log.h"
#include "daemon/base/out_file.h"

enum { WAIT_MS = 100, BUSY_WAIT_MS = 20, PIPE_CHUNK = 4096, FILE_CHUNK = 1 << 20 };

/* Lines that wait to become one row. */
struct pending {
    struct line *newest; /* held */
    uint32_t lines;
    uint64_t first_sample, end_sample, frames;
    int64_t time_ns;
    double *sum;  /* [n] mean: power * frames */
    float *power; /* [n] the others */
    uint32_t n;
};

struct output {
    struct output_config config;
    int fd;
    size_t chunk; /* what one write may take without blocking, once poll says so */
    uv_thread_t thread;
    uv_sem_t begin;
    bool running;
    atomic_bool stop;

    /* the thread's */
    struct line_reader reader;
    struct text text;
    size_t written; /* of text */
    struct pending pending;

    uv_mutex_t lock;
    struct output_report report; /* under lock */
};

/* ---- the pending --------------------------------------------------------------------------- */

static int pending_resize(struct pending *p, uint32_t n)
{
    if (p->n == n)
        return 0;
    free(p->sum);
    free(p->power);
    p->sum = calloc(n, sizeof *p->sum);
    p->power = calloc(n, sizeof *p->power);
    p->n = p->sum && p->power ? n : 0;
    return p->n ? 0 : -ENOMEM;
}

static float pick(unsigned trace_index, float old, float new_power)
{
    switch (1U << trace_index) {
    case FFT_TRACE_MAX:
        return new_power > old ? new_power : old;
    case FFT_TRACE_MIN:
        return new_power < old ? new_power : old;
    default:
        return new_power;
    }
}

static void pending_fold(struct pending *p, const struct line *line, unsigned trace_index)
{
    const float *power = line->trace[trace_index];
    const double frames = (double)line->frames;
    for (uint32_t k = 0; k < line->n; k++) {
        p->sum[k] = (p->lines ? p->sum[k] : 0) + (double)power[k] * frames;
        p->power[k] = p->lines ? pick(trace_index, p->power[k], power[k]) : power[k];
    }
}

/* Takes the line over. */
static int pending_add(struct output *o, struct line *line)
{
    struct pending *p = &o->pending;
    const int err = pending_resize(p, line->n);
    if (err < 0) {
        line_drop(o->config.lines, line);
        return err;
    }
    if (p->lines == 0) {
        p->first_sample = line->first_sample;
        p->time_ns = line->time_ns;
        p->frames = 0;
    }
    pending_fold(p, line, o->config.trace_index);
    p->frames += line->frames;
    p->end_sample = line->first_sample + line->sample_count;
    p->lines++;
    line_drop(o->config.lines, p->newest);
    p->newest = line;
    return 0;
}

static const float *pending_power(struct pending *p, unsigned trace_index)
{
    if (p->lines == 1)
        return p->newest->trace[trace_index];
    for (uint32_t k = 0; 1U << trace_index == FFT_TRACE_MEAN && k < p->n; k++)
        p->power[k] = (float)(p->sum[k] / (double)p->frames);
    return p->power;
}

/* ---- rows ------------------------------------------------------------------------------- */

static void make_row(struct output *o)
{
    struct pending *p = &o->pending;
    const struct row row = {.line = p->newest,
                            .power = pending_power(p, o->config.trace_index),
                            .trace_index = o->config.trace_index,
                            .first_sample = p->first_sample,
                            .sample_count = p->end_sample - p->first_sample,
                            .frames = p->frames,
                            .time_ns = p->time_ns,
                            .merged = p->lines};
    text_clear(&o->text);
    o->written = 0;
    o->config.row(&o->text, &row);
    uv_mutex_lock(&o->lock);
    o->report.rows++;
    o->report.folded += p->lines - 1;
    uv_mutex_unlock(&o->lock);
    line_drop(o->config.lines, p->newest);
    p->newest = NULL;
    p->lines = 0;
}

static bool has_unwritten(const struct output *o)
{
    return o->written < o->text.length;
}

/* ---- the file --------------------------------------------------------------------------- */

/* A FIFO that nobody reads yet is no error: fd stays -1, the rows wait for its reader. */
static int open_path(struct output *o)
{
    struct stat st;
    const int fd = out_file_open(o->config.path);
    if (fd < 0)
        return fd == -ENXIO ? 0 : fd;
    o->fd = fd;
    o->chunk = fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode) ? FILE_CHUNK : PIPE_CHUNK;
    return 0;
}

/* Has the FIFO a reader now? */
static int retry_open(struct output *o, int timeout_ms)
{
    const int err = open_path(o);
    if (err == 0 && o->fd < 0)
        uv_sleep((unsigned)timeout_ms);
    return err;
}

/* Writes what the reader takes without making us wait longer than timeout_ms. */
static int flush(struct output *o, int timeout_ms)
{
    if (o->fd < 0) {
        const int err = retry_open(o, timeout_ms);
        if (err < 0 || o->fd < 0)
            return err;
    }
    while (has_unwritten(o)) {
        struct pollfd ready = {.fd = o->fd, .events = POLLOUT};
        if (poll(&ready, 1, timeout_ms) <= 0)
            return 0; /* also when a signal came: without room a write might wait for ever */
        if (ready.revents & (POLLERR | POLLNVAL))
            return -EPIPE;
        const size_t left = o->text.length - o->written;
        const ssize_t sent =
            write(o->fd, o->text.data + o->written, left < o->chunk ? left : o->chunk);
        if (sent < 0 && errno != EINTR && errno != EAGAIN)
            return -errno;
        o->written += sent > 0 ? (size_t)sent : 0;
    }
    return 0;
}

/* ---- the thread ------------------------------------------------------------------------- */

/* In replay a line stays in the ring until the row before it is written. */
static bool can_read_line(const struct output *o)
{
    return !has_unwritten(o) || !o->config.lossless;
}

/* Lines of one row are of one size, one place in the spectrum and one count of samples. */
static bool can_fold(const struct line *a, const struct line *b)
{
    return a->n == b->n && a->epoch == b->epoch && a->tuning.center_hz - b->tuning.center_hz == 0 &&
           a->tuning.rate_hz - b->tuning.rate_hz == 0;
}

/* What cannot be folded with the newest line is given up, and counted. */
static void discard_pending(struct output *o)
{
    uv_mutex_lock(&o->lock);
    o->report.missed += o->pending.lines;
    uv_mutex_unlock(&o->lock);
    line_drop(o->config.lines, o->pending.newest);
    o->pending.newest = NULL;
    o->pending.lines = 0;
}

static int add_line(struct output *o, struct line *line)
{
    if (o->pending.lines > 0 && !can_fold(o->pending.newest, line))
        discard_pending(o);
    const int err = pending_add(o, line);
    if (err == 0 && !has_unwritten(o))
        make_row(o);
    return o->text.failed ? -ENOMEM : err;
}

/* Writes what it can, then takes every line that waits: those that cannot be written are folded. */
static int run_once(struct output *o, bool *closed)
{
    int err = flush(o, o->config.lossless ? WAIT_MS : BUSY_WAIT_MS);
    if (err == 0 && !has_unwritten(o) && o->pending.lines > 0)
        make_row(o);
    int wait_ms = has_unwritten(o) ? 0 : WAIT_MS;
    while (err == 0 && can_read_line(o)) {
        struct line *line = line_reader_next(&o->reader, wait_ms, closed);
        if (!line)
            break;
        err = add_line(o, line);
        wait_ms = 0;
    }
    return err;
}

static int finish_writing(struct output *o)
{
    int err = flush(o, WAIT_MS);
    while (err == 0 && (has_unwritten(o) || o->pending.lines > 0) && !atomic_load(&o->stop)) {
        if (!has_unwritten(o))
            make_row(o);
        err = flush(o, WAIT_MS);
    }
    return err;
}

static void output_thread(void *arg)
{
    struct output *o = arg;
    bool closed = false;
    int err = 0;
    uv_sem_wait(&o->begin);
    while (err == 0 && !closed && !atomic_load(&o->stop))
        err = run_once(o, &closed);
    if (err == 0)
        err = finish_writing(o);
    line_drop(o->config.lines, o->pending.newest);
    o->pending.newest = NULL;
    if (o->fd >= 0)
        close(o->fd); /* a reader of the pipe sees its end */
    o->fd = -1;
    uv_mutex_lock(&o->lock);
    o->report.ended = true;
    o->report.error = err;
    o->report.missed += line_reader_missed(&o->reader);
    uv_mutex_unlock(&o->lock);
    line_reader_leave(&o->reader);
    if (err < 0 && err != -EPIPE)
        log_error("%s: %s", o->config.path, strerror(-err));
    if (o->config.ended)
        o->config.ended(o->config.user);
}

/* ---- the loop thread's side ------------------------------------------------------------- */

int output_start(struct output **out, const struct output_config *config, char *error,
                 size_t error_size)
{
    struct output *o = calloc(1, sizeof *o);
    *out = NULL;
    if (!o || uv_mutex_init(&o->lock) < 0 || uv_sem_init(&o->begin, 0) < 0) {
        free(o);
        return -ENOMEM;
    }
    o->config = *config;
    o->fd = -1;
    int err = open_path(o);
    if (err < 0)
        snprintf(error, error_size, "%s: %s", config->path, strerror(-err));
    if (err == 0) {
        line_reader_join(&o->reader, config->lines, config->lossless);
        err = uv_thread_create(&o->thread, output_thread, o);
        o->running = err == 0;
    }
    if (err < 0) {
        output_destroy(o);
        return err;
    }
    *out = o;
    return 0;
}

int output_start_writing(struct output *o)
{
    struct stat st;
    const bool named = strcmp(o->config.path, "-") != 0; /* standard output's file is the shell's */
    int err = 0;
    if (named && o->fd >= 0 && fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode))
        err = ftruncate(o->fd, 0) < 0 ? -errno : 0;
    uv_sem_post(&o->begin);
    return err;
}

void output_report(struct output *o, struct output_report *out)
{
    uv_mutex_lock(&o->lock);
    *out = o->report;
    uv_mutex_unlock(&o->lock);
}

void output_stop(struct output *o)
{
    if (!o || !o->running)
        return;
    atomic_store(&o->stop, true);
    uv_sem_post(&o->begin);
    uv_thread_join(&o->thread);
    o->running = false;
}

void output_destroy(struct output *o)
{
    if (!o)
        return;
    output_stop(o);
    line_reader_leave(&o->reader);
    if (o->fd >= 0)
        close(o->fd);
    free(o->pending.sum);
    free(o->pending.power);
    text_finish(&o->text);
    uv_sem_destroy(&o->begin);
    uv_mutex_destroy(&o->lock);
    free(o);
}
