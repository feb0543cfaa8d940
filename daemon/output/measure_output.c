/* measure_output.c - a queue of results, and the thread that writes them as rows. */
#include "daemon/output/measure_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/measure/report_json.h"
#include "daemon/output/row_file.h"

enum { WAIT_MS = 100, BUSY_WAIT_MS = 20, QUEUE = 64 };

struct measure_output {
    struct measure_output_config config;
    uv_thread_t thread;
    uv_sem_t begin;
    bool running;
    atomic_bool stop;

    /* used by the thread only */
    struct row_file file;
    uint64_t dropped_before; /* when the file was last written */

    uv_mutex_t lock;
    uv_cond_t changed; /* the queue, or the state's end */
    /* under lock */
    struct measure_snapshot *queue[QUEUE]; /* held */
    uint64_t queue_in, queue_out;
    bool closed;
    struct output_state state;
};

/* ---- the measure thread ----------------------------------------------------------------- */

static bool is_full(const struct measure_output *o)
{
    return o->queue_in - o->queue_out == QUEUE;
}

void measure_output_push(struct measure_output *o, struct measure_snapshot *s)
{
    uv_mutex_lock(&o->lock);
    while (o->config.lossless && is_full(o) && !o->state.ended && !atomic_load(&o->stop))
        clock_wait(&o->changed, &o->lock, clock_after_ms(WAIT_MS));
    if (o->state.ended || is_full(o))
        o->state.missed++;
    else
        o->queue[o->queue_in++ % QUEUE] = measure_snapshot_hold(s);
    uv_cond_broadcast(&o->changed);
    uv_mutex_unlock(&o->lock);
}

void measure_output_close(struct measure_output *o)
{
    uv_mutex_lock(&o->lock);
    o->closed = true;
    uv_cond_broadcast(&o->changed);
    uv_mutex_unlock(&o->lock);
}

/* ---- the output's thread ---------------------------------------------------------------- */

/* The oldest results, held. NULL: there were none within wait_ms; *closed: none will come. */
static struct measure_snapshot *pop(struct measure_output *o, int wait_ms, bool *closed)
{
    struct measure_snapshot *s = NULL;
    const uint64_t until = clock_after_ms(wait_ms);
    uv_mutex_lock(&o->lock);
    while (o->queue_in == o->queue_out && !o->closed && clock_wait(&o->changed, &o->lock, until))
        ;
    if (o->queue_in != o->queue_out) {
        s = o->queue[o->queue_out++ % QUEUE];
        uv_cond_broadcast(&o->changed);
    }
    *closed = o->closed && o->queue_in == o->queue_out;
    uv_mutex_unlock(&o->lock);
    return s;
}

/* Copies the state of the file. One line of the log tells each change. */
static void note_file(struct measure_output *o)
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

static int make_rows(struct measure_output *o, struct measure_snapshot *s)
{
    snapshot_add_rows(row_file_next(&o->file), s);
    uv_mutex_lock(&o->lock);
    o->state.rows += s->count;
    uv_mutex_unlock(&o->lock);
    measure_snapshot_drop(s);
    return o->file.row.failed ? -ENOMEM : 0;
}

static void drop_one(struct measure_output *o, struct measure_snapshot *s)
{
    uv_mutex_lock(&o->lock);
    o->state.dropped++;
    uv_mutex_unlock(&o->lock);
    measure_snapshot_drop(s);
}

static int run_once(struct measure_output *o, bool *closed)
{
    int err = row_file_write(&o->file, o->config.lossless ? WAIT_MS : BUSY_WAIT_MS);
    note_file(o);
    const bool failing = o->file.error < 0;
    if (err < 0 || (row_file_busy(&o->file) && !failing))
        return err;
    struct measure_snapshot *s = pop(o, WAIT_MS, closed);
    if (s && failing)
        drop_one(o, s);
    else if (s)
        err = make_rows(o, s);
    return err;
}

static int finish_writing(struct measure_output *o)
{
    int err = row_file_write_last(&o->file, WAIT_MS);
    while (err == 0 && row_file_busy(&o->file) && !atomic_load(&o->stop))
        err = row_file_write_last(&o->file, WAIT_MS);
    return err;
}

static void measure_output_thread(void *arg)
{
    struct measure_output *o = arg;
    bool closed = false;
    int err = 0;
    uv_sem_wait(&o->begin);
    while (err == 0 && !closed && !atomic_load(&o->stop))
        err = run_once(o, &closed);
    if (err == 0)
        err = finish_writing(o);
    row_file_close(&o->file); /* the reader of a pipe sees its end */
    uv_mutex_lock(&o->lock);
    o->state.ended = true;
    o->state.error = err;
    uv_cond_broadcast(&o->changed);
    uv_mutex_unlock(&o->lock);
    if (err < 0 && err != -EPIPE)
        log_error("%s: %s", o->config.path, strerror(-err));
    if (o->config.ended)
        o->config.ended(o->config.user);
}

/* ---- the loop thread -------------------------------------------------------------------- */

static int init_locks(struct measure_output *o)
{
    if (uv_mutex_init(&o->lock) < 0)
        return -ENOMEM;
    if (uv_cond_init(&o->changed) == 0) {
        if (uv_sem_init(&o->begin, 0) == 0)
            return 0;
        uv_cond_destroy(&o->changed);
    }
    uv_mutex_destroy(&o->lock);
    return -ENOMEM;
}

int measure_output_start(struct measure_output **out, const struct measure_output_config *config,
                         char *error, size_t error_size)
{
    struct measure_output *o = calloc(1, sizeof *o);
    *out = NULL;
    if (!o || init_locks(o) < 0) {
        free(o);
        return -ENOMEM;
    }
    o->config = *config;
    o->state.name = "measure";
    int err = row_file_open(&o->file, config->path, !config->lossless);
    if (err < 0)
        reason_set(error, error_size, err, "%s: %s", config->path, strerror(-err));
    if (err == 0) {
        err = uv_thread_create(&o->thread, measure_output_thread, o);
        o->running = err == 0;
    }
    if (err < 0) {
        measure_output_destroy(o);
        return err;
    }
    *out = o;
    return 0;
}

int measure_output_start_writing(struct measure_output *o)
{
    const int err = row_file_truncate(&o->file);
    uv_sem_post(&o->begin);
    return err;
}

void measure_output_state(struct measure_output *o, struct output_state *out)
{
    uv_mutex_lock(&o->lock);
    *out = o->state;
    uv_mutex_unlock(&o->lock);
}

void measure_output_stop(struct measure_output *o)
{
    if (!o || !o->running)
        return;
    atomic_store(&o->stop, true);
    uv_sem_post(&o->begin);
    uv_thread_join(&o->thread);
    o->running = false;
}

void measure_output_destroy(struct measure_output *o)
{
    if (!o)
        return;
    measure_output_stop(o);
    for (; o->queue_out != o->queue_in; o->queue_out++)
        measure_snapshot_drop(o->queue[o->queue_out % QUEUE]);
    row_file_close(&o->file);
    uv_sem_destroy(&o->begin);
    uv_cond_destroy(&o->changed);
    uv_mutex_destroy(&o->lock);
    free(o);
}
