/* memory.c - allocates GPU memory, with an unallocated cache line after each block. */
#include "emulate/qpu/state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct emulator *emulator_create(uint32_t bytes)
{
    bytes = (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    struct emulator *e = aligned_alloc(_Alignof(struct emulator), sizeof *e);
    if (!e)
        return NULL;
    memset(e, 0, sizeof *e);
    e->bytes = bytes;
    e->limit = 1000000000;
    e->memory = calloc(1, bytes);
    e->versions = calloc(bytes / LINE_BYTES, sizeof *e->versions);
    if (!e->memory || !e->versions) {
        emulator_destroy(e);
        return NULL;
    }
    return e;
}

void emulator_destroy(struct emulator *e)
{
    if (!e)
        return;
    free(e->versions);
    free(e->memory);
    free(e);
}

void emulator_limit(struct emulator *e, uint64_t instructions)
{
    e->limit = instructions;
}

/* First fit: the first gap before, between or after the blocks that is large enough. */
uint32_t emulator_alloc(struct emulator *e, uint32_t bytes, uint32_t align)
{
    const uint64_t end = (uint64_t)BUS_BASE + e->bytes;
    uint64_t from = BUS_BASE;
    if (e->block_count == EMULATOR_BLOCKS || !bytes)
        return 0;
    for (uint32_t i = 0; i <= e->block_count; i++) {
        const uint64_t to = i < e->block_count ? e->blocks[i].bus : end;
        const uint64_t at = (from + align - 1) / align * align;
        if (at + bytes + LINE_BYTES <= to) {
            memmove(&e->blocks[i + 1], &e->blocks[i], (e->block_count - i) * sizeof e->blocks[0]);
            e->blocks[i] = (struct block){(uint32_t)at, bytes};
            e->block_count++;
            memset(e->memory + (at - BUS_BASE), 0, bytes);
            return (uint32_t)at;
        }
        if (i < e->block_count)
            from = (uint64_t)e->blocks[i].bus + e->blocks[i].bytes + LINE_BYTES;
    }
    return 0;
}

void emulator_free(struct emulator *e, uint32_t bus)
{
    for (uint32_t i = 0; i < e->block_count; i++) {
        if (e->blocks[i].bus != bus)
            continue;
        e->block_count--;
        memmove(&e->blocks[i], &e->blocks[i + 1], (e->block_count - i) * sizeof e->blocks[0]);
        return;
    }
    assert(!"frees a block");
}

static bool holds(const struct block *block, uint32_t bus, uint32_t bytes)
{
    const uint32_t offset = bus - block->bus;
    return bus >= block->bus && offset < block->bytes && bytes <= block->bytes - offset;
}

uint8_t *emulator_memory(struct emulator *e, uint32_t bus, uint32_t bytes)
{
    if (e->recent_block < e->block_count && holds(&e->blocks[e->recent_block], bus, bytes))
        return e->memory + (bus - BUS_BASE);
    for (uint32_t i = 0; i < e->block_count; i++) {
        if (!holds(&e->blocks[i], bus, bytes))
            continue;
        e->recent_block = i;
        return e->memory + (bus - BUS_BASE);
    }
    return NULL;
}

void *emulator_at(struct emulator *e, uint32_t bus)
{
    return emulator_memory(e, bus, 1);
}
