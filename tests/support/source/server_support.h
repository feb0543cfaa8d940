/* server_support.h - a server of a radio, as the tests script it: one client at a time. */
#ifndef FFTD_TESTS_SUPPORT_SOURCE_SERVER_SUPPORT_H
#define FFTD_TESTS_SUPPORT_SOURCE_SERVER_SUPPORT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct test_server {
    int listener;
    pthread_t thread;
    char address[32];                             /* "127.0.0.1:PORT" */
    void (*serve)(struct test_server *s, int fd); /* in the server's thread; the caller closes fd */
    atomic_bool stop;
    pthread_mutex_t lock;
    uint8_t received[8192]; /* under lock; so is its length */
    size_t bytes;
};

void server_start(struct test_server *s, void (*serve)(struct test_server *s, int fd));
void server_stop(struct test_server *s);

/* In serve. send: all, taking meanwhile; false if the client has left. take: keeps what the client
 * sent; false if it has left. */
bool server_send(struct test_server *s, int fd, const void *bytes, size_t size);
bool server_take(struct test_server *s, int fd, int timeout_ms);
/* Whether the client has sent these bytes, in a row; waits for them for a minute. */
bool server_received(struct test_server *s, const void *bytes, size_t size);

#endif
