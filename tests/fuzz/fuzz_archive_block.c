/*
 * fuzz_archive_block.c - blocks of the spectrum archive. The input is a head and a payload; the
 * payload is compressed here, and sizes and checksum are set, so that what is behind them is
 * tested.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "daemon/archive/store/block.h"
#include "daemon/base/bytes.h"
#include "tests/fuzz/fuzz.h"

static void read_block(const uint8_t *bytes, size_t size)
{
    struct block_reader r;
    if (block_open(&r, bytes, size) < 0)
        return;
    const uint32_t columns = r.head.layout.columns;
    float *levels = calloc(4 * (size_t)columns, sizeof *levels);
    const struct block_levels out = {levels, levels + columns, levels + 2 * columns,
                                     levels + 3 * columns};
    uint32_t rows = 0;
    while (rows <= r.head.rows && block_next_row(&r, &out) == 0)
        rows++;
    if (rows > r.head.rows)
        abort(); /* more rows than there are */
    if (memchr(r.facts, 0, ARCHIVE_FACTS) == NULL)
        abort();
    free(levels);
    block_finish(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct block_head head;
    read_block(bytes, size);
    if (size < BLOCK_HEAD)
        return 0;
    const size_t capacity = ZSTD_compressBound(size);
    uint8_t *block = malloc(BLOCK_HEAD + capacity);
    memcpy(block, bytes, BLOCK_HEAD);
    const size_t packed =
        ZSTD_compress(block + BLOCK_HEAD, capacity, bytes + BLOCK_HEAD, size - BLOCK_HEAD, 1);
    bytes_put(block + 8, BLOCK_HEAD + packed, 4);
    bytes_put(block + 12, size - BLOCK_HEAD, 4);
    bytes_put(block + 4, crc32(0, block + 8, (uInt)(BLOCK_HEAD + packed - 8)), 4);
    if (block_read_head(block, &head) == 0)
        read_block(block, BLOCK_HEAD + packed);
    free(block);
    return 0;
}
