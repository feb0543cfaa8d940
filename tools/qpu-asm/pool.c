/* arena.c - a list of blocks. */
#include "tools/qpu-asm/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
    struct block *next;
    max_align_t data[];
};

struct asm_arena {
    struct block *blocks;
};

static void *need(void *memory)
{
    if (memory)
        return memory;
    fputs("qpu-asm: out of memory\n", stderr);
    exit(1);
}

struct asm_arena *asm_arena_create(void)
{
    return need(calloc(1, sizeof(struct asm_arena)));
}

void asm_arena_destroy(struct asm_arena *arena)
{
    if (!arena)
        return;
    for (struct block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(arena);
}

void *asm_take(struct asm_arena *arena, size_t size)
{
    struct block *block = need(calloc(1, sizeof *block + size));
    block->next = arena->blocks;
    arena->blocks = block;
    return block->data;
}

char *asm_copy(struct asm_arena *arena, const char *text, size_t length)
{
    return memcpy(asm_take(arena, length + 1), text, length);
}

void *asm_grow(struct asm_arena *arena, void *array, size_t count, size_t element)
{
    if (count & (count - 1))
        return array;
    void *moved = asm_take(arena, (count ? 2 * count : 1) * element);
    return count ? memcpy(moved, array, count * element) : moved;
}
