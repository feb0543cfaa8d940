/* reason.c - writes the line that explains a failure. */
#include "daemon/base/reason.h"

#include <stdio.h>

int reason_set_args(char *error, size_t error_size, int err, const char *format, va_list args)
{
    if (error)
        vsnprintf(error, error_size, format, args);
    return err;
}

int reason_set(char *error, size_t error_size, int err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    reason_set_args(error, error_size, err, format, args);
    va_end(args);
    return err;
}

int reason_say(struct reason *why, int err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    reason_set_args(why->sentence, sizeof why->sentence, err, format, args);
    va_end(args);
    return err;
}

int reason_key(struct reason *why, int err, const char *key, const char *format, ...)
{
    va_list args;
    snprintf(why->key, sizeof why->key, "%s", key);
    va_start(args, format);
    reason_set_args(why->sentence, sizeof why->sentence, err, format, args);
    va_end(args);
    return err;
}
