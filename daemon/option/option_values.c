/* option_values.c - parses the text of an option into its field, and describes valid values. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/si.h"
#include "daemon/base/text.h"
#include "daemon/option/option.h"
#include "fft/window.h"

/* Position of text in "a, b, c", or -1. */
static int choice_index(const char *choices, const char *text)
{
    const size_t length = strlen(text);
    int index = 0;
    for (const char *at = choices; *at; index++) {
        const size_t word = strcspn(at, ",");
        if (word == length && strncmp(at, text, length) == 0)
            return index;
        at += word;
        at += strspn(at, ", ");
    }
    return -1;
}

static bool is_missing(const struct config_option *o, const char *text)
{
    return !*text && !*o->fallback;
}

static int parse_flag(const struct config_option *o, const char *text, void *field)
{
    (void)o;
    return flag_parse(text, field);
}

/* Of choices that have yes and no among others, all words for them. -1: the text is none. */
static int boolean_index(const char *choices, const char *text)
{
    bool on;
    if (flag_parse(text, &on) < 0)
        return -1;
    return choice_index(choices, on ? "yes" : "no");
}

/* With choices, "" is valid only as the default. */
static int parse_string(const struct config_option *o, const char *text, void *field)
{
    if (o->choices && !is_missing(o, text) && choice_index(o->choices, text) < 0)
        return -EINVAL;
    *(const char **)field = *text ? text : NULL;
    return 0;
}

static int parse_label(const struct config_option *o, const char *text, void *field)
{
    const size_t length = strlen(text);
    if (length >= o->size)
        return -EINVAL;
    memset(field, 0, o->size);
    memcpy(field, text, length);
    return 0;
}

static bool in_range(const struct config_option *o, double value)
{
    return o->min >= o->max || (value >= o->min && value <= o->max);
}

/* An empty text means "not given", or `missing` where that is a value in the range. */
static int parse_number(const struct config_option *o, const char *text, void *field)
{
    double value = o->missing;
    const bool absent = !*text && (is_missing(o, text) || in_range(o, value));
    if (!absent && (si_parse_unit(text, o->unit, &value) < 0 || !in_range(o, value)))
        return -EINVAL;
    if (o->size == sizeof(float))
        *(float *)field = (float)value;
    else
        *(double *)field = value;
    return 0;
}

static int store_whole(const struct config_option *o, double value, void *field)
{
    if (!(value >= 0 && value <= 0x1p53) || value != floor(value))
        return -EINVAL;
    if (o->size == sizeof(uint32_t) && value > UINT32_MAX)
        return -EINVAL;
    if (o->size == sizeof(uint32_t))
        *(uint32_t *)field = (uint32_t)value;
    else
        *(uint64_t *)field = (uint64_t)value;
    return 0;
}

static int parse_count(const struct config_option *o, const char *text, void *field)
{
    double value;
    if (si_parse_unit(text, o->unit, &value) < 0 || !in_range(o, value))
        return -EINVAL;
    return store_whole(o, value, field);
}

/* Zero is allowed outside the range. */
static int parse_bytes(const struct config_option *o, const char *text, void *field)
{
    double value;
    if (si_parse_unit(text, o->unit, &value) < 0 || (value != 0 && !in_range(o, value)))
        return -EINVAL;
    return store_whole(o, value, field);
}

static int parse_index(const struct config_option *o, const char *text, void *field)
{
    const int found = choice_index(o->choices, text);
    const int index = found >= 0 ? found : boolean_index(o->choices, text);
    if (index < 0)
        return -EINVAL;
    *(unsigned *)field = (unsigned)index;
    return 0;
}

static int parse_window(const struct config_option *o, const char *text, void *field)
{
    (void)o;
    return fft_window_parse(text, field);
}

static int parse_other(const struct config_option *o, const char *text, void *field)
{
    return o->form->parse(text, field);
}

static int parse_nothing(const struct config_option *o, const char *text, void *field)
{
    (void)o, (void)text, (void)field;
    return 0;
}

typedef int parse_function(const struct config_option *o, const char *text, void *field);

static parse_function *const parsers[] = {
    [OPTION_FLAG] = parse_flag,      [OPTION_STRING] = parse_string,
    [OPTION_LABEL] = parse_label,    [OPTION_NUMBER] = parse_number,
    [OPTION_COUNT] = parse_count,    [OPTION_BYTES] = parse_bytes,
    [OPTION_INDEX] = parse_index,    [OPTION_WINDOW] = parse_window,
    [OPTION_ASSIGN] = parse_nothing, [OPTION_MEASURE] = parse_nothing,
    [OPTION_OTHER] = parse_other,    [OPTION_TRIGGER] = parse_nothing,
};

int option_parse(const struct config_option *o, const char *text, void *fields)
{
    if (o->check && !is_missing(o, text) && o->check(text) < 0)
        return -EINVAL;
    return parsers[o->kind](o, text, (char *)fields + o->offset);
}

bool option_is_flag(const struct config_option *o)
{
    return o->kind == OPTION_FLAG;
}

static bool same_string(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

bool option_is_same(const struct config_option *o, const void *a, const void *b)
{
    const void *of_a = (const char *)a + o->offset, *of_b = (const char *)b + o->offset;
    if (o->kind == OPTION_WINDOW) {
        const struct fft_window *x = of_a, *y = of_b;
        return x->kind == y->kind && x->parameter == y->parameter;
    }
    if (o->kind == OPTION_STRING)
        return same_string(*(const char *const *)of_a, *(const char *const *)of_b);
    return memcmp(of_a, of_b, o->size) == 0;
}

/* "1M", "1024G" */
static const char *binary_text(double value, char *into, size_t size)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{0x1p30, "G"}, {0x1p20, "M"}, {0x1p10, "k"}};
    size_t i = 0;
    while (i < 2 && value < units[i].unit)
        i++;
    snprintf(into, size, "%.10g%s", value / units[i].unit, units[i].name);
    return into;
}

const char *option_expected(const struct config_option *o, char *into, size_t size)
{
    char low[32], top[32];
    const char *what = o->kind == OPTION_COUNT ? "a whole number" : "a number";
    if (o->kind == OPTION_FLAG)
        snprintf(into, size, "yes or no");
    else if (o->choices)
        snprintf(into, size, "one of %s%s%s", o->choices, o->expected ? ", " : "",
                 o->expected ? o->expected : "");
    else if (o->expected)
        snprintf(into, size, "%s", o->expected);
    else if (o->kind == OPTION_BYTES)
        snprintf(into, size,
                 "0, or a whole number of bytes from %s to %s; k, M and G are powers of 1024",
                 binary_text(o->min, low, sizeof low), binary_text(o->max, top, sizeof top));
    else if (o->unit == SI_SECONDS)
        snprintf(into, size, "a time from %.10g to %.10g s; units are ms, s, min, h and d", o->min,
                 o->max);
    else
        snprintf(into, size, "%s from %s to %s", what, si_format(o->min, 6, low, sizeof low),
                 si_format(o->max, 6, top, sizeof top));
    return into;
}
