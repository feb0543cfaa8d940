/* event_answer.c - the events of triggers: /api/v1/events. */
#include "daemon/http/stream/event_answer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"
#include "daemon/http/answer/answer.h"
#include "daemon/trigger/event_log.h"
#include "daemon/trigger/triggers.h"

enum { LISTED = 100, LISTED_MAX = 1000 };

json_t *event_answer_list(const struct event *events, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, event_to_json(&events[i]));
    return list;
}

/* ---- queries ------------------------------------------------------------------------------ */

struct event_query {
    struct event_filter filter;
    struct event_store *store;
    struct event_log *log;
    char trigger[sizeof((struct parameter){0}).value];
    json_t *list; /* the result; NULL: there is an error */
    struct reason why;
};

/* False: the value is no such number. */
static bool read_number(const struct query *q, const char *name, uint64_t most, uint64_t *out)
{
    const char *text = query_value(q, name);
    char *end = NULL;
    if (!text)
        return true;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    *out = value;
    return text[0] >= '0' && text[0] <= '9' && !*end && errno == 0 && value <= most;
}

static int read_time(const struct query *q, const char *name, int64_t *out, struct reason *why)
{
    const char *text = query_value(q, name);
    return !text || unix_time_read(text, out, NULL) == 0
               ? 0
               : reason_key(why, -EINVAL, name, "%s: expected a date, or seconds since 1970", name);
}

static int parse(struct event_query *e, const struct query *q)
{
    uint64_t limit = LISTED;
    struct event_filter *f = &e->filter;
    const char *trigger = query_value(q, "trigger");
    *f = (struct event_filter){EVENT_FILTER_ALL, .newest = !query_value(q, "after")};
    if (!read_number(q, "after", INT64_MAX - 1, &f->after))
        return reason_key(&e->why, -EINVAL, "after", "after: expected the id of an event");
    if (!read_number(q, "limit", LISTED_MAX, &limit) || limit == 0)
        return reason_key(&e->why, -EINVAL, "limit", "limit: expected a number from 1 to %d",
                          LISTED_MAX);
    int err = read_time(q, "from", &f->from_ns, &e->why);
    if (err == 0)
        err = read_time(q, "to", &f->to_ns, &e->why);
    f->limit = (size_t)limit;
    if (trigger)
        snprintf(e->trigger, sizeof e->trigger, "%s", trigger);
    f->trigger = trigger ? e->trigger : NULL;
    return err;
}

static void run_query(void *job)
{
    struct event_query *e = job;
    event_log_find(e->log, e->store, &e->filter, &e->list, &e->why);
}

static void finish_query(struct http_server *s, void *job, struct answer *a)
{
    struct event_query *e = job;
    if (e->list)
        answer_json(s,
                    json_pack("{sO so}", "events", e->list, "count",
                              count_to_json(event_store_count(e->store))),
                    a);
    else
        answer_reason(a, 500, &e->why);
}

static void destroy_query(void *job)
{
    struct event_query *e = job;
    json_decref(e->list);
    free(e);
}

/* Only a query of the database waits for the pool. Takes over the query. */
static void answer_query(struct event_answers *all, const struct request *r, struct event_query *e,
                         struct answer *a)
{
    const struct answer_job job = {run_query, finish_query, destroy_query, e};
    if (e->log) {
        a->source = answer_work_create(r, &all->works, &job);
        if (!a->source)
            answer_fault(a, 503, "too many queries of events wait");
        return;
    }
    run_query(e);
    finish_query(r->server, e, a);
    destroy_query(e);
}

void event_answer(void *answers, const struct request *r, struct answer *a)
{
    struct event_answers *all = answers;
    struct event_query *e = calloc(1, sizeof *e);
    if (!e) {
        answer_fault(a, 500, "no memory");
    } else if (parse(e, &r->query) < 0) {
        answer_reason(a, 400, &e->why);
        free(e);
    } else if (!all->triggers) {
        answer_json(r->server, json_pack("{s[] si}", "events", "count", 0), a);
        free(e);
    } else {
        e->store = triggers_events(all->triggers);
        e->log = all->log;
        answer_query(all, r, e, a);
    }
}
