/* ring_mirror.h - memory that is mapped twice, back to back. Any thread. */
#ifndef FFTD_DAEMON_STREAM_RING_MIRROR_H
#define FFTD_DAEMON_STREAM_RING_MIRROR_H

#include <stddef.h>

/*
 * Maps `bytes`, whole pages, twice in a row, so that no span up to `bytes` has to be split. NULL:
 * there is no memory. munmap of 2 * bytes frees it.
 */
unsigned char *mirror_map(size_t bytes);

#endif
