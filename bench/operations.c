/* operations.c - finds the best mixture of split radix and fused operations. */
#include "bench/operations.h"

#include <math.h>

/* Operations a point: all, and those that need a multiplier. */
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
    /* Seconds of all units and of the multiplying ones, first without any `a`, then their change as
     * all work moves to `a`. */
    const double all = b.all / u->all, all_more = (a.all - b.all) / u->all;
    const double multiplying = b.multiplying / u->multiplying;
    const double multiplying_more = (a.multiplying - b.multiplying) / u->multiplying;
    /* `all` falls and `multiplying` rises with the share of `a`; the minimum is where they are
     * equal. */
    const double change = multiplying_more - all_more;
    const double part = change > 0 ? fmin(fmax((all - multiplying) / change, 0), 1) : 1;
    return fmax(all + part * all_more, multiplying + part * multiplying_more);
}
