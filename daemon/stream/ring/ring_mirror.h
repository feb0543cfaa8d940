/* ring_mirror.h - memory that is mapped twice, back to back. Any thread. */
#ifndef FFTD_DAEMON_STREAM_RING_RING_MIRROR_H
#define FFTD_DAEMON_STREAM_RING_RING_MIRROR_H

#include <stddef.h>

struct reason;

/*
 * Maps `bytes`, whole pages, twice in a row, so that no raw span up to `bytes` has to be split.
 * Uses a memfd; without one (an old kernel, WSL 1, a seccomp filter, a limit on the size of files)
 * a shared anonymous mapping that mremap doubles. -errno: `why` names each call that failed. munmap
 * of 2 * bytes frees it.
 */
int mirror_map(unsigned char **out, size_t bytes, struct reason *why);

#endif
