/* measure_feed.c - results of measurements by the numbers of their lines. */
#include "daemon/trigger/measure_feed.h"

#include <errno.h>
#include <stdlib.h>
#include <uv.h>

#include "daemon/base/clock.h"

struct measure_feed {
    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    struct measure_snapshot *result[FEED_RESULTS]; /* a reference, oldest first */
    size_t count;
    bool wanted, started, ended;
    uint64_t passed; /* with started */
};

int measure_feed_create(struct measure_feed **out)
{
    struct measure_feed *f = calloc(1, sizeof *f);
    *out = NULL;
    if (!f || uv_mutex_init(&f->lock) < 0) {
        free(f);
        return -ENOMEM;
    }
    if (uv_cond_init(&f->changed) < 0) {
        uv_mutex_destroy(&f->lock);
        free(f);
        return -ENOMEM;
    }
    *out = f;
    return 0;
}

/* Under lock: the oldest result. */
static void drop_first(struct measure_feed *f)
{
    measure_snapshot_unref(f->result[0]);
    f->count--;
    for (size_t i = 0; i < f->count; i++)
        f->result[i] = f->result[i + 1];
}

void measure_feed_destroy(struct measure_feed *f)
{
    if (!f)
        return;
    while (f->count > 0)
        drop_first(f);
    uv_cond_destroy(&f->changed);
    uv_mutex_destroy(&f->lock);
    free(f);
}

void measure_feed_want(struct measure_feed *f, bool wanted)
{
    uv_mutex_lock(&f->lock);
    f->wanted = wanted;
    while (!wanted && f->count > 0)
        drop_first(f);
    uv_mutex_unlock(&f->lock);
}

void measure_feed_push(struct measure_feed *f, struct measure_snapshot *s)
{
    uv_mutex_lock(&f->lock);
    if (f->count == FEED_RESULTS)
        drop_first(f);
    if (f->wanted)
        f->result[f->count++] = measure_snapshot_ref(s);
    uv_mutex_unlock(&f->lock);
}

void measure_feed_pass(struct measure_feed *f, uint64_t line)
{
    uv_mutex_lock(&f->lock);
    f->started = true;
    f->ended = false;
    f->passed = line;
    uv_cond_signal(&f->changed);
    uv_mutex_unlock(&f->lock);
}

void measure_feed_end(struct measure_feed *f)
{
    uv_mutex_lock(&f->lock);
    f->ended = true;
    uv_cond_signal(&f->changed);
    uv_mutex_unlock(&f->lock);
}

static enum feed_answer find(struct measure_feed *f, uint64_t line, struct measure_snapshot **out)
{
    while (f->count > 0 && f->result[0]->line < line)
        drop_first(f);
    if (f->count > 0 && f->result[0]->line == line) {
        *out = measure_snapshot_ref(f->result[0]);
        drop_first(f);
        return FEED_RESULT;
    }
    return f->ended || (f->started && f->passed >= line) ? FEED_NONE : FEED_LATER;
}

enum feed_answer measure_feed_take(struct measure_feed *f, uint64_t line, int timeout_ms,
                                   struct measure_snapshot **out)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    enum feed_answer answer;
    uv_mutex_lock(&f->lock);
    while ((answer = find(f, line, out)) == FEED_LATER && clock_wait(&f->changed, &f->lock, until))
        ;
    uv_mutex_unlock(&f->lock);
    return answer;
}

bool measure_feed_started(struct measure_feed *f)
{
    uv_mutex_lock(&f->lock);
    const bool started = f->started || f->ended;
    uv_mutex_unlock(&f->lock);
    return started;
}
