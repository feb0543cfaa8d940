/* trace.c - combines lines into traces. */
#include "daemon/line/trace.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/fast_math.h"

static const float least_power = 1e-30F; /* -300 dBFS: the logarithm of 0 has no mean */

/* The averages: the mean in a scale of their own, in which the newest line has a weight. */
static void average_power(struct trace *t, const float *in, double weight)
{
    for (uint32_t k = 0; k < t->n; k++) {
        t->mean[k] += weight * ((double)in[k] - t->mean[k]);
        t->memory[k] = (float)t->mean[k];
    }
}

static void average_log(struct trace *t, const float *in, double weight)
{
    double *restrict mean = t->mean;
    float *restrict power = t->memory;
    const uint32_t n = t->n;
    for (uint32_t k = 0; k < n; k++) {
        const float value = fast_log2(in[k] > least_power ? in[k] : least_power);
        mean[k] += weight * ((double)value - mean[k]);
        power[k] = fast_exp2((float)mean[k]);
    }
}

static void average_voltage(struct trace *t, const float *in, double weight)
{
    for (uint32_t k = 0; k < t->n; k++) {
        t->mean[k] += weight * ((double)sqrtf(in[k]) - t->mean[k]);
        t->memory[k] = (float)(t->mean[k] * t->mean[k]);
    }
}

static const struct function {
    const char *name;
    bool keeps_power;
    void (*average)(struct trace *t, const float *in, double weight); /* NULL: no average */
} functions[TRACE_FUNCTIONS] = {
    [TRACE_CLEAR_WRITE] = {"clear-write", true, NULL},
    [TRACE_MAX_HOLD] = {"max-hold", false, NULL},
    [TRACE_MIN_HOLD] = {"min-hold", false, NULL},
    [TRACE_AVERAGE] = {"average", true, average_power},
    [TRACE_LOG_AVERAGE] = {"log-average", false, average_log},
    [TRACE_VOLTAGE_AVERAGE] = {"voltage-average", false, average_voltage},
    [TRACE_EXPONENTIAL] = {"exponential", true, average_power},
};

const char *trace_function_name(enum trace_function function)
{
    return functions[function].name;
}

bool trace_averages(enum trace_function function)
{
    return functions[function].average;
}

static bool can_borrow(enum trace_function function)
{
    return function == TRACE_CLEAR_WRITE;
}

uint32_t trace_bin_bytes(enum trace_function function, bool borrows)
{
    const size_t power = borrows && can_borrow(function) ? 0 : sizeof(float);
    return (uint32_t)(power + (trace_averages(function) ? sizeof(double) : 0));
}

double trace_final_vbw_hz(double vbw_hz, double line_s)
{
    const double of_line = 1 / (2 * line_s);
    return vbw_hz > 0 && vbw_hz < of_line ? vbw_hz : of_line;
}

double trace_vbw_hz(const struct trace *t)
{
    const bool averages = functions[t->function].average;
    if (t->lines == 0 || (!averages && t->function != TRACE_CLEAR_WRITE))
        return NAN;
    return (averages ? t->noise : 1) / (2 * t->line_s);
}

bool trace_keeps_power(enum trace_function function)
{
    return functions[function].keeps_power;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool continues(const struct trace *t, const struct line *line, unsigned detector)
{
    return t->lines > 0 && t->current == t->function && t->n == line->n && t->hop == line->hop &&
           t->detector == detector && t->enbw_bins == line->enbw_bins &&
           strcmp(t->window, line->window) == 0 && same_number(t->gain_db, line->gain_db) &&
           tuning_equal(&t->tuning, &line->tuning);
}

static bool borrows(const struct trace *t)
{
    return t->borrows && can_borrow(t->function);
}

/* Memory for lines of n bins; on failure the trace is unchanged. */
static int resize(struct trace *t, uint32_t n)
{
    const bool averages = functions[t->function].average;
    const bool has_memory = t->memory && (t->mean || !averages);
    if (t->n == n && (has_memory || borrows(t)))
        return 0;
    float *power = borrows(t) ? NULL : malloc(n * sizeof *power);
    double *mean = averages ? malloc(n * sizeof *mean) : NULL;
    if ((!power && !borrows(t)) || (averages && !mean)) {
        free(power);
        free(mean);
        return -ENOMEM;
    }
    trace_finish(t);
    t->memory = power;
    t->mean = mean;
    t->n = n;
    return 0;
}

static int start(struct trace *t, const struct line *line, unsigned detector)
{
    const int err = resize(t, line->n);
    if (err < 0)
        return err;
    t->lines = 0;
    t->current = t->function;
    t->detector = detector;
    t->hop = line->hop;
    t->enbw_bins = line->enbw_bins;
    t->gain_db = line->gain_db;
    t->tuning = line->tuning;
    memcpy(t->window, line->window, sizeof t->window);
    return 0;
}

static void hold(struct trace *t, const float *in)
{
    const bool max = t->function == TRACE_MAX_HOLD;
    float *power = t->memory;
    for (uint32_t k = 0; k < t->n; k++)
        power[k] = (in[k] > power[k]) == max ? in[k] : power[k];
}

/* See trace.h. */
static double weight_of_vbw(double vbw_hz, double line_s)
{
    const double r = 2 * line_s * vbw_hz;
    return r < 1 ? 2 * r / (1 + r) : 1;
}

/* The weight of the newest line. */
static double weight(const struct trace *t)
{
    if (t->vbw_hz > 0) {
        const double least = weight_of_vbw(t->vbw_hz, t->line_s);
        const double equal = 1 / ((double)t->lines + 1);
        return t->lines == 0 || (t->function != TRACE_EXPONENTIAL && equal > least) ? equal : least;
    }
    const uint64_t lines = t->lines + 1;
    const uint64_t most = t->count > 0 ? t->count : lines;
    if (t->function == TRACE_EXPONENTIAL && t->lines > 0)
        return 1 / (double)most;
    return 1 / (double)(lines < most ? lines : most);
}

static void average(struct trace *t, const float *in)
{
    const double newest = weight(t);
    if (t->lines == 0)
        memset(t->mean, 0, t->n * sizeof *t->mean);
    functions[t->function].average(t, in, newest);
    t->noise = t->lines == 0 ? 1 : (1 - newest) * (1 - newest) * t->noise + newest * newest;
}

static void combine(struct trace *t, const float *in)
{
    if (functions[t->function].average)
        average(t, in);
    else if (t->lines > 0 && t->function != TRACE_CLEAR_WRITE)
        hold(t, in);
    else
        memcpy(t->memory, in, t->n * sizeof *in);
    t->power = t->memory;
}

int trace_update(struct trace *t, const struct line *line, unsigned detector)
{
    const float *in = detector < FFT_DETECTORS ? line->detector[detector] : NULL;
    if (!in)
        return -ENOENT;
    const int err = continues(t, line, detector) ? 0 : start(t, line, detector);
    if (err < 0)
        return err;
    t->line_s = (double)line->frames * line->hop / line->tuning.rate_hz;
    if (borrows(t))
        t->power = in;
    else
        combine(t, in);
    t->lines = t->function == TRACE_CLEAR_WRITE ? 1 : t->lines + 1;
    return 0;
}

void trace_finish(struct trace *t)
{
    free(t->memory);
    free(t->mean);
    t->memory = NULL;
    t->power = NULL;
    t->mean = NULL;
    t->lines = t->n = 0;
}
