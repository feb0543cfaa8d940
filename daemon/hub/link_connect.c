/* link_connect.c - shuts the socket of a connection down whose broker does not answer. */
#include "daemon/hub/link_connect.h"

#include <dirent.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

enum { SOCKETS_MAX = 64, DEFAULT_PORT = 4222, AGAIN_MS = 100 };

struct sockets {
    int fd[SOCKETS_MAX], count;
};

struct guard {
    uint16_t port;
    struct sockets before; /* those of other links */
    uv_mutex_t lock;
    uv_cond_t done_cond;
    bool done;
};

static uint16_t port_of(const char *url)
{
    const char *host = strstr(url, "//");
    const char *bracket = strrchr(url, ']');
    const char *colon = strrchr(bracket ? bracket : host ? host : url, ':');
    const long port = colon ? strtol(colon + 1, NULL, 10) : 0;
    return port > 0 && port < 65536 ? (uint16_t)port : DEFAULT_PORT;
}

/* 0: it is no TCP socket with a peer. */
static uint16_t peer_port(int fd)
{
    struct sockaddr_storage peer = {0};
    socklen_t size = sizeof peer;
    if (getpeername(fd, (struct sockaddr *)&peer, &size) < 0)
        return 0;
    if (peer.ss_family == AF_INET)
        return ntohs(((const struct sockaddr_in *)&peer)->sin_port);
    if (peer.ss_family == AF_INET6)
        return ntohs(((const struct sockaddr_in6 *)&peer)->sin6_port);
    return 0;
}

/* The sockets of this process that are connected to a port. */
static void find_sockets(uint16_t port, struct sockets *out)
{
    const struct dirent *entry;
    DIR *dir = opendir("/proc/self/fd");
    out->count = 0;
    while (dir && (entry = readdir(dir)) && out->count < SOCKETS_MAX) {
        const int fd = (int)strtol(entry->d_name, NULL, 10);
        if (entry->d_name[0] != '.' && peer_port(fd) == port)
            out->fd[out->count++] = fd;
    }
    if (dir)
        closedir(dir);
}

static bool has(const struct sockets *s, int fd)
{
    for (int i = 0; i < s->count; i++)
        if (s->fd[i] == fd)
            return true;
    return false;
}

static void shut_down(const struct guard *g)
{
    struct sockets now;
    find_sockets(g->port, &now);
    for (int i = 0; i < now.count; i++)
        if (!has(&g->before, now.fd[i]))
            shutdown(now.fd[i], SHUT_RDWR);
}

static void watch(void *user)
{
    struct guard *g = user;
    uint64_t wait_ms = LINK_ANSWER_MS;
    pthread_setname_np(pthread_self(), "guard");
    uv_mutex_lock(&g->lock);
    while (!g->done) {
        if (uv_cond_timedwait(&g->done_cond, &g->lock, wait_ms * 1000000) == 0 || g->done)
            continue;
        shut_down(g);
        wait_ms = AGAIN_MS;
    }
    uv_mutex_unlock(&g->lock);
}

static natsStatus connect_watched(struct guard *g, natsConnection **out, natsOptions *options)
{
    uv_thread_t thread;
    if (uv_thread_create(&thread, watch, g) < 0)
        return NATS_NO_MEMORY;
    const natsStatus s = natsConnection_Connect(out, options);
    uv_mutex_lock(&g->lock);
    g->done = true;
    uv_cond_signal(&g->done_cond);
    uv_mutex_unlock(&g->lock);
    uv_thread_join(&thread);
    return s;
}

natsStatus link_connect(natsConnection **out, natsOptions *options, const char *url)
{
    struct guard g = {.port = port_of(url)};
    find_sockets(g.port, &g.before);
    if (uv_mutex_init(&g.lock) < 0)
        return NATS_NO_MEMORY;
    natsStatus s = NATS_NO_MEMORY;
    if (uv_cond_init(&g.done_cond) == 0) {
        s = connect_watched(&g, out, options);
        uv_cond_destroy(&g.done_cond);
    }
    uv_mutex_destroy(&g.lock);
    return s;
}
