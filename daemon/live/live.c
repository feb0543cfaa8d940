/* live.c - marks a topic as pending for its subscribers. */
#include "daemon/live/live.h"

#include "daemon/live/client_send.h"

void live_mark_pending(struct live *l, enum live_topic topic)
{
    for (struct client *c = l->clients.first; c; c = c->next) {
        struct topic_state *t = &live_subscriber(c)->topic[topic];
        t->pending = t->on;
    }
    client_send_all_soon(&l->clients);
}
