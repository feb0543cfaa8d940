/*
 * values.h - reads the values of a call: a text as on the command line ("433.92 MHz"), a number, or
 * true and false. Pure, any thread.
 */
#ifndef FFTD_DAEMON_API_VALUES_H
#define FFTD_DAEMON_API_VALUES_H

#include <jansson.h>

#include "daemon/base/reason.h"
#include "daemon/option/option.h"

enum { API_VALUE_TEXT = 1024 };

/* The value as the text of an option. -EINVAL: it is an object, an array, or has control
 * characters. */
int api_value_text(const char *key, const json_t *value, char text[API_VALUE_TEXT],
                   struct reason *why);
/* Calls `add` with the text of each value. 0, or its first error, and the key of that value. */
int api_values_each(const json_t *values,
                    int (*add)(void *into, const char *key, const char *text, struct reason *why),
                    void *into, struct reason *why);
/* Writes each value into the member of its row. Keys without a row stay unread. */
int api_values_read(const json_t *values, const struct config_option *keys, void *into,
                    struct reason *why);
bool api_values_have(const json_t *values, const char *key);
/* 0: the key is one of the names. -EINVAL: it is none; says which one is meant. */
int api_check_key(const char *key, const char *const names[], size_t count, struct reason *why);

#endif
