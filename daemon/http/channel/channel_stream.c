/* channel_stream.c - keeps the streams of channels and their audio going. */
#include "daemon/http/channel/channel_stream.h"

#include "daemon/http/answer/pending.h"

void channel_stream_enter(struct channel_stream *s, struct channel_streams *all)
{
    s->all = all;
    s->next = all->first;
    all->first = s;
}

void channel_stream_leave(struct channel_stream *s)
{
    struct channel_stream **at = &s->all->first;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
}

bool channel_streams_wait(const struct channel_streams *s)
{
    for (const struct channel_stream *x = s->first; x; x = x->next)
        if (x->waits)
            return true;
    return false;
}

void channel_streams_on_blocks(struct channel_streams *s)
{
    for (struct channel_stream *x = s->first, *next; x; x = next) {
        next = x->next; /* x may be gone after it */
        if (x->starved && x->body.ready)
            x->body.ready(x->body.user);
    }
}

/* A client that waits for samples keeps its patience, and one that has left is noticed. */
void channel_streams_on_tick(struct channel_streams *s)
{
    for (struct channel_stream *x = s->first, *next; x; x = next) {
        next = x->next;
        if (!x->starved || !x->body.user)
            continue;
        pending_keep(x->body.user);
        pending_notice(x->body.user);
    }
    channel_streams_on_blocks(s); /* one that was refused ends */
}
