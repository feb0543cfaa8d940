/* npy.c - reads type and shape from the header of a NumPy array. */
#include "daemon/format/recording/npy.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/bytes.h"
#include "daemon/base/reason.h"
#include "daemon/format/recording/iq_sample.h"

enum { MAGIC = 6, PREFIX = 12, SIDES_MAX = 4 };
#define SAMPLES_MAX (UINT64_MAX / 64) /* their bytes fit, too */

struct shape {
    int sides;
    uint64_t side[SIDES_MAX];
};

/* ---- the literal -------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* The value of a key. NULL: it has none. */
static const char *value_of(const char *text, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", key);
    const char *at = strstr(text, quoted);
    if (!at)
        return NULL;
    at = skip_blanks(at + strlen(quoted));
    return *at == ':' ? skip_blanks(at + 1) : NULL;
}

/* "(1000, 2)": at most SIDES_MAX. */
static bool parse_shape(const char *at, struct shape *out)
{
    *out = (struct shape){0};
    if (!at || *at != '(')
        return false;
    for (at = skip_blanks(at + 1); *at != ')'; at = skip_blanks(at)) {
        uint64_t side = 0;
        if (*at < '0' || *at > '9' || out->sides == SIDES_MAX)
            return false;
        for (; *at >= '0' && *at <= '9'; at++) {
            if (side > SAMPLES_MAX / 10)
                return false;
            side = side * 10 + (uint64_t)(*at - '0');
        }
        out->side[out->sides++] = side;
        at += strspn(at, " L"); /* of Python 2 */
        at += *at == ',';
    }
    return true;
}

/* "'<c8'" */
static bool parse_type(const char *at, char type[8])
{
    const size_t length = at && *at == '\'' ? strcspn(at + 1, "'") : 0;
    if (length == 0 || length >= 8 || at[1 + length] != '\'')
        return false;
    memcpy(type, at + 1, length);
    type[length] = 0;
    return true;
}

/* "[('re', '<i2'), ('im', '<i2')]": two fields of one type. */
static bool parse_fields(const char *at, char type[8])
{
    char other[8];
    if (*at != '[')
        return false;
    for (int i = 0; i < 2; i++) {
        at += strspn(at, " [(,)");
        if (*at != '\'')
            return false;
        at += strcspn(at + 1, "'") + 1;
        at += strspn(at, "', ");
        if (!parse_type(at - 1, i == 0 ? type : other))
            return false;
        at += strcspn(at, "'") + 1;
    }
    return *skip_blanks(at) == ')' && *skip_blanks(skip_blanks(at) + 1) == ']' &&
           strcmp(type, other) == 0;
}

/* ---- what can be read --------------------------------------------------------------------- */

/* A type without its byte order: as I and Q, and as real samples. */
static const struct type {
    const char *type, *pairs, *real;
    unsigned bytes; /* of one */
} types[] = {{"c8", "cf32", NULL, 8},   {"c16", "cf64", NULL, 16}, {"i1", "cs8", "ri8", 1},
             {"u1", "cu8", "ru8", 1},   {"i2", "cs16", "ri16", 2}, {"u2", "cu16", "ru16", 2},
             {"i4", "cs32", "ri32", 4}, {"u4", "cu32", "ru32", 4}, {"f4", "cf32", "rf32", 4},
             {"f8", "cf64", "rf64", 8}};

static const struct type *find_type(const char *text)
{
    for (size_t i = 0; text[0] && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(text + 1, types[i].type) == 0 && strchr("<>=|", text[0]))
            return &types[i];
    }
    return NULL;
}

static const struct iq_sample *find_sample(const char *name, char order, unsigned bytes)
{
    char text[16];
    snprintf(text, sizeof text, "%s%s", name, order == '>' && bytes > 1 ? "_be" : "");
    return iq_sample_find(text);
}

/* Complex numbers in one row or column. */
static bool is_line(const struct shape *s)
{
    return s->sides == 1 || (s->sides == 2 && (s->side[0] == 1 || s->side[1] == 1));
}

static int refuse_shape(const struct shape *s, const char *mend, struct reason *why)
{
    char text[96] = "";
    for (int i = 0; i < s->sides; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%llu", i ? ", " : "",
                 (unsigned long long)s->side[i]);
    }
    return reason_set(why, -ENOTSUP, "a NumPy array of shape (%s): %s", text, mend);
}

/* Complex numbers, or records of two fields. */
static int take_line(const struct shape *s, unsigned bytes, struct npy *out, struct reason *why)
{
    if (!is_line(s))
        return refuse_shape(s, "save one row of it", why);
    out->data_bytes = bytes * (s->sides == 1 || s->side[1] == 1 ? s->side[0] : s->side[1]);
    return 0;
}

static int take_columns(const struct shape *s, bool fortran, unsigned bytes, struct npy *out,
                        struct reason *why)
{
    if (s->sides != 2 || s->side[1] != 2)
        return refuse_shape(s, "I and Q have to be its two columns", why);
    if (fortran)
        return refuse_shape(s, "its columns follow one another: save numpy.ascontiguousarray(a)",
                            why);
    out->data_bytes = 2 * bytes * s->side[0];
    return 0;
}

static int take(const char *text, struct npy *out, struct reason *why)
{
    const char *descr = value_of(text, "descr"), *order = value_of(text, "fortran_order");
    struct shape shape;
    char text_of_type[8] = "";
    if (!descr || !order || !parse_shape(value_of(text, "shape"), &shape))
        return reason_set(why, -EINVAL, "a NumPy array with a malformed header");
    const bool fields = *descr == '[';
    const bool parsed =
        fields ? parse_fields(descr, text_of_type) : parse_type(descr, text_of_type);
    const struct type *type = find_type(text_of_type);
    if (!parsed || (fields && type && !type->real))
        return reason_set(why, -ENOTSUP, "a NumPy array of records: save complex64");
    if (!type)
        return reason_set(why, -ENOTSUP,
                          "a NumPy array of type %s: save complex64, or integers or floats of "
                          "shape (n, 2)",
                          text_of_type);
    const bool real = !fields && type->real && shape.sides == 1;
    out->sample = find_sample(real ? type->real : type->pairs, text_of_type[0], type->bytes);
    return fields || real || !type->real
               ? take_line(&shape, fields ? 2 * type->bytes : type->bytes, out, why)
               : take_columns(&shape, strncmp(order, "True", 4) == 0, type->bytes, out, why);
}

int npy_parse(const uint8_t *bytes, size_t size, struct npy *out, struct reason *why)
{
    *out = (struct npy){0};
    if (size < PREFIX)
        return PREFIX;
    if (memcmp(bytes, "\x93NUMPY", MAGIC) != 0 || bytes[6] < 1 || bytes[6] > 3)
        return reason_set(why, -EINVAL, "no NumPy array of version 1 to 3");
    const size_t start = bytes[6] == 1 ? 10 : 12;
    const uint64_t length = bytes_get(bytes + 8, bytes[6] == 1 ? 2 : 4);
    if (length > NPY_HEADER_MAX - PREFIX)
        return reason_set(why, -EINVAL, "a NumPy array with a header of more than 64 KiB");
    out->data_at = start + (size_t)length;
    if (size < out->data_at)
        return (int)out->data_at;
    char text[1024]; /* of a header that fftd reads */
    const size_t kept = (size_t)length < sizeof text - 1 ? (size_t)length : sizeof text - 1;
    memcpy(text, bytes + start, kept);
    text[kept] = 0;
    return take(text, out, why);
}
