/* spur_search.c - finds the lines of a spectrum that stand above the noise. */
#include "daemon/calibration/spur_search.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/calibration/band_rules.h"
#include "daemon/line/noise_factor.h"
#include "daemon/line/powers.h"
#include "daemon/line/statistics.h"
#include "daemon/line/tone.h"
#include "daemon/stream/tuning.h"

enum { PART_BINS = 64, PARTS = 64, LEAST_SPECTRA = 20 };

void spur_search_finish(struct spur_search *l)
{
    trace_finish(&l->trace);
}

int spur_search_add(struct spur_search *l, const struct line *line, struct reason *why)
{
    if (l->trace.lines > 0 && !tuning_equal(&l->newest.tuning, &line->tuning))
        return reason_set(why, -EINVAL, "the tuning or the gain changed while lines were learnt");
    l->trace.function = TRACE_AVERAGE;
    line_copy_facts(&l->newest, line);
    return trace_update(&l->trace, line, 0);
}

/* ---- the noise floor -------------------------------------------------------------------- */

struct search {
    const struct line *line;
    const float *power; /* of the trace of `lines` lines */
    uint64_t lines;
    struct tone_shape shape;
    double threshold;        /* ratio to the floor */
    uint32_t part;           /* bins */
    double floor[2 * PARTS]; /* of each part of the usable band */
    const struct band_rules *known;
    struct found_spurs *out;
};

static double floor_of(const struct search *s, uint32_t bin)
{
    return s->floor[(bin - line_usable_bins(s->line).first) / s->part];
}

/* A part has 64 bins or more: its median is that of noise, unless a signal fills half of it. */
static void measure_floors(struct search *s)
{
    const struct line_bins usable = line_usable_bins(s->line);
    const uint32_t count = usable.last - usable.first + 1;
    struct noise_factor factor = {0};
    s->part = count / PARTS > PART_BINS ? count / PARTS : PART_BINS;
    for (uint32_t i = 0; i * s->part < count; i++) {
        const uint32_t first = usable.first + i * s->part;
        const uint32_t end = first + s->part - 1, last = end < usable.last ? end : usable.last;
        const bool rest = i > 0 && last - first + 1 < s->part / 2; /* too short for a median */
        s->floor[i] = rest ? s->floor[i - 1]
                           : (double)statistics_percentile(s->power + first, last - first + 1, 50) /
                                 noise_factor_of(&factor, s->line, 0, s->lines, 50);
    }
}

/* ---- lines ------------------------------------------------------------------------------ */

static bool is_above(const struct search *s, uint32_t bin)
{
    return (double)s->power[bin] > s->threshold * floor_of(s, bin);
}

/* A tone is as wide as its main lobe above the threshold; what is wider is a line with a width. */
static void add_line(struct search *s, uint32_t first, uint32_t last)
{
    const struct line *line = s->line;
    const struct powers powers = powers_of_bins(s->power, line->n);
    const uint32_t peak = powers_strongest(&powers, first, last + 1);
    const double above = (double)s->power[peak] / floor_of(s, peak);
    const double tone = tone_width(line, 10 * log10(above / s->threshold)) + 2;
    const double width = last - first + 1, bin_hz = line_bin_hz(line);
    const bool wide = width > tone;
    const double at =
        wide ? (first + last) / 2.0 : tone_at(&s->shape, s->power, line->n, peak).position;
    const double hz = line_low_hz(line) + at * bin_hz, offset_hz = hz - line->tuning.center_hz;
    const bool center = fabs(offset_hz) <= line_rbw_hz(line);
    if (band_rules_spur(s->known, peak) || s->out->count == SPURS_MAX)
        return;
    s->out->line[s->out->count].above_db = 10 * log10(above);
    s->out->line[s->out->count++].spur = (struct spur){
        .relative = center, .hz = center ? 0 : hz, .width_hz = wide ? (width - tone) * bin_hz : 0};
}

static void find_lines(struct search *s)
{
    const struct line_bins usable = line_usable_bins(s->line);
    for (uint32_t k = usable.first; k <= usable.last; k++) {
        const uint32_t first = k;
        while (k <= usable.last && is_above(s, k))
            k++;
        if (k > first)
            add_line(s, first, k - 1);
    }
}

int spur_search_find(const struct spur_search *l, double threshold_db,
                     const struct spur_list *known, struct found_spurs *out, struct reason *why)
{
    const double spectra = (double)l->newest.frames * (double)l->trace.lines;
    struct line bare = l->newest; /* what is known of the centre is in the list */
    struct band_rules *rules = calloc(1, sizeof *rules);
    struct search s = {.line = &l->newest,
                       .power = l->trace.power,
                       .lines = l->trace.lines,
                       .threshold = pow(10, threshold_db / 10),
                       .known = rules,
                       .out = out};
    int err = rules ? 0 : -ENOMEM;
    out->count = 0;
    if (err == 0 && spectra < LEAST_SPECTRA)
        err = reason_set(why, -ERANGE,
                         "%.0f spectra are too few to distinguish a line from noise: give a "
                         "longer --duration",
                         spectra);
    if (err == 0 && tone_shape_prepare(&s.shape, &l->newest) < 0)
        err = reason_set(why, -ERANGE, "the shape of the window %s is not known", l->newest.window);
    if (err == 0) {
        bare.dc_spur = false;
        band_rules_update(rules, &bare, known);
        measure_floors(&s);
        find_lines(&s);
    }
    free(rules);
    return err;
}
