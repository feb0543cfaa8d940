/*
 * contest.h - measures contestants that do the same work, in turns, in one process.
 *
 * Taking turns lets whatever else the machine does hit all alike; medians drop what hits one run.
 * One thread of the processor is measured in its own time, several and devices in wall time.
 */
#ifndef FFTD_BENCH_CONTEST_H
#define FFTD_BENCH_CONTEST_H

#include <stdbool.h>

struct contestant {
    const char *name;
    void *user;
    int (*run)(void *user); /* the whole work once; 0 or -errno */
    int (*check)(void *user, double *error) /* against double precision; comes first */;

    double seconds; /* the median run */
    double error;   /* relative, L2 */
};

enum { CONTEST_ROUNDS = 9 };

int contest(struct contestant *all, int count, bool wall);

/*
 * Some work can be cut in several ways, and which one is fastest depends on the machine.
 * set_up(user, 0, 1, 2, ...) prepares one variant after the other until it says -ERANGE: no more.
 * Leaves the fastest one prepared. A variant that fails is passed over; if all do, the last one's
 * error.
 */
int contest_choose(void *user, int (*set_up)(void *user, int variant), int (*run)(void *user),
                   bool wall);

double contest_clock(bool wall);                  /* seconds since some moment */
double contest_median(double *values, int count); /* sorts them */

#endif
