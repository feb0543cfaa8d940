/* history_thread.c - stores lines as they come. */
#include "daemon/line/history/history_thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <uv.h>

enum { WAIT_MS = 100 };

struct history_thread {
    struct history *history;
    struct line_ring *lines;
    struct line_reader reader;
    atomic_bool stop;
    uv_thread_t thread;
};

static void run(void *arg)
{
    struct history_thread *t = arg;
    uint64_t missed = 0;
    bool closed = false;
    pthread_setname_np(pthread_self(), "history");
    while (!closed && !atomic_load(&t->stop)) {
        struct line *line = line_reader_next(&t->reader, WAIT_MS, &closed);
        const uint64_t now = line_reader_missed(&t->reader);
        if (line)
            history_add(t->history, line, now != missed);
        missed = now;
        line_unref(t->lines, line);
    }
    line_reader_leave(&t->reader);
}

int history_thread_start(struct history_thread **out, struct line_ring *lines, size_t bytes,
                         bool lossless)
{
    struct history_thread *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t)
        return -ENOMEM;
    t->lines = lines;
    int err = history_create(&t->history, bytes);
    if (err == 0) {
        line_reader_join(&t->reader, lines, lossless);
        err = uv_thread_create(&t->thread, run, t);
        if (err < 0)
            line_reader_leave(&t->reader);
    }
    if (err < 0) {
        history_destroy(t->history);
        free(t);
        return err;
    }
    *out = t;
    return 0;
}

void history_thread_stop(struct history_thread *t)
{
    if (!t)
        return;
    atomic_store(&t->stop, true);
    uv_thread_join(&t->thread);
    history_destroy(t->history);
    free(t);
}

struct history *history_thread_store(struct history_thread *t)
{
    return t ? t->history : NULL;
}
