/* fuzz_tar.c - libFuzzer target: tar headers. The checksum is corrected, since random bytes never
 * pass it.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/format/recording/tar.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void parse_block(const uint8_t *bytes)
{
    uint8_t block[TAR_BLOCK];
    struct tar_entry entry;
    unsigned sum = 0;
    memcpy(block, bytes, sizeof block);
    memset(block + 148, ' ', 8);
    for (int i = 0; i < TAR_BLOCK; i++)
        sum += block[i];
    snprintf((char *)block + 148, 8, "%06o", sum);
    const int kind = tar_parse_header(block, &entry);
    if (kind == 0 && (entry.size > (uint64_t)1 << 62 || strlen(entry.name) >= sizeof entry.name))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct tar_entry entry;
    if (size >= TAR_BLOCK)
        parse_block(bytes);
    const int err = tar_parse_pax((const char *)bytes, size, &entry);
    if (err != 0 && err != -EINVAL)
        abort();
    return 0;
}
