/* peak_search.c - finds the peaks of a trace. */
#include "daemon/measure/peak_search.h"

#include <math.h>

struct finder {
    struct peak *found;
    uint32_t count, most;
};

/* A peak that is stronger than the weakest one, if there are enough. */
static void insert(struct finder *f, struct peak peak)
{
    uint32_t at = f->count < f->most ? f->count++ : f->count - 1;
    for (; at > 0 && f->found[at - 1].power < peak.power; at--)
        f->found[at] = f->found[at - 1];
    f->found[at] = peak;
}

struct slopes {
    const float *power;
    struct line_bins bins;
    float threshold, excursion;
};

static bool is_valley(const struct slopes *s, uint32_t bin, float top)
{
    const float power = s->power[bin] > s->threshold ? s->power[bin] : s->threshold;
    return power * s->excursion <= top;
}

/*
 * On both sides the trace falls by the excursion before it reaches the power of this bin again. One
 * step to the left and one to the right in turn: a bin with a stronger one near it takes few steps.
 */
static bool is_peak(const struct slopes *s, uint32_t bin)
{
    const float top = s->power[bin];
    uint32_t left = bin, right = bin;
    bool rises = false, falls = false;
    while (!rises || !falls) {
        if (!rises && (left == s->bins.first || s->power[--left] >= top))
            return false;
        rises = rises || is_valley(s, left, top);
        if (!falls && (right == s->bins.last || s->power[++right] > top))
            return false;
        falls = falls || is_valley(s, right, top);
    }
    return true;
}

/* Only bins that are stronger than the weakest of enough peaks are looked at. */
uint32_t peak_search(const struct peak_rule *rule, const struct powers *powers,
                     struct line_bins bins, const struct band_rules *spurs, struct peak *found)
{
    struct finder finder = {found, 0, rule->most};
    const struct slopes slopes = {.power = powers->level[0],
                                  .bins = bins,
                                  .threshold = (float)pow(10, rule->threshold_db / 10),
                                  .excursion = (float)pow(10, rule->excursion_db / 10)};
    for (uint32_t k = bins.first; k <= bins.last; k++) {
        const bool full = finder.count == finder.most;
        const float least = full ? found[finder.most - 1].power : slopes.threshold;
        k = powers_above(powers, k, bins.last + 1, least);
        if (k <= bins.last && is_peak(&slopes, k) && !band_rules_spur(spurs, k))
            insert(&finder, (struct peak){k, slopes.power[k]});
    }
    return finder.count;
}
