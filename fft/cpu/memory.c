/* memory.c - aligned blocks, on huge pages where they are large. */
#include "fft/cpu/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20 };

void *memory_take(size_t bytes)
{
    const size_t align = bytes >= HUGE_PAGE ? HUGE_PAGE : LINE;
    const size_t whole = (bytes + align - 1) / align * align;
    void *block = NULL;

    if (posix_memalign(&block, align, whole ? whole : align) != 0)
        return NULL;
    if (align == HUGE_PAGE)
        madvise(block, whole, MADV_HUGEPAGE); /* only a wish */
    memset(block, 0, whole);
    return block;
}

void memory_free(void *block)
{
    free(block);
}
