/* source_support.c - files, bytes and sources for the tests. */
#include "tests/support/source/source_support.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/reason.h"

#include "fft/iq.h"

/* Doubles what it has: a sanitizer's realloc copies all that is there, each time. */
static void make_room(struct bytes *b, size_t size)
{
    if (size <= b->room)
        return;
    b->room = size < 2 * b->room ? 2 * b->room : size;
    b->at = realloc(b->at, b->room);
    assert_non_null(b->at);
}

void put(struct bytes *b, const void *data, size_t size)
{
    make_room(b, b->size + size + 1);
    memset(b->at + b->size, 0, size + 1);
    if (data)
        memcpy(b->at + b->size, data, size);
    b->size += size;
}

void put_zeros(struct bytes *b, size_t size)
{
    put(b, NULL, size);
}

void put_text(struct bytes *b, const char *text)
{
    put(b, text, strlen(text));
}

static void put_le(struct bytes *b, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        put(b, &(uint8_t){(uint8_t)(value >> 8 * i)}, 1);
}

void put_u16(struct bytes *b, unsigned value)
{
    put_le(b, value, 2);
}

void put_u32(struct bytes *b, uint64_t value)
{
    put_le(b, value, 4);
}

void put_u64(struct bytes *b, uint64_t value)
{
    put_le(b, value, 8);
}

void drop(struct bytes *b)
{
    free(b->at);
    *b = (struct bytes){0};
}

static char folder[] = "/tmp/fftd-test-XXXXXX";

/* A ring of strings is enough: no test needs more than a few paths at once. */
const char *path_of(const char *name)
{
    static char paths[16][512];
    static unsigned next;
    char *path = paths[next++ % 16];
    if (strstr(folder, "XXXXXX"))
        assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

const char *file_of(const char *name, const void *data, size_t size)
{
    const char *path = path_of(name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    if (size > 0)
        assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    return path;
}

const char *file_of_text(const char *name, const char *text)
{
    return file_of(name, text, strlen(text));
}

int remove_folder(void **state)
{
    (void)state;
    DIR *d = opendir(folder);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        if (e->d_name[0] != '.' && unlink(path_of(e->d_name)))
            rmdir(path_of(e->d_name));
    }
    if (d)
        closedir(d);
    rmdir(folder);
    return 0;
}

struct source_config replay_of(const char *replay)
{
    return (struct source_config){.source = "auto", .replay = replay, .tuning = {.center_hz = NAN}};
}

struct source *open_source(const struct source_config *config)
{
    struct source *s = NULL;
    struct reason why = {0};
    if (source_create(&s, source_find(config), config, &why))
        fail_msg("%s", why.sentence);
    return s;
}

void expect_refused(const struct source_config *config, int err, const char *piece)
{
    struct source *s = NULL;
    struct reason why = {0};
    const int got = source_create(&s, source_find(config), config, &why);
    if (got != err || !strstr(why.sentence, piece) || strchr(why.sentence, '\n'))
        fail_msg("wanted %d with \"%s\", got %d: %s", err, piece, got, why.sentence);
    assert_null(s);
}

struct bytes read_samples(struct source *s, uint64_t samples, uint32_t block, int *err)
{
    const size_t size = fft_iq_bytes(s->stream.format);
    struct bytes out = {0};
    uint8_t *raw = malloc(block * size); /* the exact size: the address sanitizer guards its end */
    int64_t got = 0;
    assert_non_null(raw);
    while (samples > 0) {
        got = source_read(s, raw, samples < block ? (uint32_t)samples : block, 100);
        if (got < 0)
            break;
        put(&out, raw, (size_t)got * size);
        samples -= (uint64_t)got;
    }
    *err = got < 0 ? (int)got : 0;
    free(raw);
    return out;
}
