/* level_condition.c - the condition "level": a bin of a band is above a level. */
#include <math.h>

#include "daemon/base/reason.h"
#include "daemon/option/option.h"
#include "daemon/trigger/condition/condition.h"

struct level {
    double level_dbfs;
    char band[CONDITION_BAND]; /* "": the usable band */
    float limit;               /* linear */
    struct condition_band bins;
};

static const struct config_option options[] = {
    {"level", "level", .kind = OPTION_NUMBER, OPTION_FIELD(struct level, level_dbfs),
     .fallback = "-20", .metavar = "DBFS", .unit = SI_DB, .min = -300, .max = 300,
     .help = "A bin above this level meets the condition"},
    {"level", "band", .kind = OPTION_LABEL, OPTION_FIELD(struct level, band), .fallback = "",
     .metavar = "LOW:HIGH", .expected = "two frequencies as in 433M:434M",
     .check = condition_check_band, .help = "The bins that count; empty: all of the usable band"},
};

static int prepare(void *state, const struct line *line, struct reason *why)
{
    struct level *s = state;
    s->limit = (float)pow(10, s->level_dbfs / 10);
    const int changed = condition_band_find(&s->bins, line, s->band, why);
    return changed < 0 ? changed : 0;
}

/* In blocks, whose comparisons do not wait for each other. */
enum { BLOCK = 32 };

static bool is_any_above(const float *power, uint32_t count, float limit)
{
    uint32_t k = 0;
    for (; k + BLOCK <= count; k += BLOCK) {
        int above = 0;
        for (uint32_t j = 0; j < BLOCK; j++)
            above |= power[k + j] > limit;
        if (above)
            return true;
    }
    for (; k < count; k++)
        if (power[k] > limit)
            return true;
    return false;
}

static void describe(const struct level *s, const float *high, struct condition_hit *hit)
{
    *hit = (struct condition_hit){.first = UINT32_MAX};
    for (uint32_t k = s->bins.first; k <= s->bins.last; k++) {
        if (!(high[k] > s->limit))
            continue;
        if (hit->first == UINT32_MAX)
            hit->first = k;
        hit->last = k;
        if ((double)high[k] > hit->peak) {
            hit->peak = (double)high[k];
            hit->peak_bin = k;
        }
    }
}

static bool meets(const void *state, const float *high, const float *low, struct condition_hit *hit)
{
    const struct level *s = state;
    (void)low;
    if (!is_any_above(high + s->bins.first, s->bins.last - s->bins.first + 1, s->limit))
        return false;
    if (hit)
        describe(s, high, hit);
    return true;
}

static bool is_beyond_scale(const void *state, struct reason *why)
{
    return condition_is_beyond_scale(((const struct level *)state)->level_dbfs, why);
}

const struct condition_ops condition_level = {
    .name = "level",
    .about = "A bin is above a level",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct level),
    .prepare = prepare,
    .meets = meets,
    .is_beyond_scale = is_beyond_scale,
};
