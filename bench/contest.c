/* contest.c - runs in turns, and their medians. */
#include "bench/contest.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

double contest_clock(const struct job *job)
{
    struct timespec t;
    clock_gettime(job->threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double contest_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

static int check(struct contestant *c, const struct job *job)
{
    float *bins = malloc(job->plan.n * sizeof *bins);
    if (!bins)
        return -ENOMEM;
    const int err = c->first(c->user, job, bins);
    if (err == 0)
        c->rel_error = job_error(job, bins);
    free(bins);
    return err;
}

static int timed_run(struct contestant *c, const struct job *job, double *seconds)
{
    const double start = contest_clock(job);
    const int err = c->run(c->user, job);
    *seconds = contest_clock(job) - start;
    return err;
}

int contest(struct contestant *all, int count, const struct job *job)
{
    double times[2][CONTEST_ROUNDS], warm_up;
    int err = count > 2 ? -EINVAL : 0;

    for (int i = 0; err == 0 && i < count; i++) {
        err = check(&all[i], job);
        if (err == 0)
            err = timed_run(&all[i], job, &warm_up);
    }
    for (int round = 0; round < CONTEST_ROUNDS; round++)
        for (int i = 0; err == 0 && i < count; i++)
            err = timed_run(&all[i], job, &times[i][round]);
    for (int i = 0; err == 0 && i < count; i++)
        all[i].seconds = contest_median(times[i], CONTEST_ROUNDS);
    return err;
}
