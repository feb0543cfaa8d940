/* reference.c - counts the users of a reference, and computes traces against it. */
#include "daemon/line/reference/reference.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"

/* ---- making ----------------------------------------------------------------------------- */

struct reference *reference_allocate(uint32_t n)
{
    struct reference *r = calloc(1, sizeof *r + n * sizeof r->power[0]);
    if (!r)
        return NULL;
    atomic_init(&r->refs, 1);
    r->n = n;
    return r;
}

int reference_create(struct reference **out, const struct reference_source *source)
{
    const struct line *line = source->line;
    *out = NULL;
    if (line->n > REFERENCE_BINS_MAX)
        return -E2BIG;
    struct reference *r = reference_allocate(line->n);
    if (!r)
        return -ENOMEM;
    snprintf(r->name, sizeof r->name, "%s", source->name);
    snprintf(r->detector, sizeof r->detector, "%s", source->detector);
    snprintf(r->trace, sizeof r->trace, "%s", source->trace);
    r->lines = source->lines;
    r->time_ns = line->time_ns;
    r->center_hz = line->tuning.center_hz;
    r->rate_hz = line->tuning.rate_hz;
    r->gain_db = line->gain_db;
    r->enbw_bins = line->enbw_bins;
    r->hop = line->hop;
    memcpy(r->window, line->window, sizeof r->window);
    r->simulated = line->simulated;
    r->rate_assumed = line->rate_assumed;
    memcpy(r->power, source->power, line->n * sizeof r->power[0]);
    *out = r;
    return 0;
}

struct reference *reference_ref(struct reference *r)
{
    if (r)
        atomic_fetch_add(&r->refs, 1);
    return r;
}

void reference_unref(struct reference *r)
{
    if (r && atomic_fetch_sub(&r->refs, 1) == 1)
        free(r);
}

/* ---- arithmetic ------------------------------------------------------------------------- */

static const char *const math_names[MATHS] = {"none", "minus", "relative"};

int reference_math_index(const char *name)
{
    for (int i = 0; i < MATHS; i++)
        if (strcmp(name, math_names[i]) == 0)
            return i;
    return -1;
}

const char *reference_math_name(enum reference_math math)
{
    return math_names[math];
}

/* Where the line's bins are on the reference's axis: bin k at first + k * step. */
struct mapping {
    double first, step;
};

static bool has_same_rbw(const struct reference *r, const struct line *line, struct reason *why)
{
    const double own_hz = r->enbw_bins * r->rate_hz / r->n, line_hz = line_rbw_hz(line);
    if (fabs(own_hz / line_hz - 1) <= 0.01)
        return true;
    reason_set(why, -ERANGE, "the reference %s has an RBW of %.6g Hz, the spectrum one of %.6g Hz",
               r->name, own_hz, line_hz);
    return false;
}

static bool map_bins(const struct reference *r, const struct line *line, struct mapping *out,
                     struct reason *why)
{
    const double bin_hz = r->rate_hz / r->n, low_hz = r->center_hz - r->rate_hz / 2;
    const double half = 0.5 + 1e-6;
    out->first = (line_low_hz(line) - low_hz) / bin_hz;
    out->step = line_bin_hz(line) / bin_hz;
    const double last = out->first + out->step * (line->n - 1.0);
    if (r->rate_assumed == line->rate_assumed && out->first >= -half && last <= r->n - 1 + half)
        return true;
    reason_set(why, -ERANGE,
               "the reference %s is from %.9g to %.9g MHz, the spectrum from %.9g to %.9g MHz",
               r->name, low_hz / 1e6, (low_hz + r->rate_hz) / 1e6, line_low_hz(line) / 1e6,
               (line_low_hz(line) + line->tuning.rate_hz) / 1e6);
    return false;
}

static float power_at(const struct reference *r, double bin)
{
    const double limited = fmin(fmax(bin, 0), r->n - 1.0);
    const uint32_t left = (uint32_t)limited;
    const uint32_t right = left + 1 < r->n ? left + 1 : left;
    return r->power[left] + (r->power[right] - r->power[left]) * (float)(limited - left);
}

static float compute(enum reference_math math, float a, float b)
{
    if (math == MATH_MINUS)
        return a > b ? a - b : 0;
    return b > 0 ? a / b : 0;
}

static bool has_same_axis(const struct reference *r, const struct line *line)
{
    return r->n == line->n && r->center_hz - line->tuning.center_hz == 0 &&
           r->rate_hz - line->tuning.rate_hz == 0;
}

int reference_apply(const struct reference *r, enum reference_math math, const struct line *line,
                    float *power, struct reason *why)
{
    struct mapping m;
    if (!has_same_rbw(r, line, why) || !map_bins(r, line, &m, why))
        return -ERANGE;
    const bool same = has_same_axis(r, line);
    for (uint32_t k = 0; k < line->n; k++)
        power[k] = compute(math, power[k], same ? r->power[k] : power_at(r, m.first + m.step * k));
    return 0;
}
