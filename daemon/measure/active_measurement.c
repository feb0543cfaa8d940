/* active_measurement.c - passes lines through the trace of a measurement to its hook. */
#include "daemon/measure/active_measurement.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"

enum { IQ_MAX = 1 << 20, IQ_COPIES = 4 /* that a filter keeps, at most */ };

size_t active_measurement_iq_samples(const struct active_measurement *m, const struct line *line)
{
    const struct measure_ops *ops = m->setup->ops;
    const size_t wanted =
        ops->iq_samples && !line->dwells ? ops->iq_samples(m->setup->state, line) : 0;
    const uint64_t limit = m->setup->owner ? OWN_IQ_MAX : IQ_MAX;
    const uint64_t most = line->sample_count < limit ? line->sample_count : limit;
    return wanted < most ? wanted : (size_t)most;
}

size_t active_measurement_bytes(const struct active_measurement *m, const struct line *line)
{
    const size_t samples = active_measurement_iq_samples(m, line);
    const bool percentile = m->setup->detector.percent > 0;
    return (size_t)line->n * measure_setup_bin_bytes(m->setup) +
           (percentile ? percentile_bytes(line->n, &line->density) : 0) +
           samples * IQ_COPIES * sizeof(struct fft_iq);
}

static bool same_trace(const struct measure_setup *a, const struct measure_setup *b)
{
    return a->detector.index == b->detector.index &&
           a->detector.percent - b->detector.percent == 0 && a->trace == b->trace &&
           a->count == b->count && a->vbw_hz - b->vbw_hz == 0;
}

void active_measurement_replace(struct active_measurement *m, struct measure_setup *setup)
{
    struct active_measurement next = {.setup = setup, .changed = true};
    if (m->setup && same_trace(m->setup, setup)) {
        next.trace = m->trace;
        next.has_line = m->has_line;
        next.line = m->line;
        m->trace = (struct trace){0};
    }
    active_measurement_finish(m);
    *m = next;
}

/* ---- against a reference ---------------------------------------------------------------- */

static int copy_trace(struct active_measurement *m, uint32_t n)
{
    if (m->n != n) {
        free(m->computed);
        m->computed = malloc(n * sizeof *m->computed);
        m->n = m->computed ? n : 0;
    }
    if (!m->computed)
        return -ENOMEM;
    memcpy(m->computed, m->trace.power, n * sizeof *m->computed);
    return 0;
}

/* *power becomes the trace after math. */
static int compute(struct active_measurement *m, const struct active_measurement_line *in,
                   const float **power)
{
    const struct measure_setup *s = m->setup;
    struct reason why = {0};
    int err = copy_trace(m, in->line->n);
    if (err < 0)
        return err;
    struct reference *r =
        in->references ? reference_store_find(in->references, s->reference) : NULL;
    if (!r)
        return measure_refuse(in->scratch, "there is no reference %s", s->reference);
    err = reference_apply(r, (enum reference_math)s->math, in->line, m->computed, &why);
    reference_unref(r);
    *power = m->computed;
    return err < 0 ? measure_refuse(in->scratch, "%s", why.sentence) : 0;
}

/* The level of a ratio is a ratio, and its density is nothing. */
static void make_relative(enum measure_unit *unit, double *value)
{
    if (*unit == MEASURE_DBFS_HZ && value)
        *value = NAN;
    if (*unit == MEASURE_DBFS || *unit == MEASURE_DBFS_HZ)
        *unit = MEASURE_DB;
}

static void make_result_relative(struct measure_result *r)
{
    for (unsigned i = 0; i < r->values; i++)
        make_relative(&r->value[i].unit, &r->value[i].value);
    for (unsigned c = 0; c < r->table.columns; c++)
        make_relative(&r->table.column[c].unit, NULL);
}

/* ---- lines ------------------------------------------------------------------------------ */

/* A line that is measured again, with another set-up, is in the trace already. */
static int add_to_trace(struct active_measurement *m, const struct line *line)
{
    const struct measure_setup *s = m->setup;
    m->trace.function = s->trace;
    m->trace.count = s->count;
    m->trace.vbw_hz = s->vbw_hz;
    m->trace.borrows = true; /* the caller keeps the line */
    if (m->has_line && m->line == line->number)
        return 0;
    const struct line *from = line;
    int err = 0;
    if (s->detector.percent > 0) {
        err = percentile_update(&m->percentile, line, s->detector.percent);
        from = m->percentile.line;
    }
    if (err == 0)
        err = trace_update(&m->trace, from, s->detector.index);
    m->has_line = err == 0;
    m->line = line->number;
    return err;
}

/* Why the line has not what the set-up asks for. */
static int refuse_detector(struct active_measurement *m, const struct line *line,
                           struct measure_result *result)
{
    char detector[DETECTOR_TEXT];
    const struct detector_choice *wanted = &m->setup->detector;
    detector_text(wanted->index, wanted->percent, detector);
    if (!(wanted->percent > 0))
        return measure_refuse(result, "the detector %s is not computed%s", detector,
                              detector_is_on_demand(wanted->index) ? " yet" : ": restart fftd");
    if (line->dwells)
        return measure_refuse(result, "a sweep has no density, which %s is taken from", detector);
    return measure_refuse(result, "the density, which %s is taken from, is not counted yet",
                          detector);
}

/* The levels of a density column are those of its strongest bin. */
static void note_columns(const struct active_measurement *m, const struct line *line,
                         struct measure_result *result)
{
    if (!(m->setup->detector.percent > 0) || line->density.columns == line->n || result->note[0])
        return;
    snprintf(result->note, sizeof result->note,
             "each of the %u density columns has the level of its strongest bin: "
             "density-columns = %u gives each bin its own",
             line->density.columns, line->n);
}

static int measure(struct active_measurement *m, const struct active_measurement_line *in)
{
    const struct measure_setup *s = m->setup;
    struct measure_result *result = in->scratch;
    const size_t wanted = active_measurement_iq_samples(m, in->line);
    int err = add_to_trace(m, in->line);
    if (err == -ENOENT || err == -ENODATA)
        return refuse_detector(m, in->line, result);
    const float *power = m->trace.power;
    if (err == 0 && s->math != MATH_NONE)
        err = compute(m, in, &power);
    const struct measure_input input = {.line = in->line,
                                        .power = power,
                                        .detector = s->detector.index,
                                        .percent = s->detector.percent,
                                        .function = s->trace,
                                        .lines = m->trace.lines,
                                        .relative = s->math == MATH_RELATIVE,
                                        .rules = in->rules,
                                        .radio = in->radio,
                                        .iq = in->iq,
                                        .iq_count = in->iq_count < wanted ? in->iq_count : wanted};
    if (in->line->dwells && s->ops->iq_samples)
        return measure_refuse(result, "the samples of a sweep have many centres");
    if (err == 0)
        err = measure_update(s->ops, s->state, &input, result);
    if (s->math == MATH_RELATIVE)
        make_result_relative(result);
    if (err == 0)
        note_columns(m, in->line, result);
    if (err < 0 && !result->reason[0])
        measure_refuse(result, "%s", strerror(-err));
    return err;
}

static void describe(const struct active_measurement *m, struct measure_report *out)
{
    memcpy(out->name, m->setup->text.name, strlen(m->setup->text.name) + 1);
    out->owner = m->setup->owner;
    out->ops = m->setup->ops;
    out->detector = m->setup->detector;
    out->function = m->setup->trace;
    out->lines = m->trace.lines;
    out->vbw_hz = trace_vbw_hz(&m->trace);
}

void active_measurement_update(struct active_measurement *m,
                               const struct active_measurement_line *in, struct measure_report *out)
{
    memset(in->scratch, 0, sizeof *in->scratch);
    measure(m, in);
    m->changed = false;
    describe(m, out);
    measure_report_set(out, in->scratch);
}

void active_measurement_refuse(struct active_measurement *m, const char *reason,
                               struct measure_report *out)
{
    trace_finish(&m->trace);
    percentile_finish(&m->percentile);
    m->has_line = m->changed = false;
    describe(m, out);
    snprintf(out->reason, sizeof out->reason, "%s", reason);
}

void active_measurement_store_trace(struct active_measurement *m, const struct line *line,
                                    struct reference_store *store)
{
    char detector[DETECTOR_TEXT];
    const struct detector_choice *choice = &m->setup->detector;
    const struct reference_source source = {
        .name = m->reference,
        .detector = detector_text(choice->index, choice->percent, detector),
        .trace = trace_function_name(m->trace.function),
        .lines = m->trace.lines,
        .line = line,
        .power = m->trace.power};
    struct reference *r;
    if (!m->reference[0])
        return;
    int err = m->trace.lines > 0 && m->trace.n == line->n ? 0 : -ENODATA;
    if (err == 0)
        err = reference_create(&r, &source);
    if (err == 0)
        err = reference_store_put(store, r);
    if (err < 0)
        log_warn("the trace of %s is not stored as the reference %s: %s", m->setup->text.name,
                 m->reference, strerror(-err));
    m->reference[0] = '\0';
}

void active_measurement_finish(struct active_measurement *m)
{
    trace_finish(&m->trace);
    percentile_finish(&m->percentile);
    free(m->computed);
    measure_setup_destroy(m->setup);
    *m = (struct active_measurement){0};
}
