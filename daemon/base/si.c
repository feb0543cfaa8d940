/* si.c - converts "433.92M" and "433.92 MHz" to 433920000.0 and back, with a single rounding. */
#include "daemon/base/si.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct suffix {
    char letter;
    int exponent;
} suffixes[] = {{'G', 9}, {'M', 6}, {'k', 3}, {'K', 3}};

enum { SUFFIXES = sizeof suffixes / sizeof suffixes[0], MANTISSA_MAX = 64, EXPONENT_MAX = 4 };

static size_t digit_count(const char *text)
{
    return strspn(text, "0123456789");
}

/* Length of [+-]digits[.digits], 0 if there is no digit. */
static size_t mantissa_length(const char *text)
{
    const char *at = text + (*text == '+' || *text == '-');
    const size_t whole = digit_count(at);
    at += whole;
    if (*at != '.')
        return whole ? (size_t)(at - text) : 0;
    const size_t fraction = digit_count(++at);
    return whole + fraction ? (size_t)(at + fraction - text) : 0;
}

/* Parses an optional "e-3". False: an e without a number of 1 to 4 digits. */
static bool take_exponent(const char **text, int *exponent)
{
    const char *at = *text;
    if (*at != 'e' && *at != 'E')
        return true;
    at++;
    const bool minus = *at == '-';
    at += *at == '+' || *at == '-';
    const size_t length = digit_count(at);
    if (length == 0 || length > EXPONENT_MAX)
        return false;
    int value = 0;
    for (size_t i = 0; i < length; i++)
        value = 10 * value + (at[i] - '0');
    *exponent = minus ? -value : value;
    *text = at + length;
    return true;
}

static bool take_suffix(const char **text, int *exponent)
{
    for (int i = 0; i < SUFFIXES; i++) {
        if (**text == suffixes[i].letter) {
            *exponent += suffixes[i].exponent;
            ++*text;
            return true;
        }
    }
    return false;
}

/* A number in decimal digits, before its suffix. */
struct decimal {
    const char *digits; /* [length] with sign and point */
    size_t length;
    int exponent;
};

static int take_decimal(const char **text, struct decimal *out)
{
    *out = (struct decimal){.digits = *text, .length = mantissa_length(*text)};
    *text += out->length;
    if (out->length == 0 || out->length > MANTISSA_MAX || !take_exponent(text, &out->exponent))
        return -EINVAL;
    return 0;
}

/* The suffix goes into the decimal exponent, so that strtod rounds once: 433.92M is exact. */
static int finish_decimal(const struct decimal *d, double scale, double *out)
{
    char number[MANTISSA_MAX + 16];
    snprintf(number, sizeof number, "%.*se%d", (int)d->length, d->digits, d->exponent);
    const double value = strtod(number, NULL) * scale;
    if (!isfinite(value))
        return -EINVAL;
    *out = value;
    return 0;
}

int si_parse(const char *text, double *out)
{
    struct decimal d;
    if (take_decimal(&text, &d) < 0)
        return -EINVAL;
    take_suffix(&text, &d.exponent);
    return *text ? -EINVAL : finish_decimal(&d, 1, out);
}

/* ---- units ------------------------------------------------------------------------------ */

static const struct unit {
    enum si_unit unit;
    const char *name; /* in any case */
    double scale;
} units[] = {
    {SI_HZ, "Hz", 1},        {SI_RATE, "S/s", 1},       {SI_RATE, "Sps", 1},
    {SI_RATE, "Sa/s", 1},    {SI_RATE, "samples/s", 1}, {SI_RATE, "Hz", 1},
    {SI_LINES, "Hz", 1},     {SI_LINES, "/s", 1},       {SI_LINES, "lines/s", 1},
    {SI_DB, "dB", 1},        {SI_PPM, "ppm", 1},        {SI_PERCENT, "%", 1},
    {SI_SECONDS, "s", 1},    {SI_SECONDS, "sec", 1},    {SI_SECONDS, "ms", 1e-3},
    {SI_SECONDS, "min", 60}, {SI_SECONDS, "h", 3600},   {SI_SECONDS, "d", 86400},
    {SI_BINARY, "B", 1},     {SI_BINARY, "i", 1},       {SI_BINARY, "iB", 1},
    {SI_DBM, "dBm", 1},
};

/* Spaces, and the no-break spaces U+00A0 and U+202F that pages and texts put before a unit. */
static size_t space_length(const char *at)
{
    static const char *const spaces[] = {" ", "\t", "\u00a0", "\u202f"};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        const size_t length = strlen(spaces[i]);
        if (strncmp(at, spaces[i], length) == 0)
            return length;
    }
    return 0;
}

static const char *skip_spaces(const char *at)
{
    for (size_t length; (length = space_length(at)) > 0;)
        at += length;
    return at;
}

/* True if the text is the name of the unit and spaces, or only spaces. */
static bool find_unit(const char *text, enum si_unit unit, double *scale)
{
    *scale = 1;
    if (!*skip_spaces(text))
        return true;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t length = strlen(units[i].name);
        if (units[i].unit == unit && strncasecmp(text, units[i].name, length) == 0 &&
            !*skip_spaces(text + length)) {
            *scale = units[i].scale;
            return true;
        }
    }
    return false;
}

int si_parse_unit(const char *text, enum si_unit unit, double *out)
{
    struct decimal d;
    double scale;
    int exponent = 0;
    text = skip_spaces(text);
    if (take_decimal(&text, &d) < 0)
        return -EINVAL;
    text = skip_spaces(text);
    if (find_unit(text, unit, &scale) && !(unit == SI_BINARY && *text == 'i'))
        return finish_decimal(&d, scale, out);
    /* 1M of time may be meant as a month or a minute. */
    if (unit == SI_SECONDS || !take_suffix(&text, &exponent) || !find_unit(text, unit, &scale))
        return -EINVAL;
    if (unit == SI_BINARY) /* k is 3 digits, and 10 bits */
        scale = ldexp(1, 10 * exponent / 3);
    else
        d.exponent += exponent;
    return finish_decimal(&d, scale, out);
}

/* ---- formatting ------------------------------------------------------------------------- */

static void trim_zeros(char *number)
{
    if (!strchr(number, '.'))
        return;
    size_t length = strlen(number);
    while (number[length - 1] == '0')
        length--;
    if (number[length - 1] == '.')
        length--;
    number[length] = 0;
}

static const char *unscaled(double value)
{
    return value == 0 ? "0" : isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

static const struct suffix *unit_for(long exponent)
{
    for (int i = 0; i < SUFFIXES; i++) {
        if (exponent >= suffixes[i].exponent)
            return &suffixes[i];
    }
    return NULL;
}

/*
 * Puts the decimal point after `whole` digits: "43392", 3 -> "433.92". Pads with zeros. Printing a
 * scaled number instead would round a second time.
 */
static void place_point(const char *digits, int whole, char *into)
{
    const int count = (int)strlen(digits), end = whole > count ? whole : count;
    for (int i = whole < 1 ? whole - 1 : 0; i < end; i++) {
        if (i == whole)
            *into++ = '.';
        *into = '0';
        if (i >= 0 && i < count)
            *into = digits[i];
        into++;
    }
    *into = 0;
}

const char *si_format(double value, int digits, char *into, size_t size)
{
    char scientific[32], number[512]; /* room for DBL_MAX, and for the smallest with its zeros */
    if (!isfinite(value) || value == 0) {
        snprintf(into, size, "%s", unscaled(value));
        return into;
    }
    const int significant = digits < 1 ? 1 : digits > 17 ? 17 : digits;
    snprintf(scientific, sizeof scientific, "%.*e", significant - 1, fabs(value));
    char *e = strchr(scientific, 'e'); /* of the rounded number: 999.9 may have become 1000 */
    const long exponent = strtol(e + 1, NULL, 10);
    const struct suffix *unit = unit_for(exponent);
    *e = 0;
    if (scientific[1] == '.')
        memmove(scientific + 1, scientific + 2, strlen(scientific + 2) + 1);
    place_point(scientific, (int)exponent - (unit ? unit->exponent : 0) + 1, number);
    trim_zeros(number);
    snprintf(into, size, "%s%s%.*s", value < 0 ? "-" : "", number, unit ? 1 : 0,
             unit ? &unit->letter : "");
    return into;
}

bool si_parse_port(const char *text, size_t length, uint16_t *port)
{
    unsigned value = 0;
    if (length < 1 || length > 5)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = 10 * value + (unsigned)(text[i] - '0');
    }
    *port = (uint16_t)value;
    return value <= UINT16_MAX;
}
