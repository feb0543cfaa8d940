/* wav_auxi.c - reads centre, rate and start from a recorder's chunk, in binary or XML. */
#include "daemon/format/recording/wav_auxi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/bytes.h"
#include "daemon/base/unix_time.h"

#define CENTER_MAX_HZ 300e9
#define RATE_MAX_HZ   10e9
#define SECONDS_MIN   315532800.0  /* FIRST_YEAR */
#define SECONDS_MAX   9214646400.0 /* the end of 2261: 64 bits of nanoseconds */

enum { BINARY_BYTES = 36, FIRST_YEAR = 1980, VALUE_MAX = 40 };

static void set_center(struct wav_auxi *out, double center_hz)
{
    if (center_hz > 0 && center_hz <= CENTER_MAX_HZ)
        out->center_hz = center_hz;
}

/* Without a date it is no such chunk. */
static void parse_binary(const uint8_t *b, size_t size, struct wav_auxi *out)
{
    if (size < BINARY_BYTES)
        return;
    const struct unix_date date = {.year = (int)bytes_get_u16(b),
                                   .month = (int)bytes_get_u16(b + 2),
                                   .day = (int)bytes_get_u16(b + 6),
                                   .hour = (int)bytes_get_u16(b + 8),
                                   .minute = (int)bytes_get_u16(b + 10),
                                   .second = (int)bytes_get_u16(b + 12),
                                   .nanosecond = 1000000L * (int)bytes_get_u16(b + 14)};
    out->has_time = date.year >= FIRST_YEAR && unix_time_ns(&date, &out->start_ns) == 0;
    if (out->has_time)
        set_center(out, bytes_get_u16(b + 32) + 65536.0 * bytes_get_u16(b + 34));
}

/* Characters of one or two bytes. Only ASCII matters here; others read as '?'. */
struct xml {
    const uint8_t *bytes;
    size_t length; /* characters */
    size_t width;  /* bytes of a character */
    bool big_endian;
};

static char char_at(const struct xml *x, size_t i)
{
    if (i >= x->length)
        return 0;
    const uint8_t *b = x->bytes + i * x->width;
    const uint8_t low = x->width == 1 || !x->big_endian ? b[0] : b[1];
    const uint8_t high = x->width == 1 ? 0 : x->big_endian ? b[0] : b[1];
    return (char)(high || low >= 0x80 ? '?' : low);
}

/* The byte order mark and the zeros next to ASCII distinguish UTF-16 from UTF-8. */
static bool open_xml(const uint8_t *bytes, size_t size, struct xml *x)
{
    *x = (struct xml){.bytes = bytes, .width = 1};
    if (size >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] && !bytes[1])))
        x->width = 2;
    if (size >= 2 && ((bytes[0] == 0xfe && bytes[1] == 0xff) || (!bytes[0] && bytes[1])))
        *x = (struct xml){.bytes = bytes, .width = 2, .big_endian = true};
    x->length = size / x->width;
    size_t at = 0;
    while (at < 4 && char_at(x, at) == '?') /* the mark */
        at++;
    return char_at(x, at) == '<';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_name_at(const struct xml *x, size_t at, const char *name)
{
    for (size_t i = 0; name[i]; i++) {
        if (char_at(x, at + i) != name[i])
            return false;
    }
    return at > 0 && (is_blank(char_at(x, at - 1)) || char_at(x, at - 1) == '<');
}

/* Copies the value after ="..." or >...<. False: neither, or longer than a value that matters. */
static bool copy_value(const struct xml *x, size_t at, char value[VALUE_MAX])
{
    while (is_blank(char_at(x, at)))
        at++;
    char end = '<';
    if (char_at(x, at) == '=') {
        do {
            at++;
        } while (is_blank(char_at(x, at)));
        end = char_at(x, at);
        if (end != '"' && end != '\'')
            return false;
    } else if (char_at(x, at) != '>') {
        return false;
    }
    size_t size = 0;
    for (at++; char_at(x, at) && char_at(x, at) != end && size < VALUE_MAX - 1; at++)
        value[size++] = char_at(x, at);
    value[size] = 0;
    return size > 0 && char_at(x, at) == end;
}

static bool find(const struct xml *x, const char *name, char value[VALUE_MAX])
{
    const size_t length = strlen(name);
    for (size_t at = 1; at + length < x->length; at++) {
        if (is_name_at(x, at, name) && copy_value(x, at + length, value))
            return true;
    }
    return false;
}

/* NAN: not there, or no number. */
static double find_number(const struct xml *x, const char *name)
{
    char value[VALUE_MAX], *end = NULL;
    if (!find(x, name, value) || strspn(value, "0123456789.") != strlen(value))
        return NAN;
    const double number = strtod(value, &end);
    return *end ? NAN : number;
}

/* "20-01-2020 01:50:24" becomes the ISO form that unix_time_parse reads. */
static bool parse_date(const char *text, int64_t *out)
{
    char iso[VALUE_MAX];
    if (strlen(text) != 19 || text[2] != '-' || text[5] != '-' || text[10] != ' ')
        return false;
    snprintf(iso, sizeof iso, "%.4s-%.2s-%.2s %s", text + 6, text + 3, text, text + 11);
    return unix_time_parse(iso, out) == 0 && *out > 0;
}

static void find_time(const struct xml *x, struct wav_auxi *out)
{
    char value[VALUE_MAX];
    const double seconds = find_number(x, "UTCSeconds");
    if (seconds >= SECONDS_MIN && seconds < SECONDS_MAX) {
        out->has_time = true;
        out->start_ns = (int64_t)seconds * 1000000000;
    } else if (find(x, "CurrentTimeUTC", value)) {
        out->has_time = parse_date(value, &out->start_ns);
    }
}

void wav_auxi_parse(const uint8_t *bytes, size_t size, struct wav_auxi *out)
{
    struct xml x;
    *out = (struct wav_auxi){.center_hz = NAN};
    if (!open_xml(bytes, size, &x)) {
        parse_binary(bytes, size, out);
        return;
    }
    const double rate = find_number(&x, "SampleRate");
    set_center(out, find_number(&x, "RadioCenterFreq"));
    if (rate > 0 && rate <= RATE_MAX_HZ)
        out->rate_hz = rate;
    find_time(&x, out);
}
