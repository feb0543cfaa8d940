/* zero_span.c - power against time at one frequency, through an RBW filter. */
#include <math.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/measure/types/receiver.h"

struct zero_span {
    double center_hz, rbw_hz, time_s;
    unsigned filter;
    uint32_t points;
    struct receiver receiver;
};

static const struct config_option options[] = {
    {"zero-span", "center", .kind = OPTION_NUMBER, OPTION_FIELD(struct zero_span, center_hz),
     .fallback = "0", .metavar = "HZ", .unit = SI_HZ, .min = -1e12, .max = 1e12,
     .help = "Centre of the filter"},
    {"zero-span", "rbw", .kind = OPTION_NUMBER, OPTION_FIELD(struct zero_span, rbw_hz),
     .fallback = "0", .metavar = "HZ", .unit = SI_HZ, .min = 0, .max = 1e10,
     .help = "Bandwidth of the filter: 3 dB of gauss, 6 dB of flat; 0 takes the whole span"},
    {"zero-span", "filter", .kind = OPTION_INDEX, OPTION_FIELD(struct zero_span, filter),
     .fallback = "gauss", .metavar = "NAME", .choices = DDC_RESPONSES,
     .help = "Shape of the filter"},
    {"zero-span", "time", .kind = OPTION_NUMBER, OPTION_FIELD(struct zero_span, time_s),
     .fallback = "1 ms", .metavar = "SECONDS", .unit = SI_SECONDS, .min = 1e-9, .max = 1000,
     .help = "Time from the first sample of each line"},
    {"zero-span", "points", .kind = OPTION_COUNT, OPTION_FIELD(struct zero_span, points),
     .fallback = "100", .metavar = "POINTS", .min = 1, .max = MEASURE_ROWS,
     .help = "Parts of that time, at most; each has its mean and its peak"},
};

enum { MOST_SAMPLES = 1 << 20 };
enum { TIME, FREQUENCY, MEAN, PEAK, COLUMNS };

static double wanted_samples(const struct zero_span *s, const struct line *line)
{
    return ceil(s->time_s * line->tuning.rate_hz);
}

static size_t iq_samples(const void *state, const struct line *line)
{
    return (size_t)fmin(fmax(1, wanted_samples(state, line)), MOST_SAMPLES);
}

/* Mean and peak of the outputs first .. end - 1 as a row. */
static void add_point(const struct zero_span *s, size_t first, size_t end,
                      struct measure_result *out)
{
    const struct receiver *r = &s->receiver;
    double sum = 0;
    float peak = 0;
    for (size_t i = first; i < end; i++) {
        const float power = r->out[i].re * r->out[i].re + r->out[i].im * r->out[i].im;
        sum += (double)power;
        peak = power > peak ? power : peak;
    }
    double *row = measure_add_row(out);
    row[TIME] = r->delay_s + (double)(first + end - 1) / 2 / r->rate_hz;
    row[FREQUENCY] = r->center_hz;
    row[MEAN] = level_dbfs((float)(sum / (double)(end - first)));
    row[PEAK] = level_dbfs(peak);
}

static void add_points(const struct zero_span *s, struct measure_result *out)
{
    const size_t count = s->receiver.count, points = count < s->points ? count : s->points;
    for (size_t i = 0; i < points; i++)
        add_point(s, i * count / points, (i + 1) * count / points, out);
}

static void add_summary(const struct zero_span *s, struct measure_result *out)
{
    double sum = 0, peak = -INFINITY, least = INFINITY;
    for (unsigned i = 0; i < out->table.rows; i++) {
        const double *row = out->table.cell[i];
        sum += pow(10, row[MEAN] / 10);
        peak = fmax(peak, row[PEAK]);
        least = fmin(least, row[MEAN]);
    }
    measure_add(out, "mean", MEASURE_DBFS, 10 * log10(sum / out->table.rows),
                s->receiver.center_hz);
    measure_add(out, "peak", MEASURE_DBFS, peak, s->receiver.center_hz);
    measure_add(out, "least", MEASURE_DBFS, least, s->receiver.center_hz);
    measure_add(out, "step", MEASURE_SECONDS, 1 / s->receiver.rate_hz, s->receiver.center_hz);
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    static const struct measure_table columns = {.columns = COLUMNS,
                                                 .hz_column = FREQUENCY,
                                                 .column = {[TIME] = {"time", MEASURE_SECONDS},
                                                            [FREQUENCY] = {"frequency", MEASURE_HZ},
                                                            [MEAN] = {"mean", MEASURE_DBFS},
                                                            [PEAK] = {"peak", MEASURE_DBFS}}};
    struct zero_span *s = state;
    const struct receiver_channel channel = {s->center_hz, s->rbw_hz, s->filter};
    const double wanted = wanted_samples(s, in->line);
    if (wanted > MOST_SAMPLES)
        return measure_refuse(out, "%.4g s are %.0f samples, more than %d", s->time_s, wanted,
                              MOST_SAMPLES);
    if (in->iq_count > 0 && (double)in->iq_count < wanted)
        return measure_refuse(out, "only %zu of %.0f samples are there", in->iq_count, wanted);
    const int err = receiver_run(&s->receiver, &channel, in, 1, out);
    if (err < 0)
        return err;
    memcpy(&out->table, &columns, offsetof(struct measure_table, cell));
    add_points(s, out);
    add_summary(s, out);
    return 0;
}

static void finish(void *state)
{
    receiver_finish(&((struct zero_span *)state)->receiver);
}

static const struct measure_name values[] = {{"mean", MEASURE_DBFS},
                                             {"peak", MEASURE_DBFS},
                                             {"least", MEASURE_DBFS},
                                             {"step", MEASURE_SECONDS},
                                             {0}};

const struct measure_ops measure_zero_span = {
    .name = "zero-span",
    .about = "Power against time at one frequency, through an RBW filter",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct zero_span),
    .iq_samples = iq_samples,
    .values = values,
    .update = update,
    .finish = finish,
};
