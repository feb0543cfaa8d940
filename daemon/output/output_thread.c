/* output_thread.c - opens the file, runs the thread, and keeps its state. */
#include "daemon/output/output_thread.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "daemon/base/log.h"

enum { BUSY_WAIT_MS = 20 };

void output_thread_count(struct output_thread *t, uint64_t *count, uint64_t more)
{
    uv_mutex_lock(&t->lock);
    *count += more;
    uv_mutex_unlock(&t->lock);
}

/* ---- the output's thread ---------------------------------------------------------------- */

/* Copies the state of the file. */
static void note_file(struct output_thread *t)
{
    uv_mutex_lock(&t->lock);
    const int before = t->state.error;
    const uint64_t dropped = t->state.dropped;
    t->state.error = t->file.error;
    t->state.waiting = t->file.file.fd < 0;
    uv_mutex_unlock(&t->lock);
    if (before != t->file.error)
        row_file_log(&t->file, dropped - t->dropped_before);
    if (t->file.error == 0)
        t->dropped_before = dropped;
}

/* After the row that is being written. */
static int reopen(struct output_thread *t)
{
    if (!atomic_exchange(&t->reopen, false))
        return 0;
    const int err = row_file_reopen(&t->file);
    if (err == -EAGAIN)
        atomic_store(&t->reopen, true);
    return err == -EAGAIN ? 0 : err;
}

static int run_once(struct output_thread *t, bool *closed)
{
    const struct output_thread_config *c = &t->config;
    int err = reopen(t);
    if (err == 0)
        err = row_file_write(&t->file, c->lossless ? OUTPUT_WAIT_MS : BUSY_WAIT_MS);
    note_file(t);
    if (err < 0)
        return err;
    if (t->file.error == 0)
        return c->ops->make(c->maker, closed);
    c->ops->drop(c->maker, closed);
    return 0;
}

static bool has_row(struct output_thread *t)
{
    const struct output_thread_config *c = &t->config;
    return row_file_busy(&t->file) || (c->ops->make_last && c->ops->make_last(c->maker));
}

static int finish_writing(struct output_thread *t)
{
    int err = row_file_write_last(&t->file);
    while (err == 0 && !atomic_load(&t->stop) && has_row(t))
        err = row_file_write_last(&t->file);
    return err;
}

static void log_failure(const struct output_thread *t, int err)
{
    if (t->file.why.sentence[0])
        log_error("%s", t->file.why.sentence);
    else
        log_error("%s: %s", t->config.file.path, strerror(-err));
}

static void output_thread(void *arg)
{
    struct output_thread *t = arg;
    const struct output_thread_config *c = &t->config;
    bool closed = false;
    int err = 0;
    pthread_setname_np(pthread_self(), "output");
    uv_sem_wait(&t->begin);
    while (err == 0 && !closed && !atomic_load(&t->stop))
        err = run_once(t, &closed);
    if (err == 0)
        err = finish_writing(t);
    row_file_close(&t->file); /* the reader of a pipe sees its end */
    c->ops->finish(c->maker);
    uv_mutex_lock(&t->lock);
    t->state.ended = true;
    t->state.error = err;
    uv_mutex_unlock(&t->lock);
    if (err < 0 && err != -EPIPE)
        log_failure(t, err);
    if (c->ended)
        c->ended(c->user);
}

/* ---- the loop thread -------------------------------------------------------------------- */

static int init_locks(struct output_thread *t)
{
    if (uv_mutex_init(&t->lock) < 0)
        return -ENOMEM;
    if (uv_sem_init(&t->begin, 0) < 0) {
        uv_mutex_destroy(&t->lock);
        return -ENOMEM;
    }
    t->has_locks = true;
    return 0;
}

int output_thread_open(struct output_thread *t, const struct output_thread_config *config,
                       struct reason *why)
{
    t->config = *config;
    t->state.name = config->name;
    t->file.file.fd = -1;
    const int err = init_locks(t);
    if (err < 0)
        return err;
    return row_file_open(&t->file, &config->file, !config->lossless, why);
}

int output_thread_run(struct output_thread *t)
{
    const int err = uv_thread_create(&t->thread, output_thread, t);
    t->running = err == 0;
    return err;
}

int output_thread_start_writing(struct output_thread *t, struct reason *why)
{
    const int err = row_file_begin(&t->file, why);
    uv_sem_post(&t->begin);
    return err;
}

void output_thread_reopen(struct output_thread *t)
{
    atomic_store(&t->reopen, true);
}

void output_thread_state(struct output_thread *t, struct output_state *out)
{
    uv_mutex_lock(&t->lock);
    *out = t->state;
    uv_mutex_unlock(&t->lock);
}

void output_thread_stop(struct output_thread *t)
{
    if (!t->running)
        return;
    atomic_store(&t->stop, true);
    uv_sem_post(&t->begin);
    uv_thread_join(&t->thread);
    t->running = false;
}

void output_thread_finish(struct output_thread *t)
{
    output_thread_stop(t);
    if (!t->has_locks)
        return;
    row_file_close(&t->file);
    uv_sem_destroy(&t->begin);
    uv_mutex_destroy(&t->lock);
    t->has_locks = false;
}
