/* peak_search.c - finds the peaks of a trace. */
#include "daemon/measure/peak_search.h"

#include <math.h>

struct finder {
    struct peak *found;
    uint32_t count, most;
};

static void insert(struct finder *f, struct peak peak)
{
    if (f->count == f->most && peak.power <= f->found[f->count - 1].power)
        return;
    uint32_t at = f->count < f->most ? f->count++ : f->count - 1;
    for (; at > 0 && f->found[at - 1].power < peak.power; at--)
        f->found[at] = f->found[at - 1];
    f->found[at] = peak;
}

/* One pass: after a valley the trace climbs to a candidate, which is a peak once it has fallen. */
uint32_t peak_search(const struct peak_rule *rule, const float *power, struct line_bins bins,
                     const struct band_rules *spurs, struct peak *found)
{
    struct finder finder = {found, 0, rule->most};
    const float threshold = (float)pow(10, rule->threshold_db / 10);
    const float excursion = (float)pow(10, rule->excursion_db / 10);
    struct peak top = {0};
    float valley = fmaxf(power[bins.first], threshold);
    bool climbing = false;
    for (uint32_t k = bins.first + 1; k <= bins.last; k++) {
        const float here = power[k] > threshold ? power[k] : threshold;
        if (!climbing && here >= valley * excursion) {
            climbing = true;
            top = (struct peak){k, here};
        } else if (climbing && here > top.power) {
            top = (struct peak){k, here};
        } else if (climbing && here * excursion <= top.power) {
            if (!band_rules_spur(spurs, top.bin))
                insert(&finder, top);
            climbing = false;
            valley = here;
        } else if (!climbing && here < valley) {
            valley = here;
        }
    }
    return finder.count;
}
