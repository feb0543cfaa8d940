/* contest.c - runs contestants alternately and takes medians. */
#include "bench/contest.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum { CHOICE_ROUNDS = 3 };

double contest_clock(bool wall)
{
    struct timespec t;
    clock_gettime(wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
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

static int timed_run(int (*run)(void *user), void *user, bool wall, double *seconds)
{
    const double start = contest_clock(wall);
    const int err = run(user);
    *seconds = contest_clock(wall) - start;
    return err;
}

int contest(struct contestant *all, int count, bool wall)
{
    double times[2][CONTEST_ROUNDS];
    int err = count > 2 ? -EINVAL : 0;

    for (int i = 0; err == 0 && i < count; i++) {
        err = all[i].check(all[i].user, &all[i].error);
        if (err == 0)
            err = all[i].run(all[i].user); /* warms up */
    }
    for (int round = 0; round < CONTEST_ROUNDS; round++)
        for (int i = 0; err == 0 && i < count; i++)
            err = timed_run(all[i].run, all[i].user, wall, &times[i][round]);
    for (int i = 0; err == 0 && i < count; i++)
        all[i].seconds = contest_median(times[i], CONTEST_ROUNDS);
    return err;
}

int contest_choose(void *user, int (*set_up)(void *user, int variant), int (*run)(void *user),
                   bool wall)
{
    double fastest = -1;
    int best = -1, failed = -EINVAL, err;

    for (int variant = 0; (err = set_up(user, variant)) != -ERANGE; variant++) {
        double times[CHOICE_ROUNDS];
        for (int i = 0; err == 0 && i < CHOICE_ROUNDS; i++)
            err = timed_run(run, user, wall, &times[i]);
        if (err != 0) {
            failed = err;
            continue;
        }
        const double seconds = contest_median(times, CHOICE_ROUNDS);
        if (best < 0 || seconds < fastest) {
            fastest = seconds;
            best = variant;
        }
    }
    return best < 0 ? failed : set_up(user, best);
}
