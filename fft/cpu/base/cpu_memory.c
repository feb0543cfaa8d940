/* cpu_memory.c - aligned blocks, on huge pages where they are large, and arenas of them. */
#include "fft/cpu/base/cpu_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20, FIRST_CHUNK = 64 << 10 };

/* So that arrays whose sizes are powers of two do not all start in the same set of L1. */
enum { BETWEEN_BLOCKS = 5 * LINE };

static size_t up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

void *cpu_memory_take(size_t bytes)
{
    const size_t align = bytes >= HUGE_PAGE ? HUGE_PAGE : LINE;
    const size_t whole = up(bytes, align);
    void *block = NULL;

    if (posix_memalign(&block, align, whole ? whole : align) != 0)
        return NULL;
    if (align == HUGE_PAGE)
        madvise(block, whole, MADV_HUGEPAGE); /* advice: it may fail */
    memset(block, 0, whole);
    return block;
}

void cpu_memory_free(void *block)
{
    free(block);
}

/* ---- arenas ----------------------------------------------------------------------------- */

struct arena_chunk { /* in the cache line before the chunk's memory */
    struct arena_chunk *next;
};

/* The chunk of an arena that counts: an address without memory.
 * NOLINTNEXTLINE(performance-no-int-to-ptr): nothing reads or writes there */
static struct arena_chunk *const nowhere = (struct arena_chunk *)LINE;

/* AddressSanitizer guards separate allocations only. */
#ifdef __SANITIZE_ADDRESS__
enum { APART = 1 };
#else
enum { APART = 0 };
#endif

/* The first chunk is small, for small plans; the next ones are huge pages. */
static size_t chunk_bytes(const struct cpu_arena *a, size_t bytes)
{
    if (APART)
        return bytes;
    if (a->bytes == 0 && bytes <= FIRST_CHUNK)
        return FIRST_CHUNK;
    return up(bytes, HUGE_PAGE);
}

static int open_chunk(struct cpu_arena *a, size_t bytes)
{
    const size_t size = chunk_bytes(a, LINE + bytes);
    struct arena_chunk *chunk = a->counts ? nowhere : cpu_memory_take(size);
    if (!chunk)
        return -ENOMEM;
    if (!a->counts) {
        chunk->next = a->chunks;
        a->chunks = chunk;
    }
    a->at = (char *)chunk + LINE;
    a->left = size - LINE;
    a->bytes += size;
    return 0;
}

void *cpu_arena_take(struct cpu_arena *a, size_t bytes)
{
    const size_t whole = up(bytes ? bytes : 1, LINE);
    if ((APART || a->left < whole) && open_chunk(a, whole) < 0)
        return NULL;
    char *block = a->at;
    const size_t used = whole + BETWEEN_BLOCKS < a->left ? whole + BETWEEN_BLOCKS : a->left;
    a->at += used;
    a->left -= used;
    return block;
}

void cpu_arena_free(struct cpu_arena *a)
{
    while (a->chunks) {
        struct arena_chunk *next = a->chunks->next;
        cpu_memory_free(a->chunks);
        a->chunks = next;
    }
    *a = (struct cpu_arena){0};
}
