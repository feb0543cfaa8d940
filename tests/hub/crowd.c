/*
 * crowd.c - many viewers of a hub, in one thread, that read all and keep nothing.
 *
 *     hub_crowd PORT VIEWERS RADIOS SECONDS
 *
 * Viewer i wants radio i % RADIOS + 1. Once all have their first pictures it prints "counting", and
 * SECONDS later one line of JSON: viewers, the seconds that they took to connect, frames, bytes,
 * seconds, reads of a socket, the frames of the viewer that got fewest, and percentiles of the age
 * of frames in ms, from the host time that the sensor wrote into them to their last byte here;
 * bytes of text messages, which have the list of radios; and the processor time of this process.
 *
 * So many viewers on the hub's machine would take much of it. So the thread looks at its sockets
 * every 2 ms, which the ages include, and what came meanwhile to one of them is one read.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    BUFFER = 1 << 16,
    HOST_TIME_AT = 4 + 16, /* in a binary message: id, then the header of the sensor */
    HEAD = HOST_TIME_AT + 8,
    AGES = 5000,   /* classes of 1 ms; the last has all that are older */
    AT_ONCE = 128, /* viewers that connect at a time */
    READY = 1024,  /* sockets of one look */
    TEXT = 1,
    BINARY = 2,
    PING = 9
};

struct viewer {
    int socket;
    bool open; /* the answer to its request was read */
    unsigned char
        head[64];  /* of the answer's end, or of the message: frame header and first bytes */
    uint64_t had;  /* bytes of the message so far, its frame header included */
    uint64_t left; /* of the message, once its length is known */
    uint64_t frames;
};

struct crowd {
    int poll;
    uint16_t port;
    uint32_t count, radios, connected;
    struct viewer *viewers;
    bool counts; /* all are connected, and the measurement runs */
    uint64_t frames, bytes, text_bytes, reads, ages[AGES];
};

static const int64_t settle_ns = 3000000000;
static const struct timespec between_looks = {.tv_nsec = 2000000};

static int64_t now_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void die(const char *what)
{
    fprintf(stderr, "hub_crowd: %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

/* ---- one viewer -------------------------------------------------------------------------- */

static void send_all(const struct viewer *v, const void *bytes, size_t count)
{
    if (send(v->socket, bytes, count, MSG_NOSIGNAL) != (ssize_t)count)
        die("sending");
}

static void viewer_connect(struct crowd *c, uint32_t index)
{
    struct viewer *v = &c->viewers[index];
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(c->port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    char request[256];
    v->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (v->socket < 0 || connect(v->socket, (const struct sockaddr *)&to, sizeof to) < 0)
        die("connecting");
    const int length = snprintf(request, sizeof request,
                                "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\n"
                                "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                "Sec-WebSocket-Protocol: fftd.3\r\n"
                                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                                c->port);
    send_all(v, request, (size_t)length);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u32 = index};
    if (epoll_ctl(c->poll, EPOLL_CTL_ADD, v->socket, &event) < 0)
        die("epoll");
}

/* A text frame whose mask is 0, so that it can be read. */
static void viewer_want(const struct viewer *v, uint32_t radio)
{
    char text[64] = {(char)0x81};
    const int length =
        snprintf(text + 6, sizeof text - 6, "{\"type\":\"want\",\"radios\":[%u]}", radio);
    text[1] = (char)(0x80 | length);
    send_all(v, text, 6 + (size_t)length);
}

/* Reads the answer up to its empty line. Returns the bytes taken. */
static size_t read_answer(struct crowd *c, struct viewer *v, const unsigned char *at, size_t count)
{
    size_t taken = 0;
    while (taken < count && !v->open) {
        memmove(v->head, v->head + 1, 3);
        v->head[3] = at[taken++];
        v->open = memcmp(v->head, "\r\n\r\n", 4) == 0;
    }
    if (v->open) {
        viewer_want(v, (uint32_t)(v - c->viewers) % c->radios + 1);
        c->connected++;
    }
    return taken;
}

static uint64_t big_endian(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

/* Bytes of the frame header, or 0 while too few of it are there. */
static uint32_t header_bytes(const struct viewer *v)
{
    const uint32_t length = v->head[1] & 127U, bytes = length == 127 ? 10 : length == 126 ? 4 : 2;
    return v->had < 2 || v->had < bytes ? 0 : bytes;
}

static uint64_t payload_bytes(const struct viewer *v)
{
    const uint32_t header = header_bytes(v);
    return header == 2 ? v->head[1] & 127U : big_endian(v->head + 2, (int)header - 2);
}

/* A pong without a mask to speak of; the server's pings have no payload, or a short one. */
static void answer_ping(const struct viewer *v, uint32_t header)
{
    const size_t bytes = (size_t)v->had - header;
    unsigned char pong[6 + HEAD] = {0x8a, (unsigned char)(0x80 | bytes)};
    memcpy(pong + 6, v->head + header, bytes);
    send_all(v, pong, 6 + bytes);
}

static void count_message(struct crowd *c, struct viewer *v, uint32_t header)
{
    int64_t host_ns;
    if (c->counts && (v->head[0] & 15) == TEXT)
        c->text_bytes += v->had;
    if (!c->counts || (v->head[0] & 15) != BINARY)
        return;
    memcpy(&host_ns, v->head + header + HOST_TIME_AT, sizeof host_ns);
    const int64_t age_ms = (now_ns(CLOCK_REALTIME) - host_ns) / 1000000;
    c->ages[age_ms < 0 ? 0 : age_ms < AGES ? age_ms : AGES - 1]++;
    c->frames++;
    v->frames++;
}

/* Reads a part of one message. Returns the bytes taken. */
static size_t read_message(struct crowd *c, struct viewer *v, const unsigned char *at, size_t count)
{
    size_t taken = 0;
    while (taken < count && !header_bytes(v))
        v->head[v->had++] = at[taken++];
    const uint32_t header = header_bytes(v);
    if (!header)
        return taken;
    const uint64_t all = header + payload_bytes(v);
    for (; taken < count && v->had < all && v->had < header + HEAD; taken++)
        v->head[v->had++] = at[taken];
    const uint64_t skipped = all - v->had < count - taken ? all - v->had : count - taken;
    v->had += skipped;
    if (v->had == all) {
        if ((v->head[0] & 15) == PING && v->had - header <= HEAD)
            answer_ping(v, header);
        count_message(c, v, header);
        v->had = 0;
    }
    return taken + (size_t)skipped;
}

static void read_bytes(struct crowd *c, struct viewer *v, const unsigned char *bytes, size_t count)
{
    for (size_t at = 0; at < count;)
        at += v->open ? read_message(c, v, bytes + at, count - at)
                      : read_answer(c, v, bytes + at, count - at);
}

/* Until the socket is empty: with a read that the buffer is not full after. */
static void viewer_read(struct crowd *c, struct viewer *v)
{
    static unsigned char buffer[BUFFER];
    ssize_t got;
    do {
        got = recv(v->socket, buffer, sizeof buffer, MSG_DONTWAIT);
        if (got < 0 && errno == EAGAIN)
            return;
        if (got <= 0) {
            errno = got == 0 ? ECONNRESET : errno;
            die("a viewer");
        }
        c->bytes += c->counts ? (uint64_t)got : 0;
        c->reads += c->counts;
        read_bytes(c, v, buffer, (size_t)got);
    } while (got == sizeof buffer);
}

/* ---- all --------------------------------------------------------------------------------- */

static void read_ready(struct crowd *c, int timeout_ms)
{
    struct epoll_event ready[READY];
    const int count = epoll_wait(c->poll, ready, READY, timeout_ms);
    for (int i = 0; i < count; i++)
        viewer_read(c, &c->viewers[ready[i].data.u32]);
    if (count < READY)
        nanosleep(&between_looks, NULL);
}

static void connect_all(struct crowd *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        viewer_connect(c, i);
        while (c->connected + AT_ONCE <= i)
            read_ready(c, 100);
    }
    while (c->connected < c->count)
        read_ready(c, 100);
}

static uint32_t age_below(const struct crowd *c, double share)
{
    uint64_t sum = 0;
    uint32_t ms = 0;
    while (ms < AGES - 1 && (double)(sum += c->ages[ms]) < share * (double)c->frames)
        ms++;
    return ms;
}

static uint64_t fewest_frames(const struct crowd *c)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < c->count; i++)
        least = c->viewers[i].frames < least ? c->viewers[i].frames : least;
    return least;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: hub_crowd PORT VIEWERS RADIOS SECONDS\n");
        return EXIT_FAILURE;
    }
    struct crowd c = {.poll = epoll_create1(0),
                      .port = (uint16_t)atoi(argv[1]),
                      .count = (uint32_t)atoi(argv[2]),
                      .radios = (uint32_t)atoi(argv[3])};
    const double seconds = atof(argv[4]);
    c.viewers = calloc(c.count, sizeof *c.viewers);
    if (c.poll < 0 || !c.viewers || c.count < 1 || c.radios < 1)
        die("start");
    const int64_t started = now_ns(CLOCK_MONOTONIC);
    connect_all(&c);
    const int64_t connected = now_ns(CLOCK_MONOTONIC);
    while (now_ns(CLOCK_MONOTONIC) < connected + settle_ns) /* the first pictures */
        read_ready(&c, 100);
    puts("counting");
    fflush(stdout);
    c.counts = true;
    const int64_t used = now_ns(CLOCK_PROCESS_CPUTIME_ID);
    const int64_t began = now_ns(CLOCK_MONOTONIC), end = began + (int64_t)(seconds * 1e9);
    while (now_ns(CLOCK_MONOTONIC) < end)
        read_ready(&c, 100);
    printf("{\"viewers\": %u, \"connect_s\": %.3f, \"seconds\": %.3f, \"frames\": %" PRIu64
           ", \"bytes\": %" PRIu64 ", \"text_bytes\": %" PRIu64 ", \"reads\": %" PRIu64
           ", \"fewest\": %" PRIu64
           ", \"p50_ms\": %u, \"p99_ms\": %u, \"most_ms\": %u, \"processor_s\": %.3f}\n",
           c.count, 1e-9 * (double)(connected - started),
           1e-9 * (double)(now_ns(CLOCK_MONOTONIC) - began), c.frames, c.bytes, c.text_bytes,
           c.reads, fewest_frames(&c), age_below(&c, 0.5), age_below(&c, 0.99), age_below(&c, 1),
           1e-9 * (double)(now_ns(CLOCK_PROCESS_CPUTIME_ID) - used));
    for (uint32_t i = 0; i < c.count; i++)
        close(c.viewers[i].socket);
    free(c.viewers);
    return EXIT_SUCCESS;
}
