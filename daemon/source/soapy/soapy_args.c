/* soapy_args.c - parses "LNA=20,TIA=8" and other lists. */
#include "daemon/source/soapy/soapy_args.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/reason.h"

struct slice {
    const char *at;
    size_t length;
};

static struct slice trimmed(const char *at, size_t length)
{
    while (length && isspace((unsigned char)at[0])) {
        at++;
        length--;
    }
    while (length && isspace((unsigned char)at[length - 1]))
        length--;
    return (struct slice){at, length};
}

static bool copy_slice(char *into, size_t size, struct slice text)
{
    if (text.length >= size)
        return false;
    memcpy(into, text.at, text.length);
    into[text.length] = '\0';
    return true;
}

static int refuse(struct reason *why, struct slice part, const char *what)
{
    const int length = part.length > 80 ? 80 : (int)part.length;
    return reason_set(why, -EINVAL, "'%.*s' %s", length, part.at, what);
}

static bool has_key(const struct soapy_pairs *pairs, const char *key)
{
    for (size_t i = 0; i < pairs->count; i++) {
        if (strcmp(pairs->pair[i].key, key) == 0)
            return true;
    }
    return false;
}

/* NULL, or why the part is refused. */
static const char *add_pair(struct soapy_pairs *pairs, struct slice part)
{
    const char *equals = memchr(part.at, '=', part.length);
    if (!equals)
        return "is not key=value";
    if (pairs->count == SOAPY_PAIRS)
        return "is one too many";
    struct soapy_pair *pair = &pairs->pair[pairs->count];
    const size_t before = (size_t)(equals - part.at);
    const struct slice key = trimmed(part.at, before);
    const struct slice value = trimmed(equals + 1, part.length - before - 1);
    if (key.length == 0)
        return "has no key";
    if (!copy_slice(pair->key, sizeof pair->key, key) ||
        !copy_slice(pair->value, sizeof pair->value, value))
        return "is too long";
    if (has_key(pairs, pair->key))
        return "has a key that was given before";
    pairs->count++;
    return NULL;
}

int soapy_pairs_parse(const char *text, struct soapy_pairs *out, struct reason *why)
{
    out->count = 0;
    if (!text || trimmed(text, strlen(text)).length == 0)
        return 0;
    for (const char *at = text, *end; at; at = *end ? end + 1 : NULL) {
        end = strchrnul(at, ',');
        const struct slice part = trimmed(at, (size_t)(end - at));
        const char *what = add_pair(out, part);
        if (what)
            return refuse(why, part, what);
    }
    return 0;
}

static bool parse_db(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    while (*end == ' ')
        end++;
    if (strncasecmp(end, "dB", 2) == 0)
        end += 2;
    return end != text && *end == '\0' && isfinite(*out);
}

static int parse_elements(const char *text, struct soapy_gain *out, struct reason *why)
{
    struct soapy_pairs pairs;
    const int err = soapy_pairs_parse(text, &pairs, why);
    if (err < 0)
        return err;
    for (size_t i = 0; i < pairs.count; i++) {
        const struct soapy_pair *pair = &pairs.pair[i];
        const struct slice name = {pair->key, strlen(pair->key)};
        if (i == SOAPY_GAINS ||
            !copy_slice(out->element[i].name, sizeof out->element[i].name, name))
            return refuse(why, name, "is one gain too many, or too long");
        if (!parse_db(pair->value, &out->element[i].db)) {
            const struct slice value = {pair->value, strlen(pair->value)};
            return refuse(why, value, "is not a gain in dB");
        }
    }
    out->elements = pairs.count;
    return 0;
}

int soapy_gain_parse(const char *text, struct soapy_gain *out, struct reason *why)
{
    const struct slice all = trimmed(text, strlen(text));
    *out = (struct soapy_gain){.kind = SOAPY_GAIN_LEAVE};
    if (all.length == 0)
        return 0;
    if (all.length == 4 && strncasecmp(all.at, "auto", 4) == 0) {
        out->kind = SOAPY_GAIN_AUTO;
        return 0;
    }
    if (memchr(all.at, '=', all.length)) {
        out->kind = SOAPY_GAIN_ELEMENTS;
        return parse_elements(text, out, why);
    }
    out->kind = SOAPY_GAIN_TOTAL;
    if (!parse_db(all.at, &out->total_db))
        return refuse(why, all, "is not \"auto\", a number of dB or NAME=dB,...");
    return 0;
}
