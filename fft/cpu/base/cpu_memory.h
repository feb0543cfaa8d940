/*
 * cpu_memory.h - zeroed, aligned memory for tables, scratch and accumulators.
 *
 * Blocks are aligned to 64 bytes (a cache line and an AVX-512 register). Blocks of 2 MiB and more
 * are aligned to huge pages, which the kernel is asked for: without them the TLB limits large
 * frames.
 *
 * An arena's blocks are adjacent in memory and freed together. Its first chunk is small, the others
 * are huge pages. Physical addresses are contiguous within a huge page, so data that fits into a
 * cache by its size does fit. Small pages collide in L2 by chance, differently in every process.
 */
#ifndef FFTD_FFT_CPU_BASE_CPU_MEMORY_H
#define FFTD_FFT_CPU_BASE_CPU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

void *cpu_memory_take(size_t bytes); /* NULL: out of memory */
void cpu_memory_free(void *block);   /* NULL is fine */

struct cpu_arena { /* a zeroed one is empty */
    struct arena_chunk *chunks;
    char *at; /* the free `left` bytes of the newest chunk */
    size_t left;
    bool counts;  /* takes no memory: its blocks are addresses that nobody may read or write */
    size_t bytes; /* of all chunks */
};

void *cpu_arena_take(struct cpu_arena *a, size_t bytes); /* NULL: out of memory */
void cpu_arena_free(struct cpu_arena *a); /* frees all blocks; the arena is empty again */

#endif
