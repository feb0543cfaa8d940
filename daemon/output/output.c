/* output.c - the thread of an output: reads lines, folds them into rows, writes the rows. */
#include "daemon/output/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/output/row_file.h"
#include "daemon/output/row_fold.h"

enum { WAIT_MS = 100, BUSY_WAIT_MS = 20 };

struct output {
    struct output_config config;
    uv_thread_t thread;
    uv_sem_t begin;
    bool running;
    atomic_bool stop;

    /* used by the thread only */
    struct line_reader reader;
    struct row_file file;
    struct row_fold fold;
    uint64_t dropped_before; /* when the file was last written */

    uv_mutex_t lock;
    struct output_state state; /* under lock; the thread alone writes it */
};

/* ---- rows ------------------------------------------------------------------------------- */

static void make_row(struct output *o)
{
    struct row row = row_fold_result(&o->fold);
    row.calibration = calibrator_hold(o->config.calibrator);
    o->config.row(row_file_next(&o->file), &row);
    calibration_table_drop(row.calibration);
    uv_mutex_lock(&o->lock);
    o->state.rows++;
    o->state.folded += o->fold.lines - 1;
    uv_mutex_unlock(&o->lock);
    row_fold_clear(&o->fold);
}

/* Drops the lines of the next row, and adds them to *count. */
static void discard_fold(struct output *o, uint64_t *count)
{
    uv_mutex_lock(&o->lock);
    *count += o->fold.lines;
    uv_mutex_unlock(&o->lock);
    row_fold_clear(&o->fold);
}

/* Of a whole run, the row is made when the thread finishes. */
static bool can_make_row(const struct output *o)
{
    return !o->config.whole_run && !row_file_busy(&o->file);
}

static int add_line(struct output *o, struct line *line)
{
    if (!row_fold_fits(&o->fold, line))
        discard_fold(o, &o->state.missed);
    const int err = row_fold_add(&o->fold, line);
    if (err == 0 && can_make_row(o))
        make_row(o);
    return o->file.row.failed ? -ENOMEM : err;
}

/* ---- the file --------------------------------------------------------------------------- */

/* Copies the state of the file. One line of the log tells each change. */
static void note_file(struct output *o)
{
    const int before = o->state.error;
    uv_mutex_lock(&o->lock);
    o->state.error = o->file.error;
    o->state.waiting = o->file.fd < 0;
    uv_mutex_unlock(&o->lock);
    if (before != o->file.error)
        row_file_log(&o->file, o->state.dropped - o->dropped_before);
    if (o->file.error == 0)
        o->dropped_before = o->state.dropped;
}

static int write_row(struct output *o, int timeout_ms)
{
    const int err = row_file_write(&o->file, timeout_ms);
    note_file(o);
    return err;
}

/* ---- the thread ------------------------------------------------------------------------- */

/* In replay a line stays in the ring until the row of the line before is written. */
static bool can_read_line(const struct output *o)
{
    return !row_file_busy(&o->file) || !o->config.lossless;
}

/* Reads all waiting lines while the file cannot be written. */
static void drop_lines(struct output *o, bool *closed)
{
    struct line *line;
    int wait_ms = WAIT_MS;
    if (o->fold.lines > 0)
        discard_fold(o, &o->state.dropped);
    while ((line = line_reader_next(&o->reader, wait_ms, closed))) {
        line_drop(o->config.lines, line);
        uv_mutex_lock(&o->lock);
        o->state.dropped++;
        uv_mutex_unlock(&o->lock);
        wait_ms = 0;
    }
}

/* Writes what it can, then reads all waiting lines. Lines that cannot be written yet are folded. */
static int run_once(struct output *o, bool *closed)
{
    int err = write_row(o, o->config.lossless ? WAIT_MS : BUSY_WAIT_MS);
    if (err == 0 && o->file.error < 0) {
        drop_lines(o, closed);
        return 0;
    }
    if (err == 0 && can_make_row(o) && o->fold.lines > 0)
        make_row(o);
    int wait_ms = row_file_busy(&o->file) ? 0 : WAIT_MS;
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
    int err = row_file_write_last(&o->file, WAIT_MS);
    while (err == 0 && (row_file_busy(&o->file) || o->fold.lines > 0) && !atomic_load(&o->stop)) {
        if (!row_file_busy(&o->file))
            make_row(o);
        err = row_file_write_last(&o->file, WAIT_MS);
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
    row_file_close(&o->file); /* the reader of a pipe sees its end */
    uv_mutex_lock(&o->lock);
    o->state.ended = true;
    o->state.error = err;
    o->state.missed += line_reader_missed(&o->reader);
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
    o->fold = (struct row_fold){.ring = config->lines, .detector_index = config->detector_index};
    o->state.name = config->name;
    int err = row_file_open(&o->file, config->path, !config->lossless);
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
    const int err = row_file_truncate(&o->file);
    uv_sem_post(&o->begin);
    return err;
}

void output_state(struct output *o, struct output_state *out)
{
    uv_mutex_lock(&o->lock);
    *out = o->state;
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
    row_file_close(&o->file);
    row_fold_finish(&o->fold);
    uv_sem_destroy(&o->begin);
    uv_mutex_destroy(&o->lock);
    free(o);
}
