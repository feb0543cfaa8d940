/* inbox.c - a queue of messages under a lock. */
#include "daemon/nats/inbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"

struct inbox {
    uv_mutex_t lock;
    size_t bytes_max;
    /* under lock */
    struct inbox_message *first, **end;
    size_t bytes;
    uint64_t dropped;
};

static size_t bytes_of(const struct inbox_message *m)
{
    return sizeof *m + strlen(m->subject) + 1 + m->size;
}

static struct inbox_message *create_message(const char *subject, const void *data, size_t size)
{
    const size_t length = strlen(subject) + 1;
    struct inbox_message *m = malloc(sizeof *m + length + size);
    if (!m)
        return NULL;
    *m = (struct inbox_message){.time_ns = clock_unix_ns(), .size = size};
    memcpy(m->subject, subject, length);
    m->data = (uint8_t *)m->subject + length;
    if (size > 0)
        memcpy(m->data, data, size);
    return m;
}

bool inbox_put(struct inbox *i, const char *subject, const void *data, size_t size)
{
    struct inbox_message *m = size <= i->bytes_max ? create_message(subject, data, size) : NULL;
    uv_mutex_lock(&i->lock);
    const bool fits = m && i->bytes + bytes_of(m) <= i->bytes_max;
    if (fits) {
        *i->end = m;
        i->end = &m->next;
        i->bytes += bytes_of(m);
    }
    i->dropped += !fits;
    uv_mutex_unlock(&i->lock);
    if (!fits)
        free(m);
    return fits;
}

struct inbox_message *inbox_take(struct inbox *i)
{
    uv_mutex_lock(&i->lock);
    struct inbox_message *first = i->first;
    i->first = NULL;
    i->end = &i->first;
    i->bytes = 0;
    uv_mutex_unlock(&i->lock);
    return first;
}

void inbox_count_dropped(struct inbox *i, uint64_t count)
{
    uv_mutex_lock(&i->lock);
    i->dropped += count;
    uv_mutex_unlock(&i->lock);
}

uint64_t inbox_dropped(struct inbox *i)
{
    uv_mutex_lock(&i->lock);
    const uint64_t dropped = i->dropped;
    uv_mutex_unlock(&i->lock);
    return dropped;
}

int inbox_create(struct inbox **out, size_t bytes_max)
{
    struct inbox *i = calloc(1, sizeof *i);
    *out = NULL;
    if (!i || uv_mutex_init(&i->lock) < 0) {
        free(i);
        return -ENOMEM;
    }
    i->bytes_max = bytes_max;
    i->end = &i->first;
    *out = i;
    return 0;
}

void inbox_destroy(struct inbox *i)
{
    if (!i)
        return;
    for (struct inbox_message *m = inbox_take(i); m;) {
        struct inbox_message *next = m->next;
        free(m);
        m = next;
    }
    uv_mutex_destroy(&i->lock);
    free(i);
}
