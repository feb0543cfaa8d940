/* frame.c - allocates and counts frames. */
#include "daemon/wire/frame.h"

#include <stdlib.h>
#include <string.h>

struct frame *frame_create(size_t size)
{
    struct frame *f = malloc(sizeof *f + FRAME_PRE + size);
    if (f)
        *f = (struct frame){.holders = 1, .size = size, .data = (uint8_t *)(f + 1) + FRAME_PRE};
    return f;
}

struct frame *frame_from_text(const char *text, size_t length)
{
    struct frame *f = frame_create(length);
    if (f) {
        memcpy(f->data, text, length);
        f->text = true;
    }
    return f;
}

struct frame *frame_from_json(json_t *value)
{
    char *text = value ? json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;
    struct frame *f = text ? frame_from_text(text, strlen(text)) : NULL;
    free(text);
    json_decref(value);
    return f;
}

struct frame *frame_hold(struct frame *f)
{
    f->holders++;
    return f;
}

void frame_drop(struct frame *f)
{
    if (f && --f->holders == 0)
        free(f);
}
