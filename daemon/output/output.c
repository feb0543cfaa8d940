/* output.c - the thread of an output: reads lines, folds them into rows, writes the rows. */
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
#include "daemon/base/reason.h"
#include "daemon/output/row_fold.h"

enum { WAIT_MS = 100, BUSY_WAIT_MS = 20, PIPE_CHUNK = 4096, FILE_CHUNK = 1 << 20 };

struct output {
    struct output_config config;
    int fd;
    size_t chunk; /* bytes that one write cannot block on after poll reported room */
    uv_thread_t thread;
    uv_sem_t begin;
    bool running;
    atomic_bool stop;

    /* used by the thread only */
    struct line_reader reader;
    struct text text;
    size_t written; /* bytes of text */
    struct row_fold fold;

    uv_mutex_t lock;
    struct output_report report; /* under lock */
};

/* ---- rows ------------------------------------------------------------------------------- */

static void make_row(struct output *o)
{
    const struct row row = row_fold_result(&o->fold);
    text_clear(&o->text);
    o->written = 0;
    o->config.row(&o->text, &row);
    uv_mutex_lock(&o->lock);
    o->report.rows++;
    o->report.folded += o->fold.lines - 1;
    uv_mutex_unlock(&o->lock);
    row_fold_clear(&o->fold);
}

static bool has_unwritten(const struct output *o)
{
    return o->written < o->text.length;
}

/* ---- the file --------------------------------------------------------------------------- */

/* A FIFO without a reader is no error: fd stays -1, and rows wait for the reader. */
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

/* Opens the FIFO if it has a reader now, else waits. */
static int retry_open(struct output *o, int timeout_ms)
{
    const int err = open_path(o);
    if (err == 0 && o->fd < 0)
        uv_sleep((unsigned)timeout_ms);
    return err;
}

/* Writes as much as the reader accepts. Waits for room at most timeout_ms at a time. */
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
            return 0; /* also after a signal: without room a write could block forever */
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

/* In replay a line stays in the ring until the row of the line before is written. */
static bool can_read_line(const struct output *o)
{
    return !has_unwritten(o) || !o->config.lossless;
}

/* Drops lines that cannot be folded with the newest one, and counts them. */
static void discard_fold(struct output *o)
{
    uv_mutex_lock(&o->lock);
    o->report.missed += o->fold.lines;
    uv_mutex_unlock(&o->lock);
    row_fold_clear(&o->fold);
}

static int add_line(struct output *o, struct line *line)
{
    if (!row_fold_fits(&o->fold, line))
        discard_fold(o);
    const int err = row_fold_add(&o->fold, line);
    if (err == 0 && !has_unwritten(o))
        make_row(o);
    return o->text.failed ? -ENOMEM : err;
}

/* Writes what it can, then reads all waiting lines. Lines that cannot be written yet are folded. */
static int run_once(struct output *o, bool *closed)
{
    int err = flush(o, o->config.lossless ? WAIT_MS : BUSY_WAIT_MS);
    if (err == 0 && !has_unwritten(o) && o->fold.lines > 0)
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
    while (err == 0 && (has_unwritten(o) || o->fold.lines > 0) && !atomic_load(&o->stop)) {
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
    row_fold_finish(&o->fold);
    if (o->fd >= 0)
        close(o->fd); /* the reader of a pipe sees its end */
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

/* ---- called by the loop thread ---------------------------------------------------------- */

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
    o->fold = (struct row_fold){.ring = config->lines, .trace_index = config->trace_index};
    o->fd = -1;
    int err = open_path(o);
    if (err < 0)
        reason_set(error, error_size, err, "%s: %s", config->path, strerror(-err));
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
    const bool named = strcmp(o->config.path, "-") != 0; /* the shell opened standard output */
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
    row_fold_finish(&o->fold);
    text_finish(&o->text);
    uv_sem_destroy(&o->begin);
    uv_mutex_destroy(&o->lock);
    free(o);
}
