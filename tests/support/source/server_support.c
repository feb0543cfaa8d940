/* server_support.c - listens on loopback and serves one client after the other. */
#include "tests/support/source/server_support.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/cmocka_all.h"

static void *run(void *arg)
{
    struct test_server *s = arg;
    struct pollfd ready = {.fd = s->listener, .events = POLLIN};
    while (!atomic_load(&s->stop)) {
        if (poll(&ready, 1, 20) <= 0)
            continue;
        const int fd = accept(s->listener, NULL, NULL);
        if (fd < 0)
            continue;
        s->serve(s, fd);
        close(fd);
    }
    return NULL;
}

void server_start(struct test_server *s, void (*serve)(struct test_server *s, int fd))
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    memset(s, 0, sizeof *s);
    s->serve = serve;
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(s->listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(s->listener, 4), 0);
    assert_int_equal(getsockname(s->listener, (struct sockaddr *)&at, &size), 0);
    snprintf(s->address, sizeof s->address, "127.0.0.1:%u", ntohs(at.sin_port));
    assert_int_equal(pthread_mutex_init(&s->lock, NULL), 0);
    assert_int_equal(pthread_create(&s->thread, NULL, run, s), 0);
}

void server_stop(struct test_server *s)
{
    atomic_store(&s->stop, true);
    pthread_join(s->thread, NULL);
    close(s->listener);
    pthread_mutex_destroy(&s->lock);
}

bool server_take(struct test_server *s, int fd, int timeout_ms)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    if (poll(&ready, 1, timeout_ms) <= 0)
        return !atomic_load(&s->stop);
    pthread_mutex_lock(&s->lock);
    const ssize_t got = recv(fd, s->received + s->bytes, sizeof s->received - s->bytes, 0);
    s->bytes += got > 0 ? (size_t)got : 0;
    pthread_mutex_unlock(&s->lock);
    return got > 0 && !atomic_load(&s->stop);
}

bool server_send(struct test_server *s, int fd, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    while (size > 0) {
        const ssize_t sent = send(fd, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EAGAIN && server_take(s, fd, 2))
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool server_received(struct test_server *s, const void *bytes, size_t size)
{
    for (int tries = 0; tries < 6000; tries++) {
        pthread_mutex_lock(&s->lock);
        const bool found = memmem(s->received, s->bytes, bytes, size) != NULL;
        pthread_mutex_unlock(&s->lock);
        if (found)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}
