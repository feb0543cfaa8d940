/*
 * contest.h - measures contestants that do the same work, in turns, in one process.
 *
 * Taking turns lets whatever else the machine does hit all alike; medians drop what hits one run. One
 * thread is measured in its own processor time, several in wall time.
 */
#ifndef FFTD_BENCH_CONTEST_H
#define FFTD_BENCH_CONTEST_H

#include "bench/job.h"

struct contestant {
    const char *name;
    void *user;
    int (*run)(void *user, const struct job *job);                /* all frames; 0 or -errno */
    int (*first)(void *user, const struct job *job, float *bins); /* the first frame's bins */

    double seconds;   /* the median run */
    double rel_error; /* of the first frame */
};

enum { CONTEST_ROUNDS = 9 };

int contest(struct contestant *all, int count, const struct job *job);

double contest_clock(const struct job *job);      /* seconds since some moment */
double contest_median(double *values, int count); /* sorts them */

#endif
