/* qpu_executor.c - the firmware thread: it makes one call at a time. */
#include "fft/qpu/qpu_executor.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

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
        const int result = x->execute(x->os, x->fd, values);
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

int qpu_executor_init(struct qpu_executor *x, const struct qpu_system *os, int fd,
                      int (*execute)(const struct qpu_system *os, int fd, const uint32_t *values))
{
    pthread_condattr_t clock;
    *x = (struct qpu_executor){.os = os, .fd = fd, .execute = execute};
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

void qpu_executor_start(struct qpu_executor *x, const struct qpu_launch *launch,
                        const struct qpu_memory *control)
{
    volatile uint32_t(*words)[2] = control->arm;
    const uint32_t limit_ms = QPU_FIRMWARE_LIMIT_MS, timeout_ms = launch->timeout_ms;
    for (unsigned q = 0; q < launch->qpus; q++) {
        words[q][0] = launch->uniforms[q];
        words[q][1] = launch->code;
    }
    __sync_synchronize();
    /* The third value, 0, asks the firmware to flush the GPU's caches. */
    const uint32_t values[QPU_EXECUTE_VALUES] = {launch->qpus, control->bus, 0,
                                                 timeout_ms < limit_ms ? timeout_ms : limit_ms};
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
