/* text.c - reads files as a whole, and refuses what page-pack does not know. */
#include "tools/page-pack/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PATH = 4096 };

struct block {
    struct block *next;
    max_align_t data[];
};
static struct block *blocks;

void *text_allocate(size_t count, size_t size)
{
    struct block *block = calloc(1, sizeof *block + count * size);
    if (!block) {
        fputs("page-pack: no memory\n", stderr);
        exit(1);
    }
    block->next = blocks;
    blocks = block;
    return block->data;
}

void text_free_all(void)
{
    while (blocks) {
        struct block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

_Noreturn void text_refuse(const struct text *text, const char *at, const char *format, ...)
{
    fprintf(stderr, "%s:", text->name);
    if (at) {
        int line = 1;
        for (const char *c = text->begin; c < at; c++)
            line += *c == '\n';
        fprintf(stderr, "%d:", line);
    }
    va_list args;
    va_start(args, format);
    fputc(' ', stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

struct text text_read(const char *folder, const char *file)
{
    struct text text = {.name = file};
    char path[MAX_PATH];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path)
        text_refuse(&text, NULL, "the path is too long");
    FILE *from = fopen(path, "rb");
    if (!from)
        text_refuse(&text, NULL, "%s", strerror(errno));
    const long size = fseek(from, 0, SEEK_END) == 0 ? ftell(from) : -1;
    if (size < 0 || fseek(from, 0, SEEK_SET) != 0)
        text_refuse(&text, NULL, "%s", strerror(errno));
    char *all = text_allocate((size_t)size + 1, 1);
    if (fread(all, 1, (size_t)size, from) != (size_t)size)
        text_refuse(&text, NULL, "cannot be read");
    fclose(from);
    if (memchr(all, '\0', (size_t)size))
        text_refuse(&text, NULL, "contains a byte 0");
    text.begin = all;
    text.end = all + size;
    return text;
}
