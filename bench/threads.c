/* threads.c - threads that live for one piece of work. */
#include "bench/threads.h"

#include <errno.h>
#include <pthread.h>

struct hand {
    team_work *work;
    void *user;
    uint32_t thread, from, to;
    pthread_t id;
};

static void *run(void *user)
{
    const struct hand *h = user;
    h->work(h->user, h->thread, h->from, h->to);
    return NULL;
}

int team_run(uint32_t threads, uint32_t count, team_work *work, void *user)
{
    struct hand hands[TEAM_MAX];
    uint32_t started = 1;

    if (threads < 1 || threads > TEAM_MAX)
        return -EINVAL;
    for (uint32_t i = 0; i < threads; i++)
        hands[i] = (struct hand){.work = work,
                                 .user = user,
                                 .thread = i,
                                 .from = (uint32_t)((uint64_t)count * i / threads),
                                 .to = (uint32_t)((uint64_t)count * (i + 1) / threads)};
    while (started < threads && pthread_create(&hands[started].id, NULL, run, &hands[started]) == 0)
        started++;
    run(&hands[0]);
    for (uint32_t i = 1; i < started; i++)
        pthread_join(hands[i].id, NULL);
    return started == threads ? 0 : -EAGAIN;
}
