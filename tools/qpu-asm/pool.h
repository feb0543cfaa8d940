/* pool.h - allocates the memory of one assembly and frees all of it at once. */
#ifndef FFTD_TOOLS_QPU_ASM_POOL_H
#define FFTD_TOOLS_QPU_ASM_POOL_H

#include <stddef.h>

struct asm_pool;

struct asm_pool *asm_pool_create(void);
void asm_pool_destroy(struct asm_pool *pool);

/* Zeroed memory. Exits the program if there is none left. */
void *asm_pool_alloc(struct asm_pool *pool, size_t size);
/* A copy of text[length], terminated by 0. */
char *asm_pool_copy(struct asm_pool *pool, const char *text, size_t length);

/* Makes room for one more element in an array of `count`. Returns the array, which moves when count
 * is 0 or a power of two. element: size in bytes. */
void *asm_pool_grow(struct asm_pool *pool, void *array, size_t count, size_t element);

#endif
