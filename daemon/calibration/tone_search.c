/* tone_search.c - finds a tone near a frequency, in the mean of all lines. */
#include "daemon/calibration/tone_search.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/line/tone.h"
#include "daemon/stream/tuning.h"

enum {
    LOBE = 16,      /* bins beside a tone that may be its own window's: flat-top has 5 */
    CENTRE_BINS = 6 /* bins beside the centre that the radio's own tone there reaches */
};

static const double above_noise_db = 20, reach_fraction = 0.05;
/* Side lobes of flat-top are 90 dB below their tone. */
static const double side_lobe_db = 70;

void tone_search_finish(struct tone_search *c)
{
    trace_finish(&c->trace);
}

/* ---- lines ------------------------------------------------------------------------------ */

static bool same_number(double a, double b)
{
    return !(fabs(a - b) > 0) && isnan(a) == isnan(b);
}

int tone_search_add(struct tone_search *c, const struct line *line, struct reason *why)
{
    if (c->lines > 0 && (!tuning_equal(&c->newest.tuning, &line->tuning) ||
                         !same_number(c->newest.gain_db, line->gain_db)))
        return reason_set(why, -EINVAL,
                          "the tuning or the gain changed while the tone was measured");
    c->trace.function = TRACE_AVERAGE;
    line_copy_facts(&c->newest, line);
    c->lines++;
    return trace_update(&c->trace, line, 0);
}

/* ---- the tone --------------------------------------------------------------------------- */

static int compare_powers(const void *x, const void *y)
{
    const float a = *(const float *)x, b = *(const float *)y;
    return (a > b) - (a < b);
}

/* The median; NAN: no memory. */
static double noise_of(const float *power, uint32_t n)
{
    float *sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return NAN;
    memcpy(sorted, power, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_powers);
    const double median = (double)sorted[n / 2];
    free(sorted);
    return median;
}

static double largest_of(const float *power, uint32_t n)
{
    float most = 0;
    for (uint32_t k = 0; k < n; k++)
        most = power[k] > most ? power[k] : most;
    return (double)most;
}

/* The first of equal bins. */
static bool is_peak(const float *power, uint32_t n, uint32_t k)
{
    for (uint32_t i = 1; i <= LOBE; i++)
        if (power[(k + i) % n] > power[k] || power[(k + n - i) % n] >= power[k])
            return false;
    return true;
}

/* The peak of at least this power that is nearest to a bin with fraction; n: none. */
static uint32_t nearest_peak(const float *power, uint32_t n, double least, double at)
{
    uint32_t best = n;
    for (uint32_t k = 0; k < n; k++)
        if ((double)power[k] >= least && is_peak(power, n, k) &&
            (best == n || fabs(k - at) < fabs(best - at)))
            best = k;
    return best;
}

static int refuse(struct reason *why, double hz, const char *what)
{
    char text[32];
    return reason_set(why, -ERANGE, "%s Hz: %s", si_format(hz, 9, text, sizeof text), what);
}

static int check_span(const struct line *line, double at_hz, struct reason *why)
{
    if (line->rate_assumed)
        return reason_set(why, -ERANGE, "the rate of the recording is not known: give --rate");
    if (!(fabs(at_hz - line->tuning.center_hz) <= line->tuning.rate_hz / 2))
        return refuse(why, at_hz, "this is not within the span: set --center");
    return 0;
}

int tone_search_find(const struct tone_search *c, double at_hz, struct found_tone *out,
                     struct reason *why)
{
    const struct line *line = &c->newest;
    const float *power = c->trace.power;
    struct tone_shape shape = {0};
    if (c->lines == 0)
        return reason_set(why, -ERANGE, "no line of spectrum was measured");
    int err = check_span(line, at_hz, why);
    if (err == 0)
        err = tone_shape_prepare(&shape, line);
    if (err < 0)
        return err;
    const double noise = noise_of(power, line->n), bin_hz = line_bin_hz(line);
    if (isnan(noise))
        return -ENOMEM;
    const double least = fmax(noise * pow(10, above_noise_db / 10),
                              largest_of(power, line->n) * pow(10, -side_lobe_db / 10));
    const double at = (at_hz - line_low_hz(line)) / bin_hz;
    const uint32_t bin = least > 0 ? nearest_peak(power, line->n, least, at) : line->n;
    if (bin == line->n || fabs(bin - at) > reach_fraction * line->n)
        return refuse(why, at_hz, "no tone nearby is 20 dB above the noise");
    if (fabs(bin - line->n / 2.0) <= CENTRE_BINS)
        return refuse(why, at_hz,
                      "the tone is at the centre, where radios have one of their own: set --center "
                      "beside it");
    const struct tone tone = tone_at(&shape, power, line->n, bin);
    *out = (struct found_tone){.hz = line_low_hz(line) + tone.position * bin_hz,
                               .level_dbfs = level_dbfs((float)tone.power),
                               .noise_dbfs = level_dbfs((float)noise)};
    return 0;
}
