/* arena.h - memory of one assembly: taken in pieces, given back all at once. */
#ifndef FFTD_TOOLS_QPU_ASM_ARENA_H
#define FFTD_TOOLS_QPU_ASM_ARENA_H

#include <stddef.h>

struct asm_arena;

struct asm_arena *asm_arena_create(void);
void asm_arena_destroy(struct asm_arena *arena);

/* Zeroed; ends the program when there is no memory left. */
void *asm_take(struct asm_arena *arena, size_t size);
char *asm_copy(struct asm_arena *arena, const char *text, size_t length);

/* Room for one more in an array of *count elements: moves it when its count is a power of two. */
void *asm_grow(struct asm_arena *arena, void *array, size_t count, size_t element);

#endif
