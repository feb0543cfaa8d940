/* channel_output.c - a ring of references to blocks. */
#include "daemon/channel/channel_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"

struct channel_output {
    atomic_uint refs;
    uint32_t blocks;
    bool waits;
    void (*ready)(void *user);
    void *user;
    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    uint64_t end, read; /* sequence of the next block; that of the block after the last one read */
    bool closed;
    struct channel_block *slot[];
};

struct channel_block *channel_block_ref(struct channel_block *b)
{
    atomic_fetch_add(&b->refs, 1);
    return b;
}

void channel_block_unref(struct channel_block *b)
{
    if (b && atomic_fetch_sub(&b->refs, 1) == 1)
        free(b);
}

int channel_output_create(struct channel_output **out, uint32_t blocks, bool waits,
                          void (*ready)(void *user), void *user)
{
    struct channel_output *o = calloc(1, sizeof *o + blocks * sizeof(struct channel_block *));
    *out = NULL;
    if (!o || uv_mutex_init(&o->lock) < 0) {
        free(o);
        return -ENOMEM;
    }
    uv_cond_init(&o->changed);
    o->refs = 1;
    o->blocks = blocks;
    o->waits = waits;
    o->ready = ready;
    o->user = user;
    *out = o;
    return 0;
}

struct channel_output *channel_output_ref(struct channel_output *o)
{
    atomic_fetch_add(&o->refs, 1);
    return o;
}

void channel_output_unref(struct channel_output *o)
{
    if (!o || atomic_fetch_sub(&o->refs, 1) > 1)
        return;
    for (uint32_t i = 0; i < o->blocks; i++)
        channel_block_unref(o->slot[i]);
    uv_cond_destroy(&o->changed);
    uv_mutex_destroy(&o->lock);
    free(o);
}

struct channel_block *channel_block_create(const struct fft_iq *samples, size_t count)
{
    struct channel_block *b = malloc(sizeof *b + count * sizeof *b->sample);
    if (!b)
        return NULL;
    *b = (struct channel_block){.refs = 1, .count = count};
    memcpy(b->sample, samples, count * sizeof *samples);
    return b;
}

bool channel_output_has_room(struct channel_output *o, int timeout_ms)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    uv_mutex_lock(&o->lock);
    while (o->waits && o->end - o->read >= o->blocks && clock_wait(&o->changed, &o->lock, until))
        ;
    const bool room = !o->waits || o->end - o->read < o->blocks;
    uv_mutex_unlock(&o->lock);
    return room;
}

void channel_output_put(struct channel_output *o, struct channel_block *b)
{
    uv_mutex_lock(&o->lock);
    struct channel_block **slot = &o->slot[o->end++ % o->blocks];
    channel_block_unref(*slot);
    *slot = b;
    uv_cond_broadcast(&o->changed);
    uv_mutex_unlock(&o->lock);
    if (o->ready)
        o->ready(o->user);
}

void channel_output_close(struct channel_output *o)
{
    uv_mutex_lock(&o->lock);
    o->closed = true;
    uv_cond_broadcast(&o->changed);
    uv_mutex_unlock(&o->lock);
    if (o->ready)
        o->ready(o->user);
}

/* With the lock held. */
static struct channel_block *take(struct channel_output *o, struct channel_cursor *c, bool *closed)
{
    const uint64_t oldest = o->end > o->blocks ? o->end - o->blocks : 0;
    *closed = o->closed;
    if (c->sequence < oldest) {
        c->skipped += c->sequence > 0 ? oldest - c->sequence : 0;
        c->sequence = oldest;
    }
    if (c->sequence == o->end)
        return NULL;
    struct channel_block *b = channel_block_ref(o->slot[c->sequence++ % o->blocks]);
    if (c->sequence > o->read) {
        o->read = c->sequence;
        uv_cond_broadcast(&o->changed);
    }
    return b;
}

struct channel_block *channel_output_take(struct channel_output *o, struct channel_cursor *c,
                                          bool *closed)
{
    uv_mutex_lock(&o->lock);
    struct channel_block *b = take(o, c, closed);
    uv_mutex_unlock(&o->lock);
    return b;
}

struct channel_block *channel_output_wait(struct channel_output *o, struct channel_cursor *c,
                                          int timeout_ms, bool *closed)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    uv_mutex_lock(&o->lock);
    struct channel_block *b = take(o, c, closed);
    while (!b && !*closed && clock_wait(&o->changed, &o->lock, until))
        b = take(o, c, closed);
    uv_mutex_unlock(&o->lock);
    return b;
}
