/* text.c - splits source files into lines without comments. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "tools/qpu-asm/state.h"

static size_t length_without_comment(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (line[i] == '#' || (line[i] == '/' && i + 1 < length && line[i + 1] == '/'))
            length = i;
    while (length && isspace((unsigned char)line[length - 1]))
        length--;
    return length;
}

const struct asm_lines *asm_text_lines(struct asm_state *s, const char *file, const char *text)
{
    struct asm_lines *lines = asm_pool_alloc(s->pool, sizeof *lines);
    file = asm_pool_copy(s->pool, file, strlen(file));
    for (int number = 1; *text; number++) {
        size_t length = strcspn(text, "\n");
        size_t skipped = strspn(text, " \t");
        if (skipped > length)
            skipped = length;
        size_t kept = length_without_comment(text + skipped, length - skipped);
        lines->line = asm_pool_grow(s->pool, lines->line, lines->count, sizeof *lines->line);
        lines->line[lines->count++] =
            (struct asm_line){asm_pool_copy(s->pool, text + skipped, kept), {file, number}};
        text += length + (text[length] == '\n');
    }
    return lines;
}

const struct asm_lines *asm_text_read(struct asm_state *s, const char *file)
{
    FILE *from = fopen(file, "r");
    if (!from) {
        asm_fail(s, "%s: %s", file, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    size_t size = 0;
    for (int c; (c = getc(from)) != EOF; size++) {
        text = asm_pool_grow(s->pool, text, size, 1);
        text[size] = (char)c;
    }
    fclose(from);
    return asm_text_lines(s, file, asm_pool_copy(s->pool, text ? text : "", size));
}
