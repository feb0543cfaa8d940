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
    struct channel_cursor *joined; /* NULL: `read` is that of the only reader */
    bool closed;
    void *ring[];
};

void *channel_block_ref(void *block)
{
    atomic_uint *refs = block;
    atomic_fetch_add(refs, 1);
    return block;
}

void channel_block_unref(void *block)
{
    atomic_uint *refs = block;
    if (refs && atomic_fetch_sub(refs, 1) == 1)
        free(block);
}

size_t channel_block_again(const struct channel_block *b, uint64_t expected)
{
    enum { AGAIN_MAX = 2 };
    const uint64_t before = b->index < expected ? expected - b->index : 0;
    const size_t again = before <= AGAIN_MAX ? (size_t)before : 0;
    return again < b->count ? again : b->count;
}

int channel_output_create(struct channel_output **out, uint32_t blocks, bool waits,
                          void (*ready)(void *user), void *user)
{
    struct channel_output *o = calloc(1, sizeof *o + blocks * sizeof *o->ring);
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
        channel_block_unref(o->ring[i]);
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

/* With the lock held: whether all readers have what the next block takes the place of. */
static bool is_read(const struct channel_output *o)
{
    uint64_t slowest = o->joined ? UINT64_MAX : o->read;
    for (const struct channel_cursor *c = o->joined; c; c = c->next)
        slowest = c->sequence < slowest ? c->sequence : slowest;
    return o->end - slowest < o->blocks;
}

bool channel_output_has_room(struct channel_output *o, int timeout_ms)
{
    if (!o->waits)
        return true;
    const uint64_t until = clock_after_ms(timeout_ms);
    uv_mutex_lock(&o->lock);
    while (!is_read(o) && clock_wait(&o->changed, &o->lock, until))
        ;
    const bool room = is_read(o);
    uv_mutex_unlock(&o->lock);
    return room;
}

void channel_output_add(struct channel_output *o, void *block)
{
    uv_mutex_lock(&o->lock);
    void **entry = &o->ring[o->end++ % o->blocks];
    channel_block_unref(*entry);
    *entry = block;
    uv_cond_broadcast(&o->changed);
    uv_mutex_unlock(&o->lock);
}

void channel_output_put(struct channel_output *o, void *block)
{
    channel_output_add(o, block);
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
static void *take(struct channel_output *o, struct channel_cursor *c, bool *closed)
{
    const uint64_t oldest = o->end > o->blocks ? o->end - o->blocks : 0;
    *closed = o->closed;
    if (c->sequence < oldest) {
        c->skipped += c->sequence > 0 ? oldest - c->sequence : 0;
        c->sequence = oldest;
    }
    if (c->sequence == o->end)
        return NULL;
    void *block = channel_block_ref(o->ring[c->sequence++ % o->blocks]);
    o->read = c->sequence > o->read ? c->sequence : o->read;
    if (o->waits)
        uv_cond_broadcast(&o->changed);
    return block;
}

void *channel_output_take(struct channel_output *o, struct channel_cursor *c, bool *closed)
{
    uv_mutex_lock(&o->lock);
    void *block = take(o, c, closed);
    uv_mutex_unlock(&o->lock);
    return block;
}

void *channel_output_wait(struct channel_output *o, struct channel_cursor *c, int timeout_ms,
                          bool *closed)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    uv_mutex_lock(&o->lock);
    void *block = take(o, c, closed);
    while (!block && !*closed && clock_wait(&o->changed, &o->lock, until))
        block = take(o, c, closed);
    uv_mutex_unlock(&o->lock);
    return block;
}

void channel_output_join(struct channel_output *o, struct channel_cursor *c)
{
    uv_mutex_lock(&o->lock);
    *c = (struct channel_cursor){.sequence = o->end, .next = o->joined};
    o->joined = c;
    uv_mutex_unlock(&o->lock);
}

void channel_output_leave(struct channel_output *o, struct channel_cursor *c)
{
    uv_mutex_lock(&o->lock);
    struct channel_cursor **at = &o->joined;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    uv_cond_broadcast(&o->changed); /* nobody waits for it */
    uv_mutex_unlock(&o->lock);
}
