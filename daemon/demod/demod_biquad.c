/* demod_biquad.c - the coefficients of second-order sections, and their recursion. */
#include "daemon/demod/demod_biquad.h"

#include <math.h>

#define PI 3.14159265358979323846

void demod_biquad_highpass(struct demod_biquad *q, double rate_hz, double hz, int section,
                           int sections)
{
    const double k = tan(PI * hz / rate_hz);
    const double damping = 2 * cos(PI * (2 * section + 1) / (4.0 * sections)); /* 1 / Q */
    const double norm = 1 / (1 + k * damping + k * k);
    *q = (struct demod_biquad){.b0 = norm,
                               .b1 = -2 * norm,
                               .b2 = norm,
                               .a1 = 2 * (k * k - 1) * norm,
                               .a2 = (1 - k * damping + k * k) * norm};
}

void demod_biquad_notch(struct demod_biquad *q, double rate_hz, double hz, double width_hz)
{
    const double k = tan(PI * width_hz / rate_hz), c = cos(2 * PI * hz / rate_hz);
    const double norm = 1 / (1 + k);
    *q = (struct demod_biquad){
        .b0 = norm, .b1 = -2 * c * norm, .b2 = norm, .a1 = -2 * c * norm, .a2 = (1 - k) * norm};
}

/*
 * |H|^2 = (1 + 2 z c + z^2) / (1 - 2 p c + p^2) * ((1 - p) / (1 + z))^2, c the cosine at fit_hz, is
 * a quadratic equation of the zero -z; of its roots, which are 1 / each other, the one inside.
 */
void demod_biquad_deemphasis(struct demod_biquad *q, double rate_hz, double tau_us, double fit_hz)
{
    const double tau = tau_us * 1e-6, p = exp(-1 / (rate_hz * tau));
    const double c = cos(2 * PI * fit_hz / rate_hz), x = 2 * PI * fit_hz * tau;
    const double t = (1 - 2 * p * c + p * p) / ((1 - p) * (1 - p)) / (1 + x * x);
    const double half = (c - t) / (1 - t);
    const double z = -half + copysign(sqrt(fmax(half * half - 1, 0)), half);
    const double gain = (1 - p) / (1 + z);
    *q = (struct demod_biquad){.b0 = gain, .b1 = gain * z, .a1 = -p};
}

void demod_biquad_reset(struct demod_biquad *q)
{
    q->s1 = q->s2 = 0;
}

void demod_biquad_run(struct demod_biquad *q, float *x, size_t count, size_t stride)
{
    const double tiny = 1e-25; /* in silence the memory would decay to denormals, which are slow */
    double s1 = q->s1, s2 = q->s2;
    for (size_t i = 0; i < count; i++) {
        const double in = (double)x[i * stride] + tiny, out = q->b0 * in + s1;
        s1 = q->b1 * in - q->a1 * out + s2;
        s2 = q->b2 * in - q->a2 * out;
        x[i * stride] = (float)out;
    }
    q->s1 = s1;
    q->s2 = s2;
}
