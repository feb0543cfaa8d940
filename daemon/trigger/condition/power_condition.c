/* power_condition.c - the condition "power": the power of a band is above a level. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/option/option.h"
#include "daemon/trigger/condition/condition.h"

enum { POWER_TEXT = 128 };

struct power {
    char text[POWER_TEXT]; /* "LOW:HIGH>LEVEL" */
    struct condition_band bins;
    double limit, enbw; /* the sum of bins that is the level; linear */
};

struct band {
    double low_hz, high_hz;
};

static int parse(const char *text, struct band *band, double *level_dbfs)
{
    char copy[POWER_TEXT];
    const size_t length = strlen(text);
    if (length >= sizeof copy)
        return -EINVAL;
    memcpy(copy, text, length + 1);
    char *above = strchr(copy, '>');
    if (!above)
        return -EINVAL;
    *above = '\0';
    if (condition_parse_band(copy, &band->low_hz, &band->high_hz) < 0 ||
        si_parse_unit(above + 1, SI_DB, level_dbfs) < 0)
        return -EINVAL;
    return fabs(*level_dbfs) <= 300 ? 0 : -EINVAL;
}

static int check_text(const char *text)
{
    struct band band;
    double level_dbfs;
    return *text ? parse(text, &band, &level_dbfs) : 0;
}

static const struct config_option options[] = {
    {"power", "power", .kind = OPTION_LABEL, OPTION_FIELD(struct power, text), .fallback = "",
     .metavar = "LOW:HIGH>LEVEL", .expected = "LOW:HIGH>LEVEL as in 433M:434M>-40",
     .check = check_text, .help = "The band, and the level in dBFS that its power must exceed"},
};

static int check(const void *state, struct reason *why)
{
    const struct power *s = state;
    return s->text[0] ? 0
                      : reason_key(why, -EINVAL, "power",
                                   "power: is missing: LOW:HIGH>LEVEL as in 433M:434M>-40");
}

static int prepare(void *state, const struct line *line, struct reason *why)
{
    struct power *s = state;
    struct band band = {0};
    double level_dbfs = 0;
    (void)parse(s->text, &band, &level_dbfs); /* checked before */
    const int changed = condition_band_update(&s->bins, line, band.low_hz, band.high_hz, why);
    if (changed < 0)
        return changed;
    s->enbw = line->enbw_bins;
    s->limit = pow(10, level_dbfs / 10) * s->enbw;
    return 0;
}

static double sum_bins(const float *power, uint32_t first, uint32_t last)
{
    double sum[4] = {0}; /* which do not wait for each other */
    uint32_t k = first;
    for (; k + 3 <= last; k += 4)
        for (uint32_t j = 0; j < 4; j++)
            sum[j] += (double)power[k + j];
    for (; k <= last; k++)
        sum[0] += (double)power[k];
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

static bool meets(const void *state, const float *high, const float *low, struct condition_hit *hit)
{
    const struct power *s = state;
    const double sum = sum_bins(high, s->bins.first, s->bins.last);
    (void)low;
    if (!(sum > s->limit))
        return false;
    if (!hit)
        return true;
    *hit = (struct condition_hit){.first = s->bins.first,
                                  .last = s->bins.last,
                                  .peak_bin = s->bins.first,
                                  .peak = sum / s->enbw};
    for (uint32_t k = s->bins.first; k <= s->bins.last; k++)
        if (high[k] > high[hit->peak_bin])
            hit->peak_bin = k;
    return true;
}

static bool is_beyond_scale(const void *state, struct reason *why)
{
    struct band band;
    double level_dbfs;
    return parse(((const struct power *)state)->text, &band, &level_dbfs) == 0 &&
           condition_is_beyond_scale(level_dbfs, why);
}

const struct condition_ops condition_power = {
    .name = "power",
    .about = "The power of a band is above a level",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct power),
    .check = check,
    .prepare = prepare,
    .meets = meets,
    .is_beyond_scale = is_beyond_scale,
};
