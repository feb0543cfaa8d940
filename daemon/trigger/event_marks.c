/* event_marks.c - a queue of events from the trigger thread to an output. */
#include "daemon/trigger/event_marks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/json.h"

struct mark {
    uint64_t line; /* in which it was known */
    struct event event;
};

struct event_marks {
    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    struct mark mark[EVENT_MARKS]; /* oldest first */
    size_t count;
    uint64_t line; /* that is being decided */
    bool started;  /* from now on every line is, or will be */
    bool begun;    /* `line` is one */
    bool ended;
};

int event_marks_create(struct event_marks **out, bool expected)
{
    struct event_marks *m = calloc(1, sizeof *m);
    *out = NULL;
    if (!m || uv_mutex_init(&m->lock) < 0) {
        free(m);
        return -ENOMEM;
    }
    if (uv_cond_init(&m->changed) < 0) {
        uv_mutex_destroy(&m->lock);
        free(m);
        return -ENOMEM;
    }
    m->started = expected;
    *out = m;
    return 0;
}

void event_marks_destroy(struct event_marks *m)
{
    if (!m)
        return;
    uv_cond_destroy(&m->changed);
    uv_mutex_destroy(&m->lock);
    free(m);
}

void event_marks_begin_line(struct event_marks *m, uint64_t line)
{
    if (!m)
        return;
    uv_mutex_lock(&m->lock);
    m->line = line;
    m->started = m->begun = true;
    uv_cond_signal(&m->changed);
    uv_mutex_unlock(&m->lock);
}

static void remove_first(struct event_marks *m, size_t count)
{
    m->count -= count;
    memmove(&m->mark[0], &m->mark[count], m->count * sizeof m->mark[0]);
}

void event_marks_push(struct event_marks *m, const struct event *e)
{
    if (!m)
        return;
    uv_mutex_lock(&m->lock);
    if (m->count == EVENT_MARKS)
        remove_first(m, 1);
    m->mark[m->count++] = (struct mark){m->line, *e};
    uv_mutex_unlock(&m->lock);
}

void event_marks_end(struct event_marks *m)
{
    if (!m)
        return;
    uv_mutex_lock(&m->lock);
    m->ended = true;
    uv_cond_signal(&m->changed);
    uv_mutex_unlock(&m->lock);
}

/* Under lock. */
static bool is_undecided(const struct event_marks *m, uint64_t line)
{
    return m->started && !m->ended && !(m->begun && m->line > line);
}

/* Under lock. */
static json_t *take_events(struct event_marks *m, uint64_t line, bool wait)
{
    json_t *list = NULL;
    size_t count = 0;
    while (count < m->count && (!wait || m->mark[count].line <= line))
        count++;
    if (count > 0)
        list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, event_to_json(&m->mark[i].event));
    remove_first(m, count);
    return list;
}

char *event_marks_take(struct event_marks *m, uint64_t line, bool wait)
{
    if (!m)
        return NULL;
    uv_mutex_lock(&m->lock);
    while (wait && is_undecided(m, line))
        uv_cond_wait(&m->changed, &m->lock);
    json_t *list = take_events(m, line, wait);
    uv_mutex_unlock(&m->lock);
    char *text = json_text(list, JSON_COMPACT);
    json_decref(list);
    return text;
}
