/* body.c - allocates, shares and counts the bytes of HTTP answers. */
#include "daemon/http/answer/body.h"

#include <stdlib.h>

struct body *body_create(void *memory, const void *data, size_t size, uint64_t *counted)
{
    struct body *b = malloc(sizeof *b);
    if (!b) {
        free(memory);
        return NULL;
    }
    *b = (struct body){1, size, data, memory, memory ? counted : NULL};
    if (b->counted)
        *b->counted += size;
    return b;
}

struct body *body_hold(struct body *b)
{
    if (b)
        b->holders++;
    return b;
}

void body_drop(struct body *b)
{
    if (!b || --b->holders > 0)
        return;
    if (b->counted)
        *b->counted -= b->size;
    free(b->memory);
    free(b);
}
