/* fuzz_unpack.c - libFuzzer target: compressed data, in pieces. */
#include <errno.h>
#include <stdlib.h>

#include "daemon/format/unpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { CAPACITY = 64, MOST = 1 << 22 }; /* bytes: small data may be very long */

/* The first byte is the format and the size of the pieces. */
static void run(struct unpack *u, const uint8_t *bytes, size_t size, size_t piece)
{
    size_t total = 0;
    int err = 0;
    for (size_t at = 0; err == 0 && at < size && total < MOST;) {
        uint8_t out[CAPACITY];
        struct unpack_buffers buffers = {bytes + at, piece < size - at ? piece : size - at, out,
                                         CAPACITY};
        const size_t in = buffers.in_bytes;
        err = unpack_run(u, &buffers);
        if (buffers.in_bytes > in || buffers.out_bytes > CAPACITY ||
            buffers.out != out + CAPACITY - buffers.out_bytes)
            abort();
        if (err != 0 && err != -EBADMSG && err != -E2BIG && err != -ENOMEM)
            abort();
        if (err == 0 && buffers.in_bytes == in && buffers.out_bytes == CAPACITY)
            abort(); /* neither read nor wrote */
        at += in - buffers.in_bytes;
        total += CAPACITY - buffers.out_bytes;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2)
        return 0;
    struct unpack *u = unpack_create(bytes[0] & 1 ? UNPACK_ZSTD : UNPACK_GZIP);
    if (u)
        run(u, bytes + 1, size - 1, bytes[0] / 2 + 1U);
    unpack_destroy(u);
    return 0;
}
