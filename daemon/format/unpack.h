/*
 * unpack.h - decompresses gzip and Zstandard data piece by piece, in constant memory.
 *
 * Files of several members (gzip) or frames (Zstandard) are one stream. Zeros after the last one
 * are padding. One thread at a time.
 */
#ifndef FFTD_DAEMON_FORMAT_UNPACK_H
#define FFTD_DAEMON_FORMAT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum unpack_format { UNPACK_GZIP, UNPACK_ZSTD };

struct unpack;

/* NULL: no memory. */
struct unpack *unpack_create(enum unpack_format format);
void unpack_destroy(struct unpack *u); /* NULL is fine */

/*
 * Decompresses as much as fits, and advances both pointers and sizes. 0: it needs more input or
 * more room. -EBADMSG: the data are damaged; what was written before is good. -E2BIG: Zstandard
 * data that need more than 128 MiB of memory. -ENOMEM.
 */
struct unpack_buffers {
    const uint8_t *in;
    size_t in_bytes;
    uint8_t *out;
    size_t out_bytes;
};
int unpack_run(struct unpack *u, struct unpack_buffers *buffers);

/* Whether the input may end here: between two members, and after at least one. */
bool unpack_may_end(const struct unpack *u);

#endif
