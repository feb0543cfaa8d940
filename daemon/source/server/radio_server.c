/* radio_server.c - connects, sends and reads with poll, within time limits. */
#include "daemon/source/server/radio_server.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/source/server_address.h"

enum { STEP_MS = 100, CONNECT_MS = 5000, ANSWER_MS = 5000, SEND_MS = 2000, FAREWELL_MS = 500 };

static int call_failed(const struct radio_server *r, struct source *s, int err)
{
    return source_fail(s, err, "%s: %s", r->name, strerror(-err));
}

static bool is_stopped(const struct source *s)
{
    return s->config->stop && atomic_load(s->config->stop);
}

static int left_ms(uint64_t until_ns)
{
    const uint64_t now_ns = clock_now_ns();
    return now_ns < until_ns ? (int)((until_ns - now_ns) / 1000000) : 0;
}

/* 1: ready; 0: not within timeout_ms; -ECANCELED; -errno. */
static int wait_for(const struct radio_server *r, const struct source *s, short events,
                    int timeout_ms)
{
    const uint64_t until_ns = clock_after_ms(timeout_ms);
    struct pollfd ready = {.fd = r->fd, .events = events};
    do {
        const int count = poll(&ready, 1, timeout_ms < STEP_MS ? timeout_ms : STEP_MS);
        if (count > 0)
            return 1;
        if (count < 0 && errno != EINTR)
            return -errno;
        if (is_stopped(s))
            return -ECANCELED;
    } while (clock_now_ns() < until_ns);
    return 0;
}

/* ---- connecting ------------------------------------------------------------------------- */

/* Small commands go at once; a server that vanished without a word is noticed within a minute. */
static void set_options(int fd)
{
    const int on = 1, idle_s = 20, interval_s = 10, tries = 3;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &tries, sizeof tries);
}

static int finish_connect(struct radio_server *r, const struct source *s, int timeout_ms)
{
    int err = 0;
    socklen_t size = sizeof err;
    const int ready = wait_for(r, s, POLLOUT, timeout_ms);
    if (ready <= 0)
        return ready < 0 ? ready : -ETIMEDOUT;
    return getsockopt(r->fd, SOL_SOCKET, SO_ERROR, &err, &size) < 0 ? -errno : -err;
}

static int connect_to(struct radio_server *r, const struct source *s, const struct addrinfo *to,
                      int timeout_ms)
{
    r->fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (r->fd < 0)
        return -errno;
    set_options(r->fd);
    int err = connect(r->fd, to->ai_addr, to->ai_addrlen) < 0 ? -errno : 0;
    if (err == -EINPROGRESS)
        err = finish_connect(r, s, timeout_ms);
    if (err < 0)
        radio_server_close(r);
    return err;
}

int radio_server_connect(struct radio_server *r, struct source *s)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    const char *device = s->config->device ? s->config->device : "";
    struct server_address address;
    struct addrinfo *found = NULL;
    *r = (struct radio_server){.fd = -1};
    if (server_address_parse(device, &address) < 0)
        return source_fail(s, -EINVAL, "device '%.80s': source %s takes HOST:PORT", device,
                           s->ops->name);
    snprintf(r->name, sizeof r->name, "%s", device);
    const int code = getaddrinfo(address.host, address.port, &hints, &found);
    if (code != 0)
        return source_fail(s, -EHOSTUNREACH, "%s: %s", r->name, gai_strerror(code));
    int err = -EHOSTUNREACH;
    const uint64_t until_ns = clock_after_ms(CONNECT_MS);
    for (const struct addrinfo *a = found; a && err < 0 && err != -ECANCELED; a = a->ai_next)
        err = connect_to(r, s, a, left_ms(until_ns));
    freeaddrinfo(found);
    return err < 0 ? call_failed(r, s, err) : 0;
}

/* A socket that is closed with unread samples is reset, and the last commands may be lost with it.
 */
void radio_server_finish(struct radio_server *r)
{
    const uint64_t until_ns = clock_after_ms(FAREWELL_MS);
    struct pollfd ready = {.fd = r->fd, .events = POLLIN};
    char waste[16384];
    if (r->fd < 0 || shutdown(r->fd, SHUT_WR) < 0)
        return;
    while (clock_now_ns() < until_ns && poll(&ready, 1, STEP_MS) >= 0) {
        const ssize_t got = recv(r->fd, waste, sizeof waste, 0);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return;
    }
}

void radio_server_close(struct radio_server *r)
{
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
}

int radio_server_list(FILE *out)
{
    (void)out;
    return 0;
}

/* ---- bytes ------------------------------------------------------------------------------ */

int radio_server_send(struct radio_server *r, struct source *s, const void *bytes, size_t size)
{
    const uint64_t until_ns = clock_after_ms(SEND_MS);
    const unsigned char *at = bytes;
    while (size > 0) {
        const ssize_t sent = send(r->fd, at, size, MSG_NOSIGNAL);
        if (sent > 0) {
            at += sent;
            size -= (size_t)sent;
            continue;
        }
        if (errno != EAGAIN && errno != EINTR)
            return call_failed(r, s, -errno);
        if (clock_now_ns() >= until_ns)
            return call_failed(r, s, -ETIMEDOUT);
        const int ready = wait_for(r, s, POLLOUT, STEP_MS);
        if (ready < 0)
            return call_failed(r, s, ready);
    }
    return 0;
}

static int64_t read_once(struct radio_server *r, struct source *s, void *into, size_t size,
                         int timeout_ms)
{
    const int ready = wait_for(r, s, POLLIN, timeout_ms);
    if (ready <= 0)
        return ready < 0 ? call_failed(r, s, ready) : 0;
    const ssize_t got = recv(r->fd, into, size, 0);
    if (got > 0)
        return got;
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    return got < 0 ? call_failed(r, s, -errno)
                   : source_fail(s, -ECONNRESET, "%s ended the connection", r->name);
}

/* Blocks of samples are larger than packets. An error after some bytes is met again. */
int64_t radio_server_read(struct radio_server *r, struct source *s, void *into, size_t size,
                          int timeout_ms)
{
    const uint64_t until_ns = clock_after_ms(timeout_ms);
    size_t have = 0;
    do {
        const int64_t got =
            read_once(r, s, (unsigned char *)into + have, size - have, left_ms(until_ns));
        if (got < 0)
            return have > 0 ? (int64_t)have : got;
        have += (size_t)got;
    } while (have < size && clock_now_ns() < until_ns);
    return (int64_t)have;
}

uint64_t radio_server_queued(const struct radio_server *r)
{
    int bytes = 0;
    return ioctl(r->fd, FIONREAD, &bytes) < 0 || bytes < 0 ? 0 : (uint64_t)bytes;
}

int radio_server_read_answer(struct radio_server *r, struct source *s, void *into, size_t size,
                             size_t *have)
{
    const uint64_t until_ns = clock_after_ms(ANSWER_MS);
    for (*have = 0; *have < size;) {
        const int64_t got =
            radio_server_read(r, s, (unsigned char *)into + *have, size - *have, STEP_MS);
        if (got < 0)
            return (int)got;
        *have += (size_t)got;
        if (*have < size && clock_now_ns() >= until_ns)
            return source_fail(s, -ETIMEDOUT, "%s sent %zu bytes of %zu within 5 s", r->name, *have,
                               size);
    }
    return 0;
}

const char *radio_server_quote(const uint8_t *bytes, size_t count,
                               char into[4 * RADIO_SERVER_QUOTED + 1])
{
    char *at = into;
    for (size_t i = 0; i < count && i < RADIO_SERVER_QUOTED; i++) {
        if (bytes[i] >= ' ' && bytes[i] <= '~')
            *at++ = (char)bytes[i];
        else
            at += snprintf(at, 5, "\\x%02x", (unsigned)bytes[i]);
    }
    *at = '\0';
    return into;
}
