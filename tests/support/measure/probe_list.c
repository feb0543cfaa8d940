/* probe_list.c - the measurement "probe", the only one of its list. */
#include "tests/support/measure/probe_list.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "daemon/base/reason.h"

struct probe {
    double gain;
    uint32_t samples, rows;
    bool fail;
    const char *note;
    void *memory; /* allocated by the first update */
};

atomic_bool probe_blocks;
atomic_uint probe_updates, probe_states;

#define FIELD(member)                                                                              \
    .offset = offsetof(struct probe, member), .size = sizeof(((struct probe *)0)->member)

static const struct config_option options[] = {
    {"probe", "gain", .kind = OPTION_NUMBER, FIELD(gain), .fallback = "1", .metavar = "X", .min = 0,
     .max = 1e6, .help = "A number"},
    {"probe", "samples", .kind = OPTION_COUNT, FIELD(samples), .fallback = "0", .metavar = "COUNT",
     .min = 0, .max = 1e9, .help = "Samples"},
    {"probe", "rows", .kind = OPTION_COUNT, FIELD(rows), .fallback = "0", .metavar = "COUNT",
     .min = 0, .max = 256, .help = "Rows of the table"},
    {"probe", "fail", .kind = OPTION_FLAG, FIELD(fail), .fallback = "no", .help = "Refuse"},
    {"probe", "note", .kind = OPTION_STRING, FIELD(note), .fallback = "", .metavar = "TEXT",
     .expected = "text", .help = "A text"},
};

static int check(const void *state, struct reason *why)
{
    const struct probe *p = state;
    if (p->rows <= p->gain * 1000)
        return 0;
    snprintf(why->sentence, sizeof why->sentence, "rows: more than 1000 times gain");
    return -EINVAL;
}

static size_t iq_samples(const void *state, const struct line *line)
{
    (void)line;
    return ((const struct probe *)state)->samples;
}

static void fill_table(struct measure_table *t, unsigned rows)
{
    t->columns = 2;
    t->column[0].name = "at";
    t->column[0].unit = MEASURE_HZ;
    t->column[1].name = "level";
    t->column[1].unit = MEASURE_DBFS;
    for (t->rows = 0; t->rows < rows; t->rows++) {
        t->cell[t->rows][0] = 1000.0 * t->rows;
        t->cell[t->rows][1] = t->rows % 2 ? NAN : -20.12345;
    }
}

static int update(void *state, const struct measure_input *in, struct measure_result *out)
{
    struct probe *p = state;
    atomic_fetch_add(&probe_updates, 1);
    while (atomic_load(&probe_blocks))
        uv_sleep(1);
    if (!p->memory) {
        p->memory = malloc(1);
        atomic_fetch_add(&probe_states, 1);
    }
    if (p->fail)
        return measure_refuse(out, "the probe was set to fail");
    double sum = 0;
    for (uint32_t k = 0; k < in->line->n; k++)
        sum += (double)in->power[k];
    const double first = in->iq_count ? (double)in->iq[0].re : NAN;
    measure_add(out, "line", MEASURE_COUNT, (double)in->line->number, 0);
    measure_add(out, "sum", MEASURE_COUNT, sum, 0);
    measure_add(out, "first", MEASURE_DB, first, 0);
    measure_add(out, "samples", MEASURE_COUNT, (double)in->iq_count, 0);
    measure_add(out, "gain", MEASURE_COUNT, p->gain, 0);
    measure_add(out, "lines", MEASURE_COUNT, (double)in->lines, 0);
    measure_add(out, "first_q", MEASURE_DB, in->iq_count ? (double)in->iq[0].im : NAN, 0);
    out->verdict = p->gain > 1 ? MEASURE_PASS : p->gain < 1 ? MEASURE_FAIL : MEASURE_NO_LIMIT;
    fill_table(&out->table, p->rows);
    return 0;
}

static void finish(void *state)
{
    struct probe *p = state;
    if (p->memory)
        atomic_fetch_sub(&probe_states, 1);
    free(p->memory);
}

static const struct measure_name values[] = {{"line", MEASURE_COUNT}, {"sum", MEASURE_COUNT},
                                             {"first", MEASURE_DB},   {"samples", MEASURE_COUNT},
                                             {"gain", MEASURE_COUNT}, {"lines", MEASURE_COUNT},
                                             {"first_q", MEASURE_DB}, {0}};

static const struct measure_ops probe = {
    .name = "probe",
    .about = "What a test wants to know",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(struct probe),
    .check = check,
    .iq_samples = iq_samples,
    .values = values,
    .has_verdict = true,
    .update = update,
    .finish = finish,
};

const struct measure_ops *const measure_list[] = {&probe};
const size_t measure_count = 1;
