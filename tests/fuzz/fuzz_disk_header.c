/*
 * fuzz_disk_header.c - libFuzzer target: headers of blocks of the disk ring. The hash is set here,
 * so that what is behind it is tested.
 *
 * What an accepted header says leaves no array and no block, and sums of its times and counts stay
 * in range: UBSan sees those.
 */
#include <math.h>

#include "daemon/record/disk/disk_piece.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    struct disk_header h, read;
    char path[MEMORY_FILE_PATH];
    take_bytes(&in, &h, sizeof h);
    if (size % 2) /* few inputs are a rate */
        h.piece.stream.tuning.rate_hz = 1e6;
    h.hash = disk_header_hash(&h);
    const int fd = make_memory_file(&h, sizeof h, path);
    const bool is = disk_header_read(fd, 0, &read);
    close(fd);
    if (!is)
        return 0;
    const struct stream *s = &read.piece.stream;
    const struct disk_entry e = disk_entry_of(&read.piece);
    check(strnlen(s->about, sizeof s->about) < sizeof s->about);
    check(strnlen(s->tuning.gain, sizeof s->tuning.gain) < sizeof s->tuning.gain);
    check(e.samples * e.sample_bytes <= DISK_BLOCK - DISK_HEADER);
    check(e.rate_hz > 0 && isfinite(e.rate_hz));
    check(e.position + e.samples >= e.position);
    return 0;
}
