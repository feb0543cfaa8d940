/* peaks.c - the table of peaks (peak_search.h), with interpolated frequency and level. */
#include <stdlib.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/line/tone.h"
#include "daemon/measure/bins.h"
#include "daemon/measure/peak_search.h"

enum sorting { BY_LEVEL, BY_FREQUENCY };

struct peaks {
    struct peak_rule rule;
    unsigned sorting;
    struct tone_shape shape;
    struct peak found[MEASURE_ROWS]; /* the strongest first */
    uint32_t count;
};

static const struct config_option options[] = {
    {"peaks", "threshold", .kind = OPTION_NUMBER, OPTION_FIELD(struct peaks, rule.threshold_db),
     .fallback = "-300", .metavar = "DBFS", .unit = SI_DB, .min = -300, .max = 100,
     .help = "Level from which a peak must rise; -300 is none"},
    {"peaks", "excursion", .kind = OPTION_NUMBER, OPTION_FIELD(struct peaks, rule.excursion_db),
     .fallback = "6", .metavar = "DB", .unit = SI_DB, .min = 0.1, .max = 100,
     .help = "Rise and fall of a peak"},
    {"peaks", "count", .kind = OPTION_COUNT, OPTION_FIELD(struct peaks, rule.most),
     .fallback = "10", .metavar = "PEAKS", .min = 1, .max = MEASURE_ROWS,
     .help = "Peaks in the table, at most; the strongest remain"},
    {"peaks", "sort", .kind = OPTION_INDEX, OPTION_FIELD(struct peaks, sorting),
     .fallback = "level", .metavar = "ORDER", .choices = "level, frequency",
     .help = "Order of the table"},
};

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
    const struct powers powers = bins_powers(in);
    s->count = peak_search(&s->rule, &powers, line_usable_bins(in->line), in->rules, s->found);
    if (s->sorting == BY_FREQUENCY)
        qsort(s->found, s->count, sizeof s->found[0], by_bin);
    report(s, in, out);
    return 0;
}

static const struct measure_name values[] = {{"count", MEASURE_COUNT}, {0}};

const struct measure_ops measure_peaks = {
    .name = "peaks",
    .about = "Table of peaks with interpolated frequency and level",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct peaks),
    .values = values,
    .update = update,
};
