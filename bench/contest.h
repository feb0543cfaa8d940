/*
 * contest.h - compares the speed of contestants that do the same work in one process.
 *
 * The contestants run alternately, so that other load on the machine slows all of them alike.
 * Medians discard single disturbed runs. One CPU thread is measured in its own CPU time; several
 * threads and devices are measured in wall time.
 */
#ifndef FFTD_BENCH_CONTEST_H
#define FFTD_BENCH_CONTEST_H

#include <stdbool.h>

struct contestant {
    const char *name;
    void *user;
    int (*run)(void *user); /* all of the work once; 0 or -errno */
    int (*check)(void *user,
                 double *error) /* compares with double precision; called before any run */;

    double seconds; /* the median run */
    double error;   /* relative, L2 */
};

enum { CONTEST_ROUNDS = 9 };

int contest(struct contestant *all, int count, bool wall);

/*
 * Chooses the fastest of several variants, which may differ from machine to machine.
 *
 * set_up(user, variant) prepares variant 0, 1, 2, ... until it returns -ERANGE: no more variants.
 * On return the fastest one is set up. A variant that fails is skipped; if all fail, the last error
 * is returned.
 */
int contest_choose(void *user, int (*set_up)(void *user, int variant), int (*run)(void *user),
                   bool wall);

double contest_clock(bool wall);                  /* seconds since an arbitrary time */
double contest_median(double *values, int count); /* sorts them */

#endif
