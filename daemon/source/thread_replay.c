/* thread_replay.c - passes requests to the replay of a recording, and its state to control. */
#include <math.h>

#include "daemon/base/unix_time.h"
#include "daemon/source/thread.h"

/* A replay at a speed of its own is to lose nothing: the writer waits for the readers. */
static void set_patience(struct source_thread *t)
{
    const struct replay_state *now = &t->source->replay;
    if (t->epoch && now->active && now->controllable)
        iq_ring_set_lossless(t->epoch->ring, now->speed - 1 != 0);
}

void source_thread_apply_replay(struct source_thread *t)
{
    struct replay_request want;
    if (!exchange_replay_requested(t->exchange, &t->replay_version, &want) ||
        !t->config.ops->replay)
        return;
    t->config.ops->replay(t->source, &want);
    source_thread_forward_mark(t);
    set_patience(t);
    source_thread_publish_replay(t);
}

void source_thread_publish_replay(struct source_thread *t)
{
    if (t->source->replay.active)
        exchange_set_replay(t->exchange, &t->source->replay);
}

void source_thread_start_epoch_replay(struct source_thread *t, struct stream *stream)
{
    const struct source *s = t->source;
    if (!s->anchor.set)
        return;
    stream->anchor = s->anchor;
    stream->anchor.jump = REPLAY_FOLLOWS;
    stream->anchor.position = s->replay.position;
    stream->anchor.time_ns = unix_time_after(
        s->anchor.time_ns, (double)(s->replay.position - s->anchor.position) / s->replay.rate_hz);
}

void source_thread_begin_replay(struct source_thread *t)
{
    set_patience(t);
    source_thread_publish_replay(t);
}
