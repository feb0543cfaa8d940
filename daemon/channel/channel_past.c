/* channel_past.c - a ring of blocks of bins. */
#include "daemon/channel/channel_past.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

struct channel_past {
    uint32_t blocks, m, count, next;
    struct fft_iq *bins; /* [blocks][m] */
    struct channel_kept kept[];
};

uint64_t channel_past_bytes(uint32_t blocks, uint32_t m)
{
    return (uint64_t)blocks * (sizeof(struct channel_kept) + m * sizeof(struct fft_iq));
}

int channel_past_create(struct channel_past **out, uint32_t blocks, uint32_t m)
{
    struct channel_past *p = calloc(1, sizeof *p + blocks * sizeof *p->kept);
    *out = NULL;
    if (!p)
        return -ENOMEM;
    p->blocks = blocks;
    p->m = m;
    p->bins = aligned_alloc(64, (size_t)blocks * m * sizeof *p->bins); /* m: a multiple of 8 */
    if (!p->bins) {
        free(p);
        return -ENOMEM;
    }
    for (uint32_t i = 0; i < blocks; i++)
        p->kept[i].bins = p->bins + (size_t)i * m;
    *out = p;
    return 0;
}

void channel_past_destroy(struct channel_past *p)
{
    if (!p)
        return;
    free(p->bins);
    free(p);
}

struct channel_kept *channel_past_push(struct channel_past *p)
{
    struct channel_kept *k = &p->kept[p->next];
    p->next = (p->next + 1) % p->blocks;
    p->count += p->count < p->blocks;
    return k;
}

void channel_past_prefetch(const struct channel_past *p)
{
    enum { LINE = 64, MOST = 4096 }; /* the processor itself follows the rest */
    const size_t bytes = p->m * sizeof *p->bins;
    const char *bins = (const char *)(p->bins + (size_t)p->next * p->m);
    const char *kept = (const char *)&p->kept[p->next];
    __builtin_prefetch(kept, 1);
    __builtin_prefetch(kept + sizeof *p->kept - 1, 1);
    for (size_t at = 0; at < bytes && at < MOST; at += LINE)
        __builtin_prefetch(bins + at, 1);
}

uint32_t channel_past_count(const struct channel_past *p)
{
    return p->count;
}

const struct channel_kept *channel_past_at(const struct channel_past *p, uint32_t i)
{
    assert(i < p->count);
    return &p->kept[(p->next + p->blocks - p->count + i) % p->blocks];
}

void channel_past_clear(struct channel_past *p)
{
    if (p)
        p->count = 0;
}
