/* executor.c - the firmware thread: it makes one call at a time. */
#include "fft/qpu/executor.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "fft/qpu/mailbox.h"

static int execute(struct qpu_executor *x, const uint32_t *values)
{
    uint32_t answer;
    const int err =
        qpu_mailbox(x->os, x->vcio, QPU_TAG_EXECUTE, values, QPU_EXECUTE_VALUES, &answer);
    return err ? err : answer ? -ETIMEDOUT : 0;
}

static void *run_calls(void *executor)
{
    struct qpu_executor *x = executor;
    pthread_mutex_lock(&x->lock);
    while (!x->quit) {
        if (!x->pending) {
            pthread_cond_wait(&x->changed, &x->lock);
            continue;
        }
        uint32_t values[QPU_EXECUTE_VALUES];
        memcpy(values, x->values, sizeof values);
        pthread_mutex_unlock(&x->lock);
        const int result = execute(x, values);
        pthread_mutex_lock(&x->lock);
        x->result = result;
        x->pending = false;
        pthread_cond_broadcast(&x->changed);
    }
    pthread_mutex_unlock(&x->lock);
    return NULL;
}

/* The thread blocks all signals: they belong to the application's threads. */
static int create_thread(struct qpu_executor *x)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int err = pthread_create(&x->thread, NULL, run_calls, x);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -err;
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
    const int err = create_thread(x);
    x->alive = !err;
    if (err) {
        pthread_cond_destroy(&x->changed);
        pthread_mutex_destroy(&x->lock);
    }
    return err;
}

void qpu_executor_finish(struct qpu_executor *x)
{
    if (!x->alive)
        return;
    pthread_mutex_lock(&x->lock);
    x->quit = true; /* checked between calls, so a running call is waited for */
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
    x->pending = true;
    pthread_cond_broadcast(&x->changed);
    pthread_mutex_unlock(&x->lock);
}

/* The monotonic time `ms` from now. */
static struct timespec deadline_after_ms(int ms)
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
    const struct timespec until = deadline_after_ms(timeout_ms < 0 ? 0 : timeout_ms);
    int late = 0;
    pthread_mutex_lock(&x->lock);
    while (x->pending && !late)
        late = timeout_ms < 0 ? pthread_cond_wait(&x->changed, &x->lock)
                              : pthread_cond_timedwait(&x->changed, &x->lock, &until);
    const int result = x->pending ? 0 : x->result < 0 ? x->result : 1;
    pthread_mutex_unlock(&x->lock);
    return result;
}
