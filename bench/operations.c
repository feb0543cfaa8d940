/* operations.c - the best mixture of two ways to compute an FFT. */
#include "bench/operations.h"

#include <math.h>

/* For each point: all operations, and those that need a unit that multiplies. */
struct work {
    double all, multiplying;
};

static struct work fused(double m, double extra)
{
    const double all = fmax((24 * m - 16) / 9, 1) + extra;
    return (struct work){all, all};
}

static struct work split_radix(double m, double extra)
{
    const double additions = fmax((24 * m - 16) / 9, 1);
    const double multiplications = fmax((12 * m - 38) / 9, 0);
    return (struct work){additions + multiplications / 2 + extra, multiplications + extra};
}

double operations_seconds(const struct units *u, double n, double extra)
{
    const struct work a = fused(log2(n), extra), b = split_radix(log2(n), extra);
    /* Seconds of all units and of those that multiply: at no part by `a`, and how they change. */
    const double all = b.all / u->all, all_more = (a.all - b.all) / u->all;
    const double multiplying = b.multiplying / u->multiplying;
    const double multiplying_more = (a.multiplying - b.multiplying) / u->multiplying;
    /* `all` falls with the part by `a` and `multiplying` rises: the best is where they meet. */
    const double change = multiplying_more - all_more;
    const double part = change > 0 ? fmin(fmax((all - multiplying) / change, 0), 1) : 1;
    return fmax(all + part * all_more, multiplying + part * multiplying_more);
}
