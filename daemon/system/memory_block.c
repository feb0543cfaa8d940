/* memory_block.c - aligns blocks, and asks for huge pages. */
#include "daemon/system/memory_block.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64 };

void *block_take(size_t bytes, size_t part)
{
    const size_t align = part >= BLOCK_HUGE_PAGE ? BLOCK_HUGE_PAGE : CACHE_LINE;
    const size_t whole = (bytes + align - 1) / align * align;
    void *block = aligned_alloc(align, whole);
#ifdef MADV_HUGEPAGE
    if (block && align == BLOCK_HUGE_PAGE)
        madvise(block, whole, MADV_HUGEPAGE); /* advice: it may fail */
#endif
    return block;
}
