/*
 * inbox.h - messages of a broker, or for it, on their way to another thread. Any thread puts, one
 * takes. The memory is bounded; a message without room is dropped and counted, and no caller waits.
 */
#ifndef FFTD_DAEMON_NATS_INBOX_H
#define FFTD_DAEMON_NATS_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INBOX_HUB_BYTES = 32 << 20,
    INBOX_CONTROL_BYTES = 64 << 10,
    INBOX_CALL_BYTES = 2 << 20,
    INBOX_ANSWER_BYTES = 4 << 20
};

struct inbox_message {
    struct inbox_message *next;
    int64_t time_ns; /* Unix time when it came */
    size_t size;
    uint8_t *data; /* in the same allocation */
    char subject[];
};

struct inbox;

int inbox_create(struct inbox **out, size_t bytes_max); /* 0 or -ENOMEM */
void inbox_destroy(struct inbox *i);                    /* NULL is fine */
/* Copies both. False: dropped. */
bool inbox_put(struct inbox *i, const char *subject, const void *data, size_t size);
/* All that wait, oldest first; the caller frees each. NULL: none. */
struct inbox_message *inbox_take(struct inbox *i);
void inbox_count_dropped(struct inbox *i, uint64_t count); /* that never came to it */
uint64_t inbox_dropped(struct inbox *i);

#endif
