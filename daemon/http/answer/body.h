/*
 * body.h - the bytes of an HTTP answer, which several answers share. Loop thread only.
 */
#ifndef FFTD_DAEMON_HTTP_ANSWER_BODY_H
#define FFTD_DAEMON_HTTP_ANSWER_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_server;

struct body {
    uint32_t refs;
    size_t size;
    const uint8_t *data;
    void *memory;      /* allocated for the data; NULL: static */
    uint64_t *counted; /* the size of the memory is added here while it is held; NULL: nowhere */
};

/* Takes over `memory`, which data points into; NULL for static data. One holder. NULL: no memory;
 * then `memory` is freed. */
struct body *body_create(void *memory, const void *data, size_t size, uint64_t *counted);
struct body *body_ref(struct body *b); /* NULL gives NULL */
void body_unref(struct body *b);       /* NULL is fine */

/* True if the bodies of all answers may hold `size` bytes more. */
bool body_fits(const struct http_server *s, size_t size);
extern const char body_does_not_fit[]; /* the sentence that says so */

#endif
