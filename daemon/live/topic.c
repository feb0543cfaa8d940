/* topic.c - what a client has subscribed to, and how often it wants it. */
#include "daemon/live/topic.h"

#include "daemon/base/clock.h"

void topic_set(struct topic_state *t, bool on, double rate_hz)
{
    t->on = on;
    t->every_ns = rate_hz > 0 ? (uint64_t)(1e9 / rate_hz) : 0;
    t->next_ns = 0;
}

void topic_sent(struct topic_state *t)
{
    t->pending = false;
    if (t->every_ns > 0)
        t->next_ns = clock_now_ns() + t->every_ns;
}
