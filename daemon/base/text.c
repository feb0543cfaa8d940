/* text.c - reads and writes words and numbers, and appends to a growing buffer. */
#include "daemon/base/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *number_text(double value, char into[NUMBER_TEXT])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(into, NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(into, NULL) == value)
            break;
    }
    return into;
}

int flag_parse(const char *text, bool *on)
{
    static const char *const words[][2] = {
        {"no", "yes"}, {"false", "true"}, {"off", "on"}, {"0", "1"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (int k = 0; k < 2; k++)
            if (strcmp(text, words[i][k]) == 0) {
                *on = k == 1;
                return 0;
            }
    return -EINVAL;
}

static bool reserve(struct text *t, size_t more)
{
    if (t->length + more <= t->capacity)
        return true;
    const size_t capacity = (t->length + more) * 2;
    char *data = realloc(t->data, capacity);
    if (!data) {
        t->failed = true;
        return false;
    }
    t->data = data;
    t->capacity = capacity;
    return true;
}

void text_add_bytes(struct text *t, const char *bytes, size_t count)
{
    if (count == 0 || !reserve(t, count))
        return;
    memcpy(t->data + t->length, bytes, count);
    t->length += count;
}

static void add_long(struct text *t, size_t length, const char *format, va_list args)
{
    if (!reserve(t, length + 1))
        return;
    vsnprintf(t->data + t->length, length + 1, format, args);
    t->length += length;
}

void text_add(struct text *t, const char *format, ...)
{
    char small[512];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(small, sizeof small, format, args);
    if (length >= (int)sizeof small)
        add_long(t, (size_t)length, format, again);
    else if (length > 0)
        text_add_bytes(t, small, (size_t)length);
    va_end(again);
    va_end(args);
}

void text_add_shell_word(struct text *t, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:@%+=";
    if (*word && strspn(word, plain) == strlen(word)) {
        text_add_bytes(t, word, strlen(word));
        return;
    }
    text_add_bytes(t, "'", 1);
    for (; *word; word++) {
        if (*word == '\'')
            text_add_bytes(t, "'\\''", 4);
        else
            text_add_bytes(t, word, 1);
    }
    text_add_bytes(t, "'", 1);
}

void text_add_number(struct text *t, double value)
{
    char number[NUMBER_TEXT];
    number_text(value, number);
    text_add_bytes(t, number, strlen(number));
}

void text_add_edge(struct text *t, double edge, bool is_fraction)
{
    if (is_fraction)
        text_add_number(t, edge);
    else
        text_add(t, "%.0f", edge);
    text_add_bytes(t, ", ", 2);
}

void text_add_level(struct text *t, double level_db)
{
    char digits[24];
    char *at = digits + sizeof digits;
    long hundredths = lrint(fabs(level_db) * 100);
    const bool negative = level_db < 0 && hundredths > 0;
    for (int place = 0; place < 3 || hundredths > 0; place++) {
        if (place == 2)
            *--at = '.';
        *--at = (char)('0' + hundredths % 10);
        hundredths /= 10;
    }
    if (negative)
        *--at = '-';
    text_add_bytes(t, at, (size_t)(digits + sizeof digits - at));
}

void text_clear(struct text *t)
{
    t->length = 0;
    t->failed = false;
}

void text_finish(struct text *t)
{
    free(t->data);
    *t = (struct text){0};
}
