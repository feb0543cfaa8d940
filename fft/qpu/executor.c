/* executor.c - one thread, one call at a time. */
#include "fft/qpu/executor.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "fft/qpu/mailbox.h"

static int execute(struct qpu_executor *x, const uint32_t *values)
{
    uint32_t answer;
    const int bad =
        qpu_mailbox(x->os, x->vcio, QPU_TAG_EXECUTE, values, QPU_EXECUTE_VALUES, &answer);
    return bad ? bad : answer ? -ETIMEDOUT : 0;
}

static void *work(void *executor)
{
    struct qpu_executor *x = executor;
    pthread_mutex_lock(&x->lock);
    while (!x->quit) {
        if (!x->wanted) {
            pthread_cond_wait(&x->changed, &x->lock);
            continue;
        }
        uint32_t values[QPU_EXECUTE_VALUES];
        memcpy(values, x->values, sizeof values);
        pthread_mutex_unlock(&x->lock);
        const int result = execute(x, values);
        pthread_mutex_lock(&x->lock);
        x->result = result;
        x->wanted = false;
        pthread_cond_broadcast(&x->changed);
    }
    pthread_mutex_unlock(&x->lock);
    return NULL;
}

/* Signals are for the threads of whoever uses the engine. */
static int create_thread(struct qpu_executor *x)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int bad = pthread_create(&x->thread, NULL, work, x);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -bad;
}

int qpu_executor_init(struct qpu_executor *x, const struct qpu_system *os, int vcio)
{
    pthread_condattr_t clock;
    *x = (struct qpu_executor){.os = os, .vcio = vcio};
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&x->changed, &clock);
    pthread_condattr_destroy(&clock);
    pthread_mutex_init(&x->lock, NULL);
    const int bad = create_thread(x);
    x->alive = !bad;
    if (bad) {
        pthread_cond_destroy(&x->changed);
        pthread_mutex_destroy(&x->lock);
    }
    return bad;
}

void qpu_executor_finish(struct qpu_executor *x)
{
    if (!x->alive)
        return;
    pthread_mutex_lock(&x->lock);
    x->quit = true; /* it looks when it has nothing to do: what runs is waited for */
    pthread_cond_broadcast(&x->changed);
    pthread_mutex_unlock(&x->lock);
    pthread_join(x->thread, NULL);
    pthread_cond_destroy(&x->changed);
    pthread_mutex_destroy(&x->lock);
    x->alive = false;
}

void qpu_executor_start(struct qpu_executor *x, const uint32_t *values)
{
    pthread_mutex_lock(&x->lock);
    memcpy(x->values, values, sizeof x->values);
    x->wanted = true;
    pthread_cond_broadcast(&x->changed);
    pthread_mutex_unlock(&x->lock);
}

static struct timespec in_ms(int ms)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += ms / 1000;
    t.tv_nsec += ms % 1000 * 1000000L;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000L;
    }
    return t;
}

int qpu_executor_wait(struct qpu_executor *x, int timeout_ms)
{
    const struct timespec until = in_ms(timeout_ms < 0 ? 0 : timeout_ms);
    int late = 0;
    pthread_mutex_lock(&x->lock);
    while (x->wanted && !late)
        late = timeout_ms < 0 ? pthread_cond_wait(&x->changed, &x->lock)
                              : pthread_cond_timedwait(&x->changed, &x->lock, &until);
    const int result = x->wanted ? 0 : x->result < 0 ? x->result : 1;
    pthread_mutex_unlock(&x->lock);
    return result;
}
