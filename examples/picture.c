/* picture.c - reads and writes PGM and PPM. */
#include "examples/picture.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/complain.h"

enum { MAX_LEVEL = 65535, DIGITS = 8 };

/* ---- the header -------------------------------------------------------------------------- */

/* A comment counts as the end of its line. */
static int next_byte(FILE *in)
{
    int c = getc(in);
    if (c == '#')
        while (c != EOF && c != '\n')
            c = getc(in);
    return c;
}

/* Reads the next number and the one character after it. */
static bool read_number(FILE *in, uint32_t *out)
{
    int c = next_byte(in), digits = 0;
    while (c != EOF && isspace(c))
        c = next_byte(in);
    *out = 0;
    for (; c != EOF && isdigit(c) && digits < DIGITS; c = getc(in), digits++)
        *out = *out * 10 + (uint32_t)(c - '0');
    return digits > 0 && c != EOF && isspace(c);
}

static int read_magic(struct picture *p, FILE *in, const char *path)
{
    char magic[2];
    if (fread(magic, 1, sizeof magic, in) != sizeof magic || magic[0] != 'P')
        return complain(-EINVAL, "%s: not a PGM or PPM picture", path);
    if (magic[1] != '5' && magic[1] != '6')
        return complain(-EINVAL, "%s: P%c is not supported, only binary PGM (P5) and PPM (P6)",
                        path, isprint(magic[1]) ? magic[1] : '?');
    p->channels = magic[1] == '5' ? 1 : 3;
    return 0;
}

static int read_header(struct picture *p, FILE *in, const char *path)
{
    const int err = read_magic(p, in, path);
    if (err < 0)
        return err;
    if (!read_number(in, &p->width) || !read_number(in, &p->height) || !read_number(in, &p->full))
        return complain(-EINVAL, "%s: width, height and largest level are not three numbers", path);
    if (p->full < 1 || p->full > MAX_LEVEL)
        return complain(-EINVAL, "%s: largest level %u, not 1 to 65535", path, p->full);
    if (p->width == 0 || p->height == 0 || (uint64_t)p->width * p->height > PICTURE_MAX_PIXELS)
        return complain(-EINVAL, "%s: %u x %u pixels, not 1 to %d", path, p->width, p->height,
                        PICTURE_MAX_PIXELS);
    return 0;
}

/* ---- pixels ------------------------------------------------------------------------------ */

static size_t count_of(const struct picture *p)
{
    return (size_t)p->width * p->height * p->channels;
}

static size_t bytes_of(const struct picture *p)
{
    return count_of(p) * (p->full > 255 ? 2 : 1);
}

/* The index in `level` of number i in the file, where the channels of a pixel are side by side. */
static size_t place_of(const struct picture *p, size_t i)
{
    return i % p->channels * p->width * p->height + i / p->channels;
}

static void unpack(struct picture *p, const unsigned char *raw)
{
    const float unit = 1.0F / (float)p->full;
    const bool wide = p->full > 255;
    for (size_t i = 0; i < count_of(p); i++) {
        const unsigned level = wide ? raw[2 * i] * 256U + raw[2 * i + 1] : raw[i];
        p->level[place_of(p, i)] = (float)level * unit;
    }
}

static void pack(const struct picture *p, unsigned char *raw)
{
    const bool wide = p->full > 255;
    for (size_t i = 0; i < count_of(p); i++) {
        const float level = fminf(fmaxf(p->level[place_of(p, i)], 0), 1);
        const unsigned rounded = (unsigned)lrintf(level * (float)p->full);
        if (wide) {
            raw[2 * i] = (unsigned char)(rounded >> 8);
            raw[2 * i + 1] = (unsigned char)rounded;
        } else {
            raw[i] = (unsigned char)rounded;
        }
    }
}

/* ---- files ------------------------------------------------------------------------------- */

static int read_pixels(struct picture *p, FILE *in, const char *path)
{
    const size_t bytes = bytes_of(p);
    assert(bytes > 0);
    unsigned char *raw = malloc(bytes);
    p->level = malloc(count_of(p) * sizeof *p->level);
    if (!raw || !p->level) {
        free(raw);
        return complain(-ENOMEM, "%s: no memory for %u x %u pixels", path, p->width, p->height);
    }
    const size_t got = fread(raw, 1, bytes, in);
    if (got == bytes)
        unpack(p, raw);
    free(raw);
    return got == bytes
               ? 0
               : complain(-EINVAL, "%s: ends after %zu of %zu bytes of pixels", path, got, bytes);
}

int picture_read(struct picture *p, const char *path)
{
    *p = (struct picture){0};
    FILE *in = fopen(path, "rb");
    if (!in)
        return complain(-errno, "%s: %s", path, strerror(errno));
    int err = read_header(p, in, path);
    if (err == 0)
        err = read_pixels(p, in, path);
    fclose(in);
    return err;
}

int picture_write(const struct picture *p, const char *path)
{
    const size_t bytes = bytes_of(p);
    unsigned char *raw = malloc(bytes);
    FILE *out = raw ? fopen(path, "wb") : NULL;
    int err = raw ? 0 : -ENOMEM;
    if (raw && !out)
        err = -errno;
    if (out) {
        pack(p, raw);
        fprintf(out, "P%d\n%u %u\n%u\n", p->channels == 1 ? 5 : 6, p->width, p->height, p->full);
        errno = EIO;
        if (fwrite(raw, 1, bytes, out) != bytes)
            err = -errno;
        if (fclose(out) != 0 && err == 0)
            err = -errno;
    }
    free(raw);
    return err < 0 ? complain(err, "%s: %s", path, strerror(-err)) : 0;
}

void picture_free(struct picture *p)
{
    free(p->level);
    p->level = NULL;
}
