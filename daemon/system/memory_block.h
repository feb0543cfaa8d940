/*
 * memory_block.h - blocks of memory, on huge pages where they are large.
 *
 * The system gives a page when it is first written: pages of 2 MiB with 512 times fewer faults. It
 * may not have them. A part of a block that is never written should then be as long as such a page.
 * Any thread.
 */
#ifndef FFTD_DAEMON_SYSTEM_MEMORY_BLOCK_H
#define FFTD_DAEMON_SYSTEM_MEMORY_BLOCK_H

#include <stddef.h>

enum { BLOCK_HUGE_PAGE = 2 << 20 };

/*
 * Aligned to 64 bytes or more; its contents are undefined. `part`: bytes that are written together;
 * from BLOCK_HUGE_PAGE on the block asks for huge pages. NULL: no memory. free() ends it.
 */
void *block_take(size_t bytes, size_t part);

#endif
