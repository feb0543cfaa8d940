/* measure.c - finds measurements by name, and fills results. */
#include "daemon/measure/measure.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct measure_ops *measure_find(const char *name)
{
    for (size_t i = 0; i < measure_count; i++)
        if (strcmp(measure_list[i]->name, name) == 0)
            return measure_list[i];
    return NULL;
}

const char *measure_unit_name(enum measure_unit unit)
{
    static const char *const names[] = {
        [MEASURE_DBFS] = "dbfs", [MEASURE_DBFS_HZ] = "dbfs_hz", [MEASURE_DB] = "db",
        [MEASURE_HZ] = "hz",     [MEASURE_PERCENT] = "percent", [MEASURE_SECONDS] = "s",
        [MEASURE_COUNT] = "",
    };
    return names[unit];
}

bool measure_gives(const struct measure_ops *ops, const void *state, const char *value)
{
    if (!value[0] && !ops->has_verdict)
        return false;
    return !ops->gives || ops->gives(state, value);
}

static bool is_stated(const struct measure_ops *ops, const void *state,
                      const struct measure_value *value)
{
    const struct measure_name *v = ops->values;
    while (v->name && (strcmp(v->name, value->name) != 0 || v->unit != value->unit))
        v++;
    return v->name && measure_gives(ops, state, v->name);
}

int measure_update(const struct measure_ops *ops, void *state, const struct measure_input *in,
                   struct measure_result *out)
{
    int err = ops->needs_power ? measure_needs_power(in, out) : 0;
    err = err < 0 ? err : ops->update(state, in, out);
    for (unsigned i = 0; i < out->values; i++) {
        const bool is_right = is_stated(ops, state, &out->value[i]);
        assert(is_right);
        (void)is_right;
    }
    assert(out->verdict == MEASURE_NO_LIMIT || measure_gives(ops, state, ""));
    return err;
}

void measure_add(struct measure_result *out, const char *name, enum measure_unit unit, double value,
                 double at_hz)
{
    assert(out->values < MEASURE_VALUES);
    out->value[out->values++] =
        (struct measure_value){.name = name, .unit = unit, .value = value, .at_hz = at_hz};
}

double *measure_add_row(struct measure_result *out)
{
    assert(out->table.rows < MEASURE_ROWS);
    double *row = out->table.cell[out->table.rows++];
    for (unsigned c = 0; c < MEASURE_COLUMNS; c++)
        row[c] = NAN;
    return row;
}

static bool is_mean(const struct measure_input *in)
{
    return !(in->percent > 0) &&
           (1U << in->detector & (FFT_DETECTOR_MEAN | FFT_DETECTOR_SAMPLE)) != 0;
}

bool measure_keeps_power(const struct measure_input *in)
{
    return is_mean(in) && trace_keeps_power(in->function);
}

int measure_needs_power(const struct measure_input *in, struct measure_result *out)
{
    if (measure_keeps_power(in))
        return 0;
    char detector[DETECTOR_TEXT];
    if (!is_mean(in))
        return measure_refuse(out, "needs the detector mean or sample; %s is biased on noise",
                              detector_text(in->detector, in->percent, detector));
    return measure_refuse(out, "needs a trace of mean power; %s is biased on noise",
                          trace_function_name(in->function));
}

int measure_refuse(struct measure_result *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(out->reason, sizeof out->reason, format, args);
    va_end(args);
    out->note[0] = '\0';
    out->values = out->table.rows = 0;
    out->verdict = MEASURE_NO_LIMIT;
    return -ERANGE;
}
