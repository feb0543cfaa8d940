/* radio_options.c - keeps the description of a radio, and checks values against it. */
#include "daemon/stream/radio_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct radio_options *radio_options_create(void)
{
    struct radio_options *r = calloc(1, sizeof *r);
    if (r)
        atomic_init(&r->refs, 1);
    return r;
}

struct radio_options *radio_options_ref(struct radio_options *r)
{
    if (r)
        atomic_fetch_add(&r->refs, 1);
    return r;
}

void radio_options_unref(struct radio_options *r)
{
    if (r && atomic_fetch_sub(&r->refs, 1) == 1)
        free(r);
}

struct radio_option *radio_options_add(struct radio_options *r, const char *prefix,
                                       const char *name)
{
    if (r->count < RADIO_OPTIONS)
        r->count++;
    struct radio_option *o = &r->option[r->count - 1];
    *o = (struct radio_option){.step = 0};
    snprintf(o->name, sizeof o->name, "%s%s", prefix, name);
    return o;
}

void radio_option_add_value(struct radio_option *o, const char *value)
{
    const size_t used = strlen(o->values);
    if (used + strlen(value) + 1 < sizeof o->values)
        snprintf(o->values + used, sizeof o->values - used, "%s\n", value);
}

const struct radio_option *radio_options_find(const struct radio_options *r, const char *name)
{
    for (uint32_t i = 0; r && i < r->count; i++) {
        if (strcmp(r->option[i].name, name) == 0)
            return &r->option[i];
    }
    return NULL;
}

static bool is_value(const struct radio_option *o, const char *text)
{
    const size_t length = strlen(text);
    for (const char *at = o->values; *at; at += strcspn(at, "\n") + 1) {
        if (strcspn(at, "\n") == length && memcmp(at, text, length) == 0)
            return true;
    }
    return false;
}

/* "one of a, b" */
static void list_values(const struct radio_option *o, char *into, size_t size)
{
    snprintf(into, size, "one of ");
    for (const char *at = o->values; *at; at += strcspn(at, "\n") + 1) {
        const size_t used = strlen(into);
        snprintf(into + used, size - used, "%s%.*s", at == o->values ? "" : ", ",
                 (int)strcspn(at, "\n"), at);
    }
}

int radio_option_check(const struct radio_option *o, const char *text, char *expected, size_t size)
{
    const bool number = o->max > o->min;
    char *end;
    const double value = strtod(text, &end);
    if (o->values[0] && !o->open) {
        list_values(o, expected, size);
        return is_value(o, text) ? 0 : -EINVAL;
    }
    snprintf(expected, size, number ? "a number from %g to %g" : "a text without commas", o->min,
             o->max);
    if (number)
        return end != text && !*end && value >= o->min && value <= o->max ? 0 : -EINVAL;
    return strchr(text, ',') ? -EINVAL : 0;
}
