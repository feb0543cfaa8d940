/* table_text.c - cuts the text of a table into lines, keys and words. */
#include "daemon/format/table_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"

struct table_text table_text_of(const char *name, const char *text, size_t size, struct reason *why)
{
    return (struct table_text){.name = name, .at = text, .end = text + size, .why = why};
}

int table_text_fail(struct table_text *t, const char *format, ...)
{
    char why[320];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return reason_set(t->why, -EINVAL, "%s:%zu: %s", t->name, t->line, why);
}

char *table_text_skip_blanks(char *at)
{
    while (isblank((unsigned char)*at))
        at++;
    return at;
}

char *table_text_word(char **at)
{
    char *word = table_text_skip_blanks(*at);
    char *end;
    if (*word == '"') {
        end = strchr(++word, '"');
        if (!end)
            return NULL;
    } else {
        end = word + strcspn(word, " \t");
        if (end == word)
            return NULL;
    }
    *at = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

/* Cuts off a comment, which starts outside of quotes, and blanks. Returns the beginning. */
static char *strip(char *text)
{
    bool quoted = false;
    char *end = text;
    for (; *end && (quoted || *end != '#'); end++)
        quoted ^= *end == '"';
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return table_text_skip_blanks(text);
}

/* Copies the next line into t->text. */
static int copy_line(struct table_text *t)
{
    const char *const start = t->at, *newline = memchr(start, '\n', (size_t)(t->end - start));
    const size_t length = (size_t)((newline ? newline : t->end) - start);
    t->at = newline ? newline + 1 : t->end;
    t->line++;
    if (length >= sizeof t->text)
        return table_text_fail(t, "longer than %zu characters", sizeof t->text - 1);
    if (memchr(start, '\0', length))
        return table_text_fail(t, "this is not text");
    memcpy(t->text, start, length);
    t->text[length] = '\0';
    return 0;
}

static struct table_line split(char *text)
{
    char *const end = text + strspn(text, "abcdefghijklmnopqrstuvwxyz");
    char *const equals = table_text_skip_blanks(end);
    if (end == text || *equals != '=')
        return (struct table_line){NULL, text};
    *end = '\0';
    return (struct table_line){text, table_text_skip_blanks(equals + 1)};
}

int table_text_next(struct table_text *t, struct table_line *out)
{
    while (t->at < t->end) {
        const int err = copy_line(t);
        if (err < 0)
            return err;
        char *const text = strip(t->text);
        if (!*text)
            continue;
        *out = split(text);
        return 1;
    }
    return 0;
}

int table_text_grow(struct table_text *t, struct table_buffer *buffer, size_t count)
{
    if (count == buffer->most)
        return table_text_fail(t, "more than %zu rows", buffer->most);
    if (count < buffer->rows)
        return 0;
    const size_t rows = buffer->rows ? 2 * buffer->rows : 16;
    void *grown = realloc(buffer->array, rows * buffer->bytes);
    if (!grown)
        return reason_set(t->why, -ENOMEM, "%s: no memory", t->name);
    buffer->array = grown;
    buffer->rows = rows;
    return 0;
}
