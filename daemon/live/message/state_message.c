/* state_message.c - sends the states of resources to those who have not got their newest ones. */
#include "daemon/live/message/state_message.h"

#include "daemon/api/topics.h"
#include "daemon/live/live.h"
#include "daemon/wire/ws_message.h"

void state_message_subscribe(struct subscriber *u, unsigned index, bool on, double rate_hz)
{
    u->topic[LIVE_STATES].on = true;
    u->states[index].number = 0;
    topic_set(&u->states[index], on, rate_hz);
}

/* The first whose newest state is not sent; api_topic_count(): none. */
static unsigned find_pending(const struct subscriber *u)
{
    const unsigned count = api_topic_count();
    unsigned i = TOPICS;
    while (i < count) {
        const struct topic_state *t = &u->states[i - TOPICS];
        if (topic_is_open(t) &&
            api_topic_resource(i)->topic->version(u->live->services) != t->number)
            break;
        i++;
    }
    return i;
}

bool state_message_is_pending(const struct subscriber *u)
{
    return find_pending(u) < api_topic_count();
}

struct ws_message *state_message_next(struct subscriber *u)
{
    const unsigned i = find_pending(u);
    const struct api_state *of = api_topic_resource(i)->topic;
    struct topic_state *t = &u->states[i - TOPICS];
    t->number = of->version(u->live->services);
    topic_sent(t);
    return ws_message_from_json(json_pack("{ss ss so}", "type", "state", "topic", api_topic_name(i),
                                          "state", of->state(u->live->services)));
}
