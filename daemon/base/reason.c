/* reason.c - writes the reason of a failure. */
#include "daemon/base/reason.h"

#include <stdio.h>
#include <string.h>

#include "daemon/base/one_line.h"

int reason_set_args(struct reason *why, int err, const char *format, va_list args)
{
    if (why) {
        why->code = err;
        vsnprintf(why->sentence, sizeof why->sentence, format, args);
        make_one_line(why->sentence);
    }
    return err;
}

int reason_set(struct reason *why, int err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    reason_set_args(why, err, format, args);
    va_end(args);
    return err;
}

void reason_name(struct reason *why, const char *key)
{
    if (why)
        snprintf(why->key, sizeof why->key, "%s", is_one_line(key) ? key : "");
}

int reason_key(struct reason *why, int err, const char *key, const char *format, ...)
{
    va_list args;
    reason_name(why, key);
    va_start(args, format);
    reason_set_args(why, err, format, args);
    va_end(args);
    return err;
}

void reason_add(struct reason *why, const char *format, ...)
{
    va_list args;
    if (!why)
        return;
    const size_t length = strlen(why->sentence);
    va_start(args, format);
    vsnprintf(why->sentence + length, sizeof why->sentence - length, format, args);
    va_end(args);
    make_one_line(why->sentence + length);
}
