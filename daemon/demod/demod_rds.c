/* demod_rds.c - from the multiplex to bits. */
#include "daemon/demod/demod_rds.h"

#include <math.h>
#include <string.h>

#define MULTIPLEX_HZ 240000.0
#define RATE_HZ      10000.0
#define BIT_HZ       1187.5
enum { FACTOR = 24, TABLE = DEMOD_RDS_TABLE, TAPS = DEMOD_RDS_TAPS, KEPT = DEMOD_RDS_KEPT };

static const double bit = RATE_HZ / BIT_HZ; /* samples: 8.42 */

static const struct demod_band band = {.high_hz = 3200, .slope_hz = 1600, .attenuation_db = 60};

/* The pulse: the inverse transform of cos(pi f T / 4), |f| < 2 / T; t in parts of T. */
static double pulse(double t)
{
    const double below = 1 - 64 * t * t;
    return fabs(below) < 1e-9 ? M_PI / 4 : cos(4 * M_PI * t) / below;
}

int demod_rds_init(struct demod_rds *r)
{
    double power = 0;
    for (int i = 0; i < TABLE; i++) { /* 57 kHz are 19 periods of it */
        const double turn = 2 * M_PI * 19 * i / TABLE;
        r->down_re[i] = (float)cos(turn);
        r->down_im[i] = (float)-sin(turn);
    }
    for (int i = 0; i < TAPS; i++) {
        const int from_middle = i - TAPS / 2;
        const double t = from_middle / bit;
        r->tap[i] = (float)(pulse(t + 0.25) - pulse(t - 0.25));
        power += (double)r->tap[i] * (double)r->tap[i];
    }
    for (int i = 0; i < TAPS; i++)
        r->tap[i] /= (float)power;
    const int err = demod_filter_init(&r->filter, &band, MULTIPLEX_HZ, FACTOR);
    demod_rds_groups_reset(&r->groups);
    if (err == 0)
        demod_rds_reset(r);
    return err;
}

void demod_rds_finish(struct demod_rds *r)
{
    demod_filter_finish(&r->filter);
}

void demod_rds_reset(struct demod_rds *r)
{
    demod_filter_reset(&r->filter);
    r->at = 0;
    r->phase = r->step = r->power = 0;
    memset(r->held, 0, sizeof r->held);
    memset(r->out, 0, sizeof r->out);
    r->due = bit;
    r->size = r->between = r->before = 0;
    r->bits = 0;
    demod_rds_groups_gap(&r->groups);
}

/* ---- the carrier -------------------------------------------------------------------------- */

/* What is in phase. A square has the phase twice: a loop of 2nd order, 5 Hz, damping 0.7. */
static float turn(struct demod_rds *r, double re, double im)
{
    const double w = 2 * M_PI * 5 / RATE_HZ, c = cos(r->phase), s = sin(r->phase);
    const double a = re * c + im * s, b = im * c - re * s;
    r->power += (a * a + b * b - r->power) / (0.05 * RATE_HZ);
    const double error = fmax(fmin(a * b / (r->power + 1e-30), 1), -1);
    r->step += w * w * error;
    r->phase = remainder(r->phase + r->step + 2 * 0.7 * w * error, 2 * M_PI);
    return (float)(a / sqrt(r->power + 1e-30));
}

/* ---- the clock ---------------------------------------------------------------------------- */

/* The output of the filter `ago` samples before the newest: a cubic through four of them. */
static double output(const struct demod_rds *r, double ago)
{
    const double at = KEPT - 1 - ago;
    const int i = (int)floor(at);
    const double t = at - i, a = (double)r->out[i - 1], b = (double)r->out[i];
    const double c = (double)r->out[i + 1], d = (double)r->out[i + 2];
    return b + t * ((c - a) / 2 +
                    t * (a - 2.5 * b + 2 * c - d / 2 + t * ((d - a) / 2 + 1.5 * (b - c))));
}

/* Every 128 bits: half a bit off, outputs are smaller. */
static void compare_halves(struct demod_rds *r)
{
    if (++r->bits < 128)
        return;
    if (r->between > r->size)
        r->due += bit / 2;
    r->bits = 0;
    r->size = r->between = 0;
}

/* A bit is due; its output lies some samples behind, so that its neighbours are known. */
static void take_bit(struct demod_rds *r)
{
    const double ago = 8 - r->due, early = fabs(output(r, ago + 1));
    const double now = output(r, ago), late = fabs(output(r, ago - 1));
    const double drift = (late - early) / (late + early + 1e-30);
    r->size += fabs(now);
    r->between += fabs(output(r, ago + bit / 2));
    demod_rds_groups_bit(&r->groups, now * r->before < 0);
    r->before = now;
    r->due += bit + 0.1 * drift;
    compare_halves(r);
}

static void filter(struct demod_rds *r, float x)
{
    memmove(r->held, r->held + 1, (TAPS - 1) * sizeof r->held[0]);
    r->held[TAPS - 1] = x;
    float sum = 0;
    for (int i = 0; i < TAPS; i++)
        sum += r->tap[i] * r->held[i];
    memmove(r->out, r->out + 1, (KEPT - 1) * sizeof r->out[0]);
    r->out[KEPT - 1] = sum;
    r->due -= 1;
    if (r->due < 0)
        take_bit(r);
}

void demod_rds_run(struct demod_rds *r, const float *x, size_t count)
{
    float re[480], im[480], out_re[480 / FACTOR + 1], out_im[480 / FACTOR + 1];
    for (size_t some; count > 0; count -= some, x += some) {
        some = count < 480 ? count : 480;
        for (size_t i = 0; i < some; i++) {
            re[i] = x[i] * r->down_re[r->at];
            im[i] = x[i] * r->down_im[r->at];
            r->at = r->at + 1 < TABLE ? r->at + 1 : 0;
        }
        const size_t outputs = demod_filter_run(&r->filter, re, im, some, out_re, out_im);
        for (size_t i = 0; i < outputs; i++)
            filter(r, turn(r, (double)out_re[i], (double)out_im[i]));
    }
}
