/* ddc_plan.c - chooses factor and stages of a down-conversion, and computes their taps. */
#include "daemon/ddc/ddc_plan.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/ddc/ddc_kaiser.h"
#include "fft/bessel.h"

#define PI             3.14159265358979323846
#define ATTENUATION_DB 92.0    /* of a stage: 80 dB and a margin for rounding */
#define MORE_DB        2.0     /* as often as the ripples of the stages add up to too much */
#define RIPPLE_DB      0.00095 /* of all stages: 0.001 dB, less what lies between two points */
#define USED_SHARE     0.8     /* of the output's rate, by the band */
#define UNFILTERED     0.96    /* of the rate: there is no room for a slope above */
static const uint32_t factor_max = 1000000;
enum { DIVISORS = 256, POINTS = 128 /* of the pass band, where its ripple is computed */ };

/* ---- the factor ------------------------------------------------------------------------- */

static bool is_smooth(uint32_t n)
{
    static const uint32_t primes[] = {2, 3, 5};
    for (unsigned i = 0; i < 3; i++)
        while (n % primes[i] == 0)
            n /= primes[i];
    return n == 1;
}

/* A rate in whole Hz may cost a third of the factor. */
static uint32_t choose_factor(double rate_hz, double width_hz)
{
    const double most = floor(USED_SHARE * rate_hz / width_hz * (1 + 1e-12));
    const uint32_t top = most < factor_max ? (uint32_t)fmax(most, 1) : factor_max;
    uint32_t smooth = 0;
    for (uint32_t d = top; d > top - top / 3 || (d > 0 && smooth == 0); d--) {
        if (!is_smooth(d))
            continue;
        if (smooth == 0)
            smooth = d;
        if (fmod(rate_hz, d) == 0)
            return d;
    }
    return smooth;
}

/* ---- stages ----------------------------------------------------------------------------- */

/* The stage from in_hz to in_hz / factor, of a conversion to out_hz. */
static struct ddc_stage_plan plan_stage(double in_hz, uint32_t factor, double out_hz,
                                        double width_hz, double attenuation_db)
{
    struct ddc_stage_plan s = {.factor = factor, .beta = ddc_kaiser_beta(attenuation_db)};
    s.pass = width_hz / 2 / in_hz;
    s.stop = (in_hz / factor - out_hz / 2) / in_hz;
    s.half = (uint32_t)ceil(ddc_kaiser_order(attenuation_db, s.stop - s.pass) / 2);
    return s;
}

/* Multiplications for each input sample. */
static double cost(const struct ddc_plan *p)
{
    double sum = 0, samples = 1;
    for (uint32_t i = 0; i < p->stages; i++) {
        samples /= p->stage[i].factor;
        sum += samples * (2.0 * p->stage[i].half + 1);
    }
    return sum;
}

static struct ddc_plan with_stages(const struct ddc_plan *base, const uint32_t *factors,
                                   double attenuation_db)
{
    struct ddc_plan p = *base;
    double in_hz = p.rate_hz;
    p.stages = 0;
    for (unsigned i = 0; i < DDC_STAGES; i++) {
        const bool last = i + 1 == DDC_STAGES;
        if (factors[i] == 1 && !(last && p.stages == 0))
            continue;
        p.stage[p.stages++] =
            plan_stage(in_hz, factors[i], ddc_plan_rate(&p), p.width_hz, attenuation_db);
        in_hz /= factors[i];
    }
    return p;
}

static uint64_t reach_of(const struct ddc_plan *p)
{
    uint64_t reach = 0, step = 1;
    for (uint32_t i = 0; i < p->stages; i++) {
        reach += step * p->stage[i].half;
        step *= p->stage[i].factor;
    }
    return reach;
}

/* Returns how many there are: a product of 2, 3 and 5 up to factor_max has less than DIVISORS. */
static size_t find_divisors(uint32_t n, uint32_t *divisor)
{
    size_t count = 0;
    for (uint32_t d = 1; d * d <= n && count + 2 <= DIVISORS; d++) {
        if (n % d != 0)
            continue;
        divisor[count++] = d;
        if (d != n / d)
            divisor[count++] = n / d;
    }
    return count;
}

static struct ddc_plan find_cheapest(const struct ddc_plan *base, double attenuation_db)
{
    uint32_t divisor[DIVISORS];
    const size_t count = find_divisors(base->factor, divisor);
    struct ddc_plan best = *base;
    double least = INFINITY;
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < count; b++) {
            const uint32_t rest = base->factor / divisor[a];
            if (rest % divisor[b] != 0)
                continue;
            const uint32_t factors[DDC_STAGES] = {divisor[a], divisor[b], rest / divisor[b]};
            const struct ddc_plan p = with_stages(base, factors, attenuation_db);
            if (cost(&p) < least) {
                least = cost(&p);
                best = p;
            }
        }
    }
    return best;
}

/* ---- channels --------------------------------------------------------------------------- */

static uint32_t whole(double n)
{
    const double most = 1 << 30; /* nobody has memory for more taps */
    return (uint32_t)fmin(fmax(n, 1), most);
}

void ddc_plan_channel(struct ddc_plan *p, double rate_hz, double width_hz,
                      enum ddc_response response)
{
    static const struct {
        double edge;  /* of pass and stop band, on both sides of B/2: in parts of B */
        double reach; /* of the taps to both sides, in 1 / B */
        double beta;
    } shape[] = {[DDC_GAUSS] = {0, 1.1, 0}, [DDC_FLAT] = {0.25, 3, 4.5}};
    const double width = width_hz / rate_hz, reach = shape[response].reach / width;
    const struct ddc_stage_plan stage = {.factor = whole(floor(1 / (4 * width))),
                                         .half = whole(ceil(reach)),
                                         .pass = width * (0.5 - shape[response].edge),
                                         .stop = width * (0.5 + shape[response].edge),
                                         .beta = shape[response].beta};
    *p = (struct ddc_plan){.rate_hz = rate_hz,
                           .width_hz = width_hz,
                           .factor = stage.factor,
                           .stages = 1,
                           .stage = {stage},
                           .reach = stage.half};
}

double ddc_plan_rate(const struct ddc_plan *p)
{
    return p->rate_hz / p->factor;
}

/* ---- taps ------------------------------------------------------------------------------- */

static double kaiser(const struct ddc_stage_plan *s, double t)
{
    const double u = s->half ? t / s->half : 0, edge = s->pass + s->stop;
    const double sinc = t == 0 ? 1 : sin(PI * edge * t) / (PI * edge * t);
    return sinc * fft_bessel_i0(s->beta * sqrt(fmax(0, 1 - u * u)));
}

/* The transform of a Gaussian is a Gaussian. */
static double gauss(const struct ddc_stage_plan *s, double t)
{
    const double turns = PI * (s->pass + s->stop) * t;
    return exp(-turns * turns / (2 * log(2)));
}

void ddc_plan_taps(const struct ddc_stage_plan *s, double *taps)
{
    const uint32_t count = 2 * s->half + 1;
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double t = (double)i - s->half;
        taps[i] = s->beta > 0 ? kaiser(s, t) : gauss(s, t);
        sum += taps[i];
    }
    for (uint32_t i = 0; i < count; i++)
        taps[i] /= sum;
}

/* ---- bands ------------------------------------------------------------------------------ */

/* gain: [POINTS + 1], from the centre to the edge, which is in parts of the stage's input rate. */
static void multiply_gains(const struct ddc_stage_plan *s, double edge, double *gain)
{
    double sum[POINTS + 1] = {0};
    for (uint32_t k = 0; k <= s->half; k++) {
        const double tap = (k > 0 ? 2 : 1) * kaiser(s, k);
        for (unsigned i = 0; i <= POINTS; i++)
            sum[i] += tap * cos(2 * PI * edge * i / POINTS * k);
    }
    for (unsigned i = 0; i <= POINTS; i++)
        gain[i] *= sum[i] / sum[0];
}

static double ripple_db(const struct ddc_plan *p)
{
    double gain[POINTS + 1], largest = 0, in_hz = p->rate_hz;
    for (unsigned i = 0; i <= POINTS; i++)
        gain[i] = 1;
    for (uint32_t i = 0; i < p->stages; i++) {
        multiply_gains(&p->stage[i], p->width_hz / 2 / in_hz, gain);
        in_hz /= p->stage[i].factor;
    }
    for (unsigned i = 0; i <= POINTS; i++)
        largest = fmax(largest, fabs(20 * log10(gain[i])));
    return largest;
}

void ddc_plan_band(struct ddc_plan *p, double rate_hz, double width_hz)
{
    const struct ddc_plan base = {
        .rate_hz = rate_hz, .width_hz = width_hz, .factor = choose_factor(rate_hz, width_hz)};
    *p = base;
    if (width_hz <= UNFILTERED * rate_hz) {
        double attenuation_db = ATTENUATION_DB;
        do {
            *p = find_cheapest(&base, attenuation_db);
            attenuation_db += MORE_DB;
        } while (ripple_db(p) > RIPPLE_DB);
    }
    p->reach = reach_of(p);
}
