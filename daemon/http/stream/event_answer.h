/* event_answer.h - the events of triggers over HTTP. Loop thread; a thread of libuv's pool asks the
 * database. */
#ifndef FFTD_DAEMON_HTTP_STREAM_EVENT_ANSWER_H
#define FFTD_DAEMON_HTTP_STREAM_EVENT_ANSWER_H

#include <jansson.h>

#include "daemon/http/answer/answer_work.h"
#include "daemon/trigger/event.h"

struct event_log;
struct triggers;

struct event_answers {
    struct triggers *triggers; /* NULL: none are possible */
    struct event_log *log;     /* NULL: events are in memory only */
    struct answer_works works;
};

/* Of the route /api/v1/events; answers: a struct event_answers. */
void event_answer(void *answers, const struct request *r, struct answer *a);
/* Events as JSON: a new reference. */
json_t *event_answer_list(const struct event *events, size_t count);

#endif
