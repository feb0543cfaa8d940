/* clip_counter.c - slices of batches, and the threads that count them, under one lock. */
#include "fft/clip_counter.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* A slice takes a core about 0.1 ms; waking a thread takes a tenth of that. */
enum { SLICE = 1 << 19, CORES_FOR_A_HELPER = 4 };

struct count_job {
    const char *raw;
    size_t samples, taken, counted;
    uint64_t clipped;
};

struct clip_counter {
    enum fft_iq_format format;
    double full_scale;
    uint32_t depth;
    pthread_t helper[FFT_CLIP_HELPERS];
    uint32_t helpers; /* started */

    pthread_mutex_t lock;
    pthread_cond_t more, done; /* slices to take; a job is counted */
    /* under lock */
    struct count_job job[FFT_SPECTRUM_MAX_DEPTH];
    uint64_t started, finished; /* jobs; job i has the place i % depth */
    bool stop;
};

/* With the lock held: the oldest job with slices to take, or NULL. */
static struct count_job *open_job(struct clip_counter *c)
{
    for (uint64_t i = c->finished; i < c->started; i++) {
        struct count_job *job = &c->job[i % c->depth];
        if (job->taken < job->samples)
            return job;
    }
    return NULL;
}

/* Counts one slice. With the lock held, which it drops meanwhile. */
static void count_slice(struct clip_counter *c, struct count_job *job)
{
    const size_t left = job->samples - job->taken, now = left < SLICE ? left : SLICE;
    const char *at = job->raw + job->taken * fft_iq_bytes(c->format);
    job->taken += now;
    pthread_mutex_unlock(&c->lock);
    const uint64_t clipped = fft_iq_clipped(c->format, c->full_scale, at, now);
    pthread_mutex_lock(&c->lock);
    job->clipped += clipped;
    job->counted += now;
    if (job->counted == job->samples)
        pthread_cond_signal(&c->done);
}

static void *help(void *argument)
{
    struct clip_counter *c = argument;
    pthread_mutex_lock(&c->lock);
    while (!c->stop) {
        struct count_job *job = open_job(c);
        if (job)
            count_slice(c, job);
        else
            pthread_cond_wait(&c->more, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Signals belong to the program's own threads. */
static void start_helpers(struct clip_counter *c, uint32_t wanted)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (c->helpers < wanted && pthread_create(&c->helper[c->helpers], NULL, help, c) == 0)
        pthread_setname_np(c->helper[c->helpers++], "fft clipped");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

uint32_t fft_clip_counter_helpers(const struct fft_spectrum_config *config)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN) / CORES_FOR_A_HELPER;
    if (cores < 1 || (uint64_t)config->max_frames * config->hop <= SLICE)
        return 0;
    return cores < FFT_CLIP_HELPERS ? (uint32_t)cores : FFT_CLIP_HELPERS;
}

int fft_clip_counter_create(struct clip_counter **out, const struct fft_spectrum_config *config,
                            uint32_t helpers)
{
    struct clip_counter *c = *out = calloc(1, sizeof *c);
    if (!c)
        return -ENOMEM;
    c->format = config->format;
    c->full_scale = config->full_scale;
    c->depth = config->depth;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->more, NULL);
    pthread_cond_init(&c->done, NULL);
    start_helpers(c, helpers);
    return 0;
}

void fft_clip_counter_destroy(struct clip_counter *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->stop = true;
    pthread_cond_broadcast(&c->more);
    pthread_mutex_unlock(&c->lock);
    for (uint32_t i = 0; i < c->helpers; i++)
        pthread_join(c->helper[i], NULL);
    pthread_cond_destroy(&c->more);
    pthread_cond_destroy(&c->done);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

void fft_clip_counter_start(struct clip_counter *c, const void *raw, size_t samples)
{
    pthread_mutex_lock(&c->lock);
    struct count_job *job = &c->job[c->started % c->depth];
    *job = (struct count_job){.raw = raw, .samples = samples};
    c->started++;
    if (samples > 0 && samples <= SLICE)
        count_slice(c, job);
    else if (samples > 0)
        pthread_cond_broadcast(&c->more);
    pthread_mutex_unlock(&c->lock);
}

uint64_t fft_clip_counter_finish(struct clip_counter *c)
{
    pthread_mutex_lock(&c->lock);
    struct count_job *job = &c->job[c->finished % c->depth];
    while (job->counted < job->samples) {
        if (job->taken < job->samples)
            count_slice(c, job);
        else
            pthread_cond_wait(&c->done, &c->lock);
    }
    c->finished++;
    pthread_mutex_unlock(&c->lock);
    return job->clipped;
}
