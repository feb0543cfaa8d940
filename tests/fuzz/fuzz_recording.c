/*
 * fuzz_recording.c - libFuzzer target: whole recordings, opened and read to their end.
 *
 * The first byte of the input selects the kind: 'w' WAV, 's' SigMF archive, 'd' sdriq, others raw,
 * in format number byte modulo 32. A letter in upper case sends the recording
 * through a pipe. The rest is the recording.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/format/recording/iq_sample.h"
#include "daemon/source/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { BLOCK = 100, UNPACKED_MAX = 1 << 20 }; /* samples */

/* By their magic numbers. A few bytes of these may stand for any number of samples. */
static bool is_packed(const uint8_t *bytes, size_t size)
{
    static const uint8_t zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    return (size > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) ||
           (size > 4 && (memcmp(bytes, zstd, 4) == 0 ||
                         ((bytes[0] & 0xf0) == 0x50 && memcmp(bytes + 1, "*M\x18", 3) == 0)));
}

/*
 * How reading may end. A regular file has the samples that it promised. A pipe may end inside a
 * sample, and shows only then that it is empty; a raw one shows there what else it is. Compressed
 * data may be damaged or cut.
 */
static bool may_end(int64_t got, uint64_t samples, bool through_pipe, bool packed)
{
    if (got == -ENODATA)
        return samples > 0;
    return (through_pipe && (got == -EIO || got == -ENOTSUP)) ||
           (packed && (got == -EIO || got == -EBADMSG || got == -E2BIG));
}

static void read_all(struct source *s, uint64_t file_bytes, bool through_pipe, bool packed)
{
    const size_t size = fft_iq_bytes(s->stream.format);
    uint8_t *raw = malloc(BLOCK * size);
    uint64_t samples = 0;
    int64_t got = 0;
    while (raw && (got = s->ops->read(s, raw, BLOCK, 0)) >= 0) {
        samples += (uint64_t)got;
        if (!packed && samples * 2 > file_bytes)
            abort();
        if (samples > UNPACKED_MAX)
            break;
    }
    if (raw && got < 0 && !may_end(got, samples, through_pipe, packed))
        abort();
    if (got < 0 && got != -ENODATA && !s->why.sentence[0])
        abort();
    free(raw);
}

static const char *prefix_of(uint8_t kind)
{
    const struct iq_sample *raw = iq_sample_at(kind % 32);
    return kind == 'w'   ? "wav"
           : kind == 's' ? "sigmf"
           : kind == 'd' ? "sdriq"
                         : (raw ? raw : iq_sample_at(0))->name;
}

static int file_of(const uint8_t *bytes, size_t size)
{
    const int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    return fd;
}

/* The reading end, with the bytes in the buffer of the pipe. */
static int pipe_of(const uint8_t *bytes, size_t size)
{
    int ends[2];
    if (pipe(ends) || fcntl(ends[1], F_SETFL, O_NONBLOCK) ||
        write(ends[1], bytes, size) != (ssize_t)size)
        abort();
    close(ends[1]);
    return ends[0];
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct reason why = {0};
    char replay[64];
    struct source *s = NULL;
    if (size == 0)
        return 0;
    const bool through_pipe = isupper(bytes[0]);
    const int fd = through_pipe ? pipe_of(bytes + 1, size - 1) : file_of(bytes + 1, size - 1);
    snprintf(replay, sizeof replay, "%s:/proc/self/fd/%d", prefix_of((uint8_t)tolower(bytes[0])),
             fd);
    const struct source_config config = {
        .source = "file", .replay = replay, .tuning = {.center_hz = NAN, .rate_hz = 1e6}};
    const int err = source_create(&s, source_find(&config), &config, &why);
    if (err && !why.sentence[0])
        abort();
    if (!err)
        read_all(s, size - 1, through_pipe, is_packed(bytes + 1, size - 1));
    source_destroy(s);
    close(fd);
    return 0;
}
