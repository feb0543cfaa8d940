/* json.c - converts numbers, counters and text of any encoding to JSON, and JSON to text. */
#include "daemon/base/json.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/text.h"

json_t *number_to_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *count_to_json(uint64_t value)
{
    return json_integer((json_int_t)value);
}

json_t *text_to_json(const char *value)
{
    json_t *as_is = json_string(value);
    if (as_is)
        return as_is;
    char ascii[512];
    size_t i = 0;
    for (; value[i] && i < sizeof ascii - 1; i++)
        ascii[i] = (char)((unsigned char)value[i] < 128 ? value[i] : '?');
    ascii[i] = '\0';
    return json_string(ascii);
}

/* The end of a string of JSON text that begins with the quote at `text`. */
static const char *string_end(const char *text)
{
    for (text++; *text != '"'; text++)
        text += *text == '\\';
    return text + 1;
}

/* Writes a number of `length` bytes at `to`, a real one in fewer where it can. Returns the end. */
static char *move_number(char *to, const char *number, size_t length)
{
    char shorter[NUMBER_TEXT + 2];
    const size_t whole = strspn(number, "-0123456789");
    if (whole < length) {
        number_text(strtod(number, NULL), shorter);
        if (!strpbrk(shorter, ".e"))
            strcat(shorter, ".0"); /* to Jansson, a number without one is not real */
        if (strlen(shorter) < length) {
            number = shorter;
            length = strlen(shorter);
        }
    }
    memmove(to, number, length);
    return to + length;
}

/* JSON text whose real numbers have 17 digits each. */
static void shorten_numbers(char *text)
{
    const char *at = text;
    char *to = text;
    while (*at) {
        const size_t number = strspn(at, "-+.0123456789eE");
        const bool is_number = number > 0 && (*at == '-' || (*at >= '0' && *at <= '9'));
        const size_t length = is_number ? number : *at == '"' ? (size_t)(string_end(at) - at) : 1;
        if (is_number) {
            to = move_number(to, at, length);
        } else {
            memmove(to, at, length);
            to += length;
        }
        at += length;
    }
    *to = '\0';
}

char *json_text(const json_t *value, size_t layout)
{
    char *text = value ? json_dumps(value, layout | JSON_REAL_PRECISION(17)) : NULL;
    if (text)
        shorten_numbers(text);
    return text;
}

/* Bytes of UTF-8 text up to `most`, without a part of a character. */
static size_t whole_characters(const char *text, size_t most)
{
    while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80)
        most--;
    return most;
}

const char *value_excerpt(const json_t *value, char into[JSON_EXCERPT])
{
    enum { SHOWN = 36 };
    char *text = json_text(value, JSON_ENCODE_ANY | JSON_COMPACT);
    const bool cut = text && strlen(text) > SHOWN;
    const size_t shown = cut ? whole_characters(text, SHOWN) : SHOWN;
    snprintf(into, JSON_EXCERPT, "%.*s%s", (int)shown, text ? text : "?", cut ? "..." : "");
    free(text);
    return into;
}

const char *json_fault(const json_error_t *fault, char into[JSON_FAULT])
{
    static const struct {
        enum json_error_code code;
        const char *about;
    } faults[] = {
        {json_error_out_of_memory, "no memory"},
        {json_error_stack_overflow, "it is nested too deeply"},
        {json_error_invalid_utf8, "it is not UTF-8"},
        {json_error_premature_end_of_input, "it ends too early"},
        {json_error_end_of_input_expected, "more follows its end"},
        {json_error_null_character, "a text contains the character NUL"},
        {json_error_null_byte_in_key, "a key contains the character NUL"},
        {json_error_duplicate_key, "a key is given twice"},
        {json_error_numeric_overflow, "a number is too large"},
    };
    const char *about = "the syntax is wrong", *near = strstr(fault->text, " near '");
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (json_error_code(fault) == faults[i].code)
            about = faults[i].about;
    snprintf(into, JSON_FAULT, "%s%s (line %d, column %d)", about, near ? near : "", fault->line,
             fault->column);
    return into;
}

static bool lacks_member(json_t *now, json_t *before)
{
    const char *key;
    json_t *value;
    json_object_foreach(before, key, value)
    {
        if (!json_object_get(now, key))
            return true;
    }
    return false;
}

json_t *json_find_changes(json_t *before, json_t *now)
{
    const char *key;
    json_t *value;
    json_t *changes = lacks_member(now, before) ? NULL : json_object();
    json_object_foreach(now, key, value)
    {
        json_t *old = json_object_get(before, key);
        if (json_equal(old, value))
            continue;
        json_t *change = json_is_object(old) && json_is_object(value)
                             ? json_find_changes(old, value)
                             : json_incref(value);
        if (json_object_set_new(changes, key, change) < 0) {
            json_decref(changes);
            return NULL;
        }
    }
    return changes;
}
