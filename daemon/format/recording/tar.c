/* tar.c - parses tar headers and pax records. */
#include "daemon/format/recording/tar.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Fields of the header: offset and length. */
enum {
    NAME_AT = 0,
    NAME_LENGTH = 100,
    SIZE_AT = 124,
    SIZE_LENGTH = 12,
    SUM_AT = 148,
    SUM_LENGTH = 8,
    TYPE_AT = 156,
    MAGIC_AT = 257,
    PREFIX_AT = 345,
    PREFIX_LENGTH = 155
};

static const uint64_t size_limit = (uint64_t)1 << 62;

static bool is_digit(char c, int base)
{
    return c >= '0' && c < '0' + base;
}

/* Parses octal digits between blanks or NULs. False: anything else. */
static bool read_octal(const uint8_t *field, size_t length, uint64_t *out)
{
    size_t at = 0;
    uint64_t value = 0;
    while (at < length && field[at] == ' ')
        at++;
    for (; at < length && is_digit((char)field[at], 8); at++) {
        if (value >= size_limit / 8)
            return false;
        value = value * 8 + (uint64_t)(field[at] - '0');
    }
    *out = value;
    return at == length || field[at] == ' ' || field[at] == 0;
}

/* GNU: after a first byte of 0x80, a big-endian number. */
static bool read_size(const uint8_t *field, uint64_t *out)
{
    if (field[0] != 0x80)
        return read_octal(field, SIZE_LENGTH, out);
    uint64_t value = 0;
    for (int i = 1; i < SIZE_LENGTH; i++) {
        if (value >= size_limit >> 8)
            return false;
        value = value << 8 | field[i];
    }
    *out = value;
    return true;
}

static bool checksum_fits(const uint8_t *block)
{
    uint64_t written = 0, sum = 0;
    for (int i = 0; i < TAR_BLOCK; i++)
        sum += i >= SUM_AT && i < SUM_AT + SUM_LENGTH ? ' ' : block[i];
    return read_octal(block + SUM_AT, SUM_LENGTH, &written) && written == sum;
}

int tar_parse_header(const uint8_t block[TAR_BLOCK], struct tar_entry *out)
{
    static const uint8_t zeros[TAR_BLOCK];
    *out = (struct tar_entry){0};
    if (memcmp(block, zeros, TAR_BLOCK) == 0)
        return 1;
    if (!checksum_fits(block) || !read_size(block + SIZE_AT, &out->size))
        return -EINVAL;
    const char *prefix = (const char *)block + PREFIX_AT, *name = (const char *)block + NAME_AT;
    const bool posix =
        memcmp(block + MAGIC_AT, "ustar\0", 6) == 0 && *prefix; /* GNU has no prefix */
    snprintf(out->name, sizeof out->name, "%.*s%s%.*s", posix ? PREFIX_LENGTH : 0, prefix,
             posix ? "/" : "", NAME_LENGTH, name);
    out->type = (char)block[TYPE_AT];
    if (out->type == 0 || out->type == '7')
        out->type = TAR_FILE;
    return 0;
}

/* Parses decimal digits and returns their number. 0: none, or the value is too large. */
static size_t read_decimal(const char *text, size_t size, uint64_t *out)
{
    size_t at = 0;
    uint64_t value = 0;
    for (; at < size && is_digit(text[at], 10); at++) {
        if (value >= size_limit / 10)
            return 0;
        value = value * 10 + (uint64_t)(text[at] - '0');
    }
    *out = value;
    return at;
}

static int take_pair(const char *pair, size_t size, struct tar_entry *out)
{
    static const char path[] = "path=", length[] = "size=";
    enum { KEY = sizeof path - 1 };
    if (size > KEY && memcmp(pair, path, KEY) == 0)
        snprintf(out->name, sizeof out->name, "%.*s", (int)(size - KEY), pair + KEY);
    if (size > KEY && memcmp(pair, length, KEY) == 0 &&
        read_decimal(pair + KEY, size - KEY, &out->size) != size - KEY)
        return -EINVAL;
    return 0;
}

/* Records are "LENGTH key=value\n". The length is that of the whole record. */
int tar_parse_pax(const char *text, size_t size, struct tar_entry *out)
{
    *out = (struct tar_entry){.size = UINT64_MAX};
    for (size_t at = 0; at < size;) {
        uint64_t length = 0;
        const size_t digits = read_decimal(text + at, size - at, &length);
        if (digits == 0 || length < digits + 2 || length > size - at || text[at + digits] != ' ' ||
            text[at + length - 1] != '\n')
            return -EINVAL;
        if (take_pair(text + at + digits + 1, (size_t)length - digits - 2, out) < 0)
            return -EINVAL;
        at += (size_t)length;
    }
    return 0;
}
