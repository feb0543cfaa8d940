/* output_queue.c - a bounded queue between a thread that has items and an output's thread. */
#include "daemon/output/output_queue.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <stdlib.h>

#include "daemon/base/clock.h"
#include "daemon/output/output_thread.h"

struct output_queue {
    const struct output_items *items;
    bool seconds, lossless;
    struct output_thread thread;

    uv_mutex_t lock;
    uv_cond_t changed; /* the queue, or the thread's end */
    /* under lock */
    void **queue; /* [items->most], a ring */
    uint64_t in, out;
    bool closed, finished;
};

/* ---- the pushing thread ----------------------------------------------------------------- */

static bool is_full(const struct output_queue *q)
{
    return q->in - q->out == q->items->most;
}

void output_queue_push(struct output_queue *q, void *item)
{
    const bool waits = q->items->waits && q->lossless;
    uv_mutex_lock(&q->lock);
    while (waits && is_full(q) && !q->finished && !atomic_load(&q->thread.stop))
        clock_wait(&q->changed, &q->lock, clock_after_ms(OUTPUT_WAIT_MS));
    const bool missed = !item || q->finished || is_full(q);
    if (!missed)
        q->queue[q->in++ % q->items->most] = item;
    uv_cond_broadcast(&q->changed);
    uv_mutex_unlock(&q->lock);
    if (!missed)
        return;
    output_thread_count(&q->thread, &q->thread.state.missed, 1);
    q->items->drop(item);
}

void output_queue_close(struct output_queue *q)
{
    uv_mutex_lock(&q->lock);
    q->closed = true;
    uv_cond_broadcast(&q->changed);
    uv_mutex_unlock(&q->lock);
}

/* ---- the maker of rows ------------------------------------------------------------------ */

/* The oldest item. NULL: there is none, after a wait; *closed: none will come. */
static void *pop(struct output_queue *q, bool waits, bool *closed)
{
    void *item = NULL;
    const uint64_t until = clock_after_ms(OUTPUT_WAIT_MS);
    uv_mutex_lock(&q->lock);
    while (waits && q->in == q->out && !q->closed && clock_wait(&q->changed, &q->lock, until))
        ;
    if (q->in != q->out) {
        item = q->queue[q->out++ % q->items->most];
        uv_cond_broadcast(&q->changed);
    }
    *closed = q->closed && q->in == q->out;
    uv_mutex_unlock(&q->lock);
    return item;
}

static int make_rows(void *maker, bool *closed)
{
    struct output_queue *q = maker;
    const struct output_items *items = q->items;
    uint64_t count = 0;
    if (row_file_busy(&q->thread.file))
        return 0;
    void *item = pop(q, true, closed);
    if (!item)
        return 0;
    struct text *rows = row_file_next(&q->thread.file);
    for (size_t i = 1; item; i++) {
        count += items->add(rows, item, q->seconds);
        items->drop(item);
        item = i < items->at_once ? pop(q, false, closed) : NULL;
    }
    output_thread_count(&q->thread, &q->thread.state.rows, count);
    return rows->failed ? -ENOMEM : 0;
}

static void drop_item(void *maker, bool *closed)
{
    struct output_queue *q = maker;
    void *item = pop(q, true, closed);
    if (!item)
        return;
    output_thread_count(&q->thread, &q->thread.state.dropped, 1);
    q->items->drop(item);
}

static void finish_rows(void *maker)
{
    struct output_queue *q = maker;
    uv_mutex_lock(&q->lock);
    q->finished = true;
    uv_cond_broadcast(&q->changed);
    uv_mutex_unlock(&q->lock);
}

static const struct output_maker rows_of_items = {
    .make = make_rows, .drop = drop_item, .finish = finish_rows};

/* ---- the loop thread -------------------------------------------------------------------- */

static struct output_queue *create(const struct output_items *items,
                                   const struct output_queue_config *config)
{
    struct output_queue *q = calloc(1, sizeof *q);
    if (!q || uv_mutex_init(&q->lock) < 0) {
        free(q);
        return NULL;
    }
    q->queue = calloc(items->most, sizeof *q->queue);
    if (!q->queue || uv_cond_init(&q->changed) < 0) {
        uv_mutex_destroy(&q->lock);
        free(q->queue);
        free(q);
        return NULL;
    }
    q->items = items;
    q->seconds = config->seconds;
    q->lossless = config->lossless;
    return q;
}

int output_queue_start(struct output_queue **out, const struct output_items *items,
                       const struct output_queue_config *config, struct reason *why)
{
    struct output_queue *q = create(items, config);
    *out = NULL;
    if (!q)
        return -ENOMEM;
    const struct output_thread_config thread = {.name = items->name,
                                                .file = config->file,
                                                .lossless = config->lossless,
                                                .ops = &rows_of_items,
                                                .maker = q,
                                                .ended = config->ended,
                                                .user = config->user};
    int err = output_thread_open(&q->thread, &thread, why);
    if (err == 0)
        err = output_thread_run(&q->thread);
    if (err < 0) {
        output_queue_destroy(q);
        return err;
    }
    *out = q;
    return 0;
}

int output_queue_start_writing(struct output_queue *q, struct reason *why)
{
    return output_thread_start_writing(&q->thread, why);
}

void output_queue_reopen(struct output_queue *q)
{
    output_thread_reopen(&q->thread);
}

void output_queue_state(struct output_queue *q, struct output_state *out)
{
    output_thread_state(&q->thread, out);
}

void output_queue_stop(struct output_queue *q)
{
    if (q)
        output_thread_stop(&q->thread);
}

void output_queue_destroy(struct output_queue *q)
{
    if (!q)
        return;
    output_thread_finish(&q->thread);
    for (; q->out != q->in; q->out++)
        q->items->drop(q->queue[q->out % q->items->most]);
    uv_cond_destroy(&q->changed);
    uv_mutex_destroy(&q->lock);
    free(q->queue);
    free(q);
}
