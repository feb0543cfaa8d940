/* view_reduce.c - reduces the bins of a view to columns. */
#include "daemon/client/view_reduce.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

uint32_t view_column_start(const struct view_grid *p, uint32_t column)
{
    const uint64_t doubled = 2 * (uint64_t)column * p->bins;
    return (uint32_t)((doubled + p->columns - 1) / (2 * (uint64_t)p->columns));
}

/* Bins from .. to - 1, at least one. */
struct bucket {
    const float *bins;
    uint32_t from, to;
    bool odd, last; /* columns count from 1 */
};

static float largest(const struct bucket *b)
{
    float most = b->bins[b->from];
    for (uint32_t k = b->from + 1; k < b->to; k++)
        most = b->bins[k] > most ? b->bins[k] : most;
    return most;
}

static float smallest(const struct bucket *b)
{
    float least = b->bins[b->from];
    for (uint32_t k = b->from + 1; k < b->to; k++)
        least = b->bins[k] < least ? b->bins[k] : least;
    return least;
}

static float mean(const struct bucket *b)
{
    double sum = 0;
    for (uint32_t k = b->from; k < b->to; k++)
        sum += (double)b->bins[k];
    return (float)(sum / (b->to - b->from));
}

static float middle(const struct bucket *b)
{
    return b->bins[b->from + (b->to - b->from) / 2];
}

/* The step from the bin to the left counts too. */
static bool rises_and_falls(const struct bucket *b)
{
    bool rises = false, falls = false;
    for (uint32_t k = b->from > 0 ? b->from : 1; k < b->to; k++) {
        rises = rises || b->bins[k] > b->bins[k - 1];
        falls = falls || b->bins[k] < b->bins[k - 1];
    }
    return rises && falls;
}

/* *hidden: the largest bin of the column to the left, if that shows its smallest; else 0. */
static float normal(const struct bucket *b, float *hidden)
{
    const float most = largest(b);
    if (!b->odd && !b->last && rises_and_falls(b)) {
        *hidden = most;
        return smallest(b);
    }
    const float before = *hidden;
    *hidden = 0;
    return before > most ? before : most;
}

static const struct {
    const char *name;
    float (*reduce)(const struct bucket *b); /* NULL: normal, which remembers */
} reductions[REDUCTIONS] = {
    [REDUCTION_PEAK] = {"peak", largest},    [REDUCTION_NORMAL] = {"normal", NULL},
    [REDUCTION_MIN] = {"min", smallest},     [REDUCTION_MEAN] = {"mean", mean},
    [REDUCTION_SAMPLE] = {"sample", middle},
};

int reduction_index(const char *name)
{
    for (int i = 0; i < REDUCTIONS; i++)
        if (strcmp(name, reductions[i].name) == 0)
            return i;
    return -1;
}

const char *reduction_name(enum reduction how)
{
    return reductions[how].name;
}

void view_reduce(enum reduction how, const struct view_grid *p, const float *bins, float *power)
{
    float hidden = 0;
    struct bucket b = {.bins = bins};
    for (uint32_t i = 0; i < p->columns; i++) {
        b.to = view_column_start(p, i + 1);
        b.odd = i % 2 == 0;
        b.last = i + 1 == p->columns;
        power[i] = reductions[how].reduce ? reductions[how].reduce(&b) : normal(&b, &hidden);
        b.from = b.to;
    }
}
