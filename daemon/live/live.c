/* live.c - makes a topic due for those who want it. */
#include "daemon/live/live.h"

#include "daemon/live/client_send.h"

void live_make_due(struct live *l, enum live_topic topic)
{
    for (struct client *c = l->clients.first; c; c = c->next) {
        struct topic_state *t = &live_subscriber(c)->topic[topic];
        t->due = t->on;
    }
    client_send_all_soon(&l->clients);
}
