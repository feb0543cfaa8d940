/* si.c - converts "433.92M" to 433920000.0 and back, each with a single rounding. */
#include "daemon/base/si.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void take_suffix(const char **text, int *exponent)
{
    for (int i = 0; i < SUFFIXES; i++) {
        if (**text == suffixes[i].letter) {
            *exponent += suffixes[i].exponent;
            ++*text;
            return;
        }
    }
}

/* The suffix goes into the decimal exponent, so that strtod rounds once: 433.92M is exact. */
int si_parse(const char *text, double *out)
{
    char number[MANTISSA_MAX + 16];
    const size_t length = mantissa_length(text);
    const char *rest = text + length;
    int exponent = 0;
    if (length == 0 || length > MANTISSA_MAX || !take_exponent(&rest, &exponent))
        return -EINVAL;
    take_suffix(&rest, &exponent);
    if (*rest)
        return -EINVAL;
    snprintf(number, sizeof number, "%.*se%d", (int)length, text, exponent);
    const double value = strtod(number, NULL);
    if (!isfinite(value))
        return -EINVAL;
    *out = value;
    return 0;
}

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
