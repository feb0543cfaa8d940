/*
 * peaks.c - the table of peaks.
 *
 * A peak rises above the threshold by the excursion and falls back by the excursion on both sides;
 * what a trace does below the threshold does not count. Of equal bins the leftmost is the peak
 * (Keysight N9010A, "Peak Threshold" and "Peak Excursion").
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/measure/bins.h"
#include "daemon/measure/tone.h"

enum sorting { BY_LEVEL, BY_FREQUENCY };

struct peak {
    uint32_t bin;
    float power;
};

struct peaks {
    double threshold_db, excursion_db;
    uint32_t most;
    unsigned sorting;
    struct tone_shape shape;
    struct peak found[MEASURE_ROWS]; /* the strongest first */
    uint32_t count;
};

#define FIELD(member)                                                                              \
    .offset = offsetof(struct peaks, member), .size = sizeof(((struct peaks *)0)->member)

static const struct config_option options[] = {
    {"peaks", "threshold", .kind = OPTION_NUMBER, FIELD(threshold_db), .fallback = "-300",
     .metavar = "DBFS", .unit = SI_DB, .min = -300, .max = 100,
     .help = "Level from which a peak must rise; -300 is none"},
    {"peaks", "excursion", .kind = OPTION_NUMBER, FIELD(excursion_db), .fallback = "6",
     .metavar = "DB", .unit = SI_DB, .min = 0.1, .max = 100, .help = "Rise and fall of a peak"},
    {"peaks", "count", .kind = OPTION_COUNT, FIELD(most), .fallback = "10", .metavar = "PEAKS",
     .min = 1, .max = MEASURE_ROWS, .help = "Peaks in the table, at most; the strongest remain"},
    {"peaks", "sort", .kind = OPTION_INDEX, FIELD(sorting), .fallback = "level", .metavar = "ORDER",
     .choices = "level, frequency", .help = "Order of the table"},
};

static void insert(struct peaks *s, struct peak peak)
{
    if (s->count == s->most && peak.power <= s->found[s->count - 1].power)
        return;
    uint32_t at = s->count < s->most ? s->count++ : s->count - 1;
    for (; at > 0 && s->found[at - 1].power < peak.power; at--)
        s->found[at] = s->found[at - 1];
    s->found[at] = peak;
}

/* One pass: after a valley the trace climbs to a candidate, which is a peak once it has fallen. */
static void find(struct peaks *s, const float *power, uint32_t n)
{
    const float threshold = (float)pow(10, s->threshold_db / 10);
    const float excursion = (float)pow(10, s->excursion_db / 10);
    struct peak top = {0};
    float valley = fmaxf(power[0], threshold);
    bool climbing = false;
    s->count = 0;
    for (uint32_t k = 1; k < n; k++) {
        const float here = power[k] > threshold ? power[k] : threshold;
        if (!climbing && here >= valley * excursion) {
            climbing = true;
            top = (struct peak){k, here};
        } else if (climbing && here > top.power) {
            top = (struct peak){k, here};
        } else if (climbing && here * excursion <= top.power) {
            insert(s, top);
            climbing = false;
            valley = here;
        } else if (!climbing && here < valley) {
            valley = here;
        }
    }
}

static int by_bin(const void *a, const void *b)
{
    const uint32_t x = ((const struct peak *)a)->bin, y = ((const struct peak *)b)->bin;
    return (x > y) - (x < y);
}

static void report(struct peaks *s, const struct measure_input *in, struct measure_result *out)
{
    static const struct measure_table columns = {
        .columns = 2,
        .hz_column = 0,
        .column = {{"frequency", MEASURE_HZ}, {"level", MEASURE_DBFS}}};
    memcpy(&out->table, &columns, offsetof(struct measure_table, cell));
    for (uint32_t i = 0; i < s->count; i++) {
        const struct tone tone = tone_at(&s->shape, in->power, in->line->n, s->found[i].bin);
        double *row = measure_add_row(out);
        row[0] = bins_frequency(in->line, tone.position);
        row[1] = level_dbfs((float)tone.power);
    }
    measure_add(out, "count", MEASURE_COUNT, s->count, 0);
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    struct peaks *s = state;
    if (tone_shape_prepare(&s->shape, in->line) < 0)
        return measure_refuse(out, "the shape of the window %s is not known", in->line->window);
    find(s, in->power, in->line->n);
    if (s->sorting == BY_FREQUENCY)
        qsort(s->found, s->count, sizeof s->found[0], by_bin);
    report(s, in, out);
    return 0;
}

const struct measure_ops measure_peaks = {
    .name = "peaks",
    .about = "Table of peaks with interpolated frequency and level",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct peaks),
    .update = update,
};
