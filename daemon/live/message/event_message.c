/* event_message.c - the events of triggers that a client has not received yet. */
#include "daemon/live/message/event_message.h"

#include "daemon/http/stream/event_answer.h"
#include "daemon/live/live.h"
#include "daemon/trigger/triggers.h"
#include "daemon/wire/ws_message.h"

enum { IN_MESSAGE = 32 };

/* NULL: no triggers are possible. */
static struct event_store *store_of(const struct subscriber *u)
{
    struct triggers *t = u->live->services->triggers;
    return t ? triggers_events(t) : NULL;
}

void event_message_begin(struct subscriber *u)
{
    struct event_store *store = store_of(u);
    u->topic[LIVE_EVENTS].number = store ? event_store_change(store) : 0;
}

bool event_message_is_pending(const struct subscriber *u)
{
    struct event_store *store = store_of(u);
    return store && event_store_change(store) != u->topic[LIVE_EVENTS].number;
}

/* A client that is slow to read gets the newest state of each event. */
struct ws_message *event_message_next(struct subscriber *u)
{
    struct event events[IN_MESSAGE];
    uint64_t *sent = &u->topic[LIVE_EVENTS].number;
    struct event_store *store = store_of(u);
    const uint64_t newest = event_store_change(store);
    const size_t count = event_store_changed(store, *sent, events, IN_MESSAGE);
    *sent = count > 0 ? events[count - 1].change : newest;
    return ws_message_from_json(
        json_pack("{ss so}", "type", "event", "events", event_answer_list(events, count)));
}
