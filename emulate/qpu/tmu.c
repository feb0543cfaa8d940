/*
 * tmu.c - emulates direct reads of memory through the TMUs, and their caches.
 *
 * Each slice of four QPUs has two TMUs, each with a direct-mapped cache of 4 KiB. All share a
 * four-way L2 cache of 32 KiB. Stores by DMA bypass the caches: a line that was cached before a
 * store to it is stale until it is evicted. The model keeps the version of each line instead of its
 * data.
 */
#include "emulate/qpu/state.h"

static struct line *l2_find(struct emulator *e, uint32_t number)
{
    struct line *set = e->l2[number % L2_SETS], *oldest = set;
    for (int way = 0; way < L2_WAYS; way++) {
        if (set[way].tag == number + 1)
            return &set[way];
        if (set[way].used < oldest->used)
            oldest = &set[way];
    }
    *oldest = (struct line){.tag = number + 1, .version = e->versions[number]};
    e->report->lines_read++;
    return oldest;
}

/* Looks up a line; false: it is stale. */
static bool cache_read(struct emulator *e, int tmu, uint32_t number)
{
    struct line *line = &e->tmu_cache[tmu][number % TMU_LINES];
    if (line->tag == number + 1) {
        e->report->tmu_hits++;
    } else {
        struct line *below = l2_find(e, number);
        below->used = ++e->l2_clock;
        *line = *below;
        e->report->tmu_misses++;
    }
    return line->version == e->versions[number];
}

/* Reads 16 words. Adjacent lanes in one line share a lookup. */
static void fetch(struct emulator *e, struct qpu *q, int tmu, const ulanes *address,
                  struct value *out)
{
    const bool swapped = q->swap && (q->number & 2);
    const int unit = (int)(q->number / 4 * 2) + (swapped ? !tmu : tmu);
    uint32_t last_line = UINT32_MAX;
    out->defined = ALL_LANES;
    for (int i = 0; i < QPU_LANES; i++) {
        const uint32_t bus = (*address)[i] & ~3u, number = (bus - BUS_BASE) / LINE_BYTES;
        const uint8_t *at = emulator_memory(e, bus, 4);
        if (!at) {
            emulator_fail(e, q, "lane %d reads 0x%08x, which is nobody's", i, bus);
            return;
        }
        if (number != last_line && !cache_read(e, unit, number))
            emulator_fail(e, q, "lane %d reads a stale line at 0x%08x", i, bus);
        last_line = number;
        out->v[i] = *(const int32_t *)(const void *)at;
    }
    e->report->read_bytes += sizeof out->v;
}

void tmu_request(struct emulator *e, struct qpu *q, int tmu, const struct value *address)
{
    struct tmu_queue *queue = &q->tmu[tmu];
    if (queue->count == TMU_DEPTH) {
        emulator_fail(e, q, "more than %d requests to TMU %d at once", TMU_DEPTH, tmu);
        return;
    }
    if (address->defined != ALL_LANES) {
        emulator_fail(e, q, "asks TMU %d for undefined addresses", tmu);
        return;
    }
    const int entry = (queue->first + queue->count++) % TMU_DEPTH;
    queue->at[entry].address = (ulanes)address->v;
    if (e->late)
        fetch(e, q, tmu, &queue->at[entry].address, &queue->at[entry].got);
}

void tmu_take(struct emulator *e, struct qpu *q, int tmu)
{
    struct tmu_queue *queue = &q->tmu[tmu];
    if (!queue->count) {
        emulator_fail(e, q, "takes from TMU %d, which was not asked", tmu);
        return;
    }
    const int entry = queue->first;
    if (!e->late)
        fetch(e, q, tmu, &queue->at[entry].address, &queue->at[entry].got);
    q->r[4] = queue->at[entry].got;
    queue->first = (uint8_t)((entry + 1) % TMU_DEPTH);
    queue->count--;
    e->report->draining_reads += queue->count == 0;
}
