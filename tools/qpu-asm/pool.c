/* pool.c - a list of allocated blocks. */
#include "tools/qpu-asm/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
    struct block *next;
    max_align_t data[];
};

struct asm_pool {
    struct block *blocks;
};

static void *exit_if_null(void *memory)
{
    if (memory)
        return memory;
    fputs("qpu-asm: out of memory\n", stderr);
    exit(1);
}

struct asm_pool *asm_pool_create(void)
{
    return exit_if_null(calloc(1, sizeof(struct asm_pool)));
}

void asm_pool_destroy(struct asm_pool *pool)
{
    if (!pool)
        return;
    for (struct block *block = pool->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(pool);
}

void *asm_pool_alloc(struct asm_pool *pool, size_t size)
{
    struct block *block = exit_if_null(calloc(1, sizeof *block + size));
    block->next = pool->blocks;
    pool->blocks = block;
    return block->data;
}

char *asm_pool_copy(struct asm_pool *pool, const char *text, size_t length)
{
    return memcpy(asm_pool_alloc(pool, length + 1), text, length);
}

void *asm_pool_grow(struct asm_pool *pool, void *array, size_t count, size_t element)
{
    if (count & (count - 1))
        return array;
    void *moved = asm_pool_alloc(pool, (count ? 2 * count : 1) * element);
    return count ? memcpy(moved, array, count * element) : moved;
}
