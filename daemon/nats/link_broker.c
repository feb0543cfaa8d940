/* link_broker.c - starts, watches and ends the process of a connection. */
#include "daemon/nats/link_broker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/bytes.h"
#include "daemon/base/clock.h"

enum { POLL_MS = 50, WHY = 256 };
static const char program[] = "/proc/self/exe";
static const char ended[] = "the process of the connection ended";

struct link_broker {
    struct link_broker_config config;
    char why[WHY];
    bool crashed;
    bool accepted; /* by the broker, at the last connect */
    uint64_t dropped;
    struct link_frame_reader reader;
    pid_t pid; /* 0: there is none */
    bool connected;
    uv_mutex_t lock;
    int fd;    /* of the process; written by the owner's thread, under lock */
    bool up;   /* under lock: it takes what is to be published */
    bool full; /* under lock: it took nothing for LINK_WRITE_MS */
};

/* ---- the process ------------------------------------------------------------------------- */

static void set_why(struct link_broker *b, const struct link_frame *f)
{
    snprintf(b->why, sizeof b->why, "%.*s", (int)(f->size < WHY ? f->size : WHY - 1),
             (const char *)f->data);
}

static void note_end(struct link_broker *b, int status)
{
    if (b->full)
        snprintf(b->why, sizeof b->why, "nothing could be sent for %d ms", LINK_WRITE_MS);
    b->full = false;
    if (!WIFSIGNALED(status) || WTERMSIG(status) == SIGKILL)
        return;
    b->crashed = true;
    snprintf(b->why, sizeof b->why, "the process of the connection crashed (%s)",
             strsignal(WTERMSIG(status)));
}

/* A process that has ended by itself keeps the signal of that. */
static void end_process(struct link_broker *b)
{
    int status = 0;
    if (b->pid == 0)
        return;
    uv_mutex_lock(&b->lock);
    close(b->fd);
    b->fd = -1;
    b->up = false;
    uv_mutex_unlock(&b->lock);
    kill(b->pid, SIGKILL);
    while (waitpid(b->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    b->pid = 0;
    b->connected = false;
    note_end(b, status);
    link_frame_reader_finish(&b->reader);
}

static int spawn_with(struct link_broker *b, int socket, char **argv,
                      posix_spawn_file_actions_t *files, posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigemptyset(&none);
    int err = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (err == 0) /* what reads the output of fftd waits for its end alone */
        err = posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (err == 0)
        err = posix_spawn_file_actions_adddup2(files, socket, LINK_PROCESS_FD);
    if (err == 0)
        err = posix_spawnattr_setsigmask(attributes, &none);
    if (err == 0)
        err = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
    return err == 0 ? -posix_spawn(&b->pid, program, files, attributes, argv, environ) : -err;
}

static int spawn_process(struct link_broker *b, int socket)
{
    const struct nats_options *o = b->config.options;
    const char *argv[LINK_ARG_SUBJECTS + LINK_SUBJECTS + 1] = {"fftd",
                                                               LINK_PROCESS,
                                                               o->url,
                                                               b->config.name,
                                                               o->credentials ? o->credentials : "",
                                                               o->ca ? o->ca : "",
                                                               b->config.ping ? "ping" : ""};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    memcpy(argv + LINK_ARG_SUBJECTS, b->config.subject, b->config.subjects * sizeof argv[0]);
    if (posix_spawn_file_actions_init(&files) != 0)
        return -ENOMEM;
    int err = -posix_spawnattr_init(&attributes);
    if (err == 0) {
        err = spawn_with(b, socket, (char **)argv, &files, &attributes);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    if (err < 0)
        b->pid = 0;
    return err;
}

static int start_process(struct link_broker *b)
{
    const struct timeval patience = {.tv_sec = LINK_WRITE_MS / 1000};
    int ends[2];
    b->crashed = false;
    if (b->pid > 0)
        return 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return -errno;
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    const int err = spawn_process(b, ends[1]);
    close(ends[1]);
    if (err < 0) {
        close(ends[0]);
        return err;
    }
    uv_mutex_lock(&b->lock);
    b->fd = ends[0];
    uv_mutex_unlock(&b->lock);
    return 0;
}

/* ---- the connection ---------------------------------------------------------------------- */

enum answer {
    ANSWER_NONE, /* yet */
    ANSWER_UP,
    ANSWER_FAILED, /* the process may be asked again */
    ANSWER_OVER
};

static enum answer read_answer(struct link_broker *b)
{
    struct link_frame f;
    const int got = link_frame_read(&b->reader, b->fd, POLL_MS, &f);
    if (got == 0)
        return ANSWER_NONE;
    b->accepted = got > 0 && f.kind != LINK_FRAME_FAILED;
    if (got > 0 && f.kind == LINK_FRAME_UP)
        return ANSWER_UP;
    if (got > 0 && (f.kind == LINK_FRAME_FAILED || f.kind == LINK_FRAME_CLOSED))
        set_why(b, &f);
    return got > 0 && f.kind == LINK_FRAME_FAILED ? ANSWER_FAILED : ANSWER_OVER;
}

static enum answer wait_for_answer(struct link_broker *b, bool (*give_up)(void *user), void *user)
{
    const uint64_t until = clock_after_ms(LINK_CONNECT_WAIT_MS);
    enum answer answer = ANSWER_NONE;
    snprintf(b->why, sizeof b->why, "%s", ended);
    while (answer == ANSWER_NONE && clock_now_ns() < until && !give_up(user))
        answer = read_answer(b);
    if (answer == ANSWER_NONE)
        snprintf(b->why, sizeof b->why, "no answer within %d ms", LINK_CONNECT_WAIT_MS);
    return answer;
}

bool link_broker_connect(struct link_broker *b, bool (*give_up)(void *user), void *user)
{
    b->accepted = false;
    int err = start_process(b);
    if (err == 0)
        err = link_frame_write(b->fd, &(struct link_frame){.kind = LINK_FRAME_CONNECT});
    if (err < 0) {
        snprintf(b->why, sizeof b->why, "the process of the connection: %s", strerror(-err));
        end_process(b);
        return false;
    }
    const enum answer answer = wait_for_answer(b, give_up, user);
    if (answer == ANSWER_NONE || answer == ANSWER_OVER)
        end_process(b);
    b->connected = answer == ANSWER_UP;
    uv_mutex_lock(&b->lock);
    b->up = b->connected;
    uv_mutex_unlock(&b->lock);
    return b->connected;
}

/* Its last message says more than the error of a write. */
static void read_last_words(struct link_broker *b)
{
    struct link_frame f;
    kill(b->pid, SIGKILL);
    while (link_frame_read(&b->reader, b->fd, 0, &f) > 0)
        if (f.kind == LINK_FRAME_CLOSED)
            set_why(b, &f);
}

void link_broker_disconnect(struct link_broker *b)
{
    if (!b->connected)
        return;
    read_last_words(b);
    end_process(b);
}

const char *link_broker_why(const struct link_broker *b)
{
    return b->why;
}

bool link_broker_accepted(const struct link_broker *b)
{
    return b->accepted;
}

bool link_broker_crashed(const struct link_broker *b)
{
    return b->crashed;
}

/* ---- messages ---------------------------------------------------------------------------- */

bool link_broker_publish(struct link_broker *b, enum link_frame_kind kind, const char *subject,
                         const char *reply, const void *data, size_t size)
{
    const struct link_frame f = {
        .kind = kind, .subject = subject, .reply = reply, .data = data, .size = size};
    uv_mutex_lock(&b->lock);
    const int err = b->up ? link_frame_write(b->fd, &f) : -EPIPE;
    if (b->up && err < 0 && err != -EMSGSIZE) {
        shutdown(b->fd, SHUT_RDWR); /* half a frame may be on its way */
        b->up = false;
        b->full = err == -EAGAIN;
    }
    uv_mutex_unlock(&b->lock);
    return err == 0;
}

int link_broker_next(struct link_broker *b, int timeout_ms, struct link_frame *out)
{
    int got;
    while ((got = link_frame_read(&b->reader, b->fd, timeout_ms, out)) > 0) {
        if (out->kind == LINK_FRAME_MESSAGE || out->kind == LINK_FRAME_NOBODY ||
            out->kind == LINK_FRAME_REFUSED)
            return 1;
        if (out->kind == LINK_FRAME_DROPPED && out->size == 8)
            b->dropped += bytes_get(out->data, 8);
        if (out->kind == LINK_FRAME_CLOSED) {
            set_why(b, out);
            end_process(b);
            return -1;
        }
    }
    if (got == 0)
        return 0;
    snprintf(b->why, sizeof b->why, "%s", ended);
    end_process(b);
    return -1;
}

uint64_t link_broker_take_dropped(struct link_broker *b)
{
    const uint64_t dropped = b->dropped;
    b->dropped = 0;
    return dropped;
}

/* ---- start and end ----------------------------------------------------------------------- */

int link_broker_create(struct link_broker **out, const struct link_broker_config *config)
{
    struct link_broker *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b || uv_mutex_init(&b->lock) < 0) {
        free(b);
        return -ENOMEM;
    }
    b->config = *config;
    b->fd = -1;
    *out = b;
    return 0;
}

void link_broker_destroy(struct link_broker *b)
{
    if (!b)
        return;
    end_process(b);
    uv_mutex_destroy(&b->lock);
    free(b);
}
