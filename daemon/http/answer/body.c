/* body.c - allocates, shares and counts the bytes of HTTP answers. */
#include "daemon/http/answer/body.h"

#include <stdlib.h>

#include "daemon/http/http_server.h"

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

struct body *body_ref(struct body *b)
{
    if (b)
        b->refs++;
    return b;
}

void body_unref(struct body *b)
{
    if (!b || --b->refs > 0)
        return;
    if (b->counted)
        *b->counted -= b->size;
    free(b->memory);
    free(b);
}

const char body_does_not_fit[] = "too many answers wait to be read";

bool body_fits(const struct http_server *s, size_t size)
{
    enum { BYTES_MAX = 64 << 20 }; /* of all bodies that are not read yet */
    return s->body_bytes == 0 || s->body_bytes + size <= BYTES_MAX;
}
