/* threads.c - starts threads for one piece of work and joins them. */
#include "bench/threads.h"

#include <errno.h>
#include <pthread.h>

struct part {
    threads_work *work;
    void *user;
    uint32_t thread, from, to;
    pthread_t id;
};

static void *run(void *user)
{
    const struct part *p = user;
    p->work(p->user, p->thread, p->from, p->to);
    return NULL;
}

int threads_run(uint32_t threads, uint32_t count, threads_work *work, void *user)
{
    struct part parts[THREADS_MAX];
    uint32_t started = 1;

    if (threads < 1 || threads > THREADS_MAX)
        return -EINVAL;
    for (uint32_t i = 0; i < threads; i++)
        parts[i] = (struct part){.work = work,
                                 .user = user,
                                 .thread = i,
                                 .from = (uint32_t)((uint64_t)count * i / threads),
                                 .to = (uint32_t)((uint64_t)count * (i + 1) / threads)};
    while (started < threads && pthread_create(&parts[started].id, NULL, run, &parts[started]) == 0)
        started++;
    run(&parts[0]);
    for (uint32_t i = 1; i < started; i++)
        pthread_join(parts[i].id, NULL);
    return started == threads ? 0 : -EAGAIN;
}
