/*
 * turn.h - points of the unit circle, made so that compilers vectorise loops of them.
 *
 * Files with such loops are compiled with -O3 (daemon/CMakeLists.txt). Pure, any thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SIM_TURN_H
#define FFTD_DAEMON_SOURCE_SIM_TURN_H

#include <math.h>
#include <stdint.h>

struct point {
    double re, im;
};

/* The whole number next to x, |x| < 2^51: a sum that leaves no room for a fraction. */
static inline double turn_round(double x)
{
    const double shift = 0x1.8p52;
    return (x + shift) - shift;
}

/*
 * exp(2 pi i cycles) to 1e-15, |cycles| < 2^51. Taylor's series of half of the angle, which is
 * within a quarter turn, and the formulas of the double angle: no quadrant needs a branch.
 */
static inline struct point turn(double cycles)
{
    const double half = M_PI * (cycles - turn_round(cycles)), y = half * half;
    double s = 1 / 51090942171709440000.0; /* 21! */
    s = 1 / 121645100408832000.0 - s * y;
    s = 1 / 355687428096000.0 - s * y;
    s = 1 / 1307674368000.0 - s * y;
    s = 1 / 6227020800.0 - s * y;
    s = 1 / 39916800.0 - s * y;
    s = 1 / 362880.0 - s * y;
    s = 1 / 5040.0 - s * y;
    s = 1 / 120.0 - s * y;
    s = 1 / 6.0 - s * y;
    s = half - half * (s * y);
    double c = 1 / 1124000727777607680000.0; /* 22! */
    c = 1 / 2432902008176640000.0 - c * y;
    c = 1 / 6402373705728000.0 - c * y;
    c = 1 / 20922789888000.0 - c * y;
    c = 1 / 87178291200.0 - c * y;
    c = 1 / 479001600.0 - c * y;
    c = 1 / 3628800.0 - c * y;
    c = 1 / 40320.0 - c * y;
    c = 1 / 720.0 - c * y;
    c = 1 / 24.0 - c * y;
    c = 0.5 - c * y;
    c = 1 - c * y;
    return (struct point){1 - 2 * (s * s), 2 * (s * c)};
}

/* The sum of two angles. */
static inline struct point turn_by(struct point a, struct point b)
{
    return (struct point){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/*
 * Adds a tone to re[count] and im[count], which begins at `first` cycles and turns by `step` from
 * sample to sample: each one turns the one before, to 1e-12 over a thousand.
 */
static inline void turn_add_tone(double *re, double *im, uint32_t count, double level, double first,
                                 double step)
{
    const struct point by = turn(step);
    struct point z = turn(first);
    for (uint32_t i = 0; i < count; i++, z = turn_by(z, by)) {
        re[i] += level * z.re;
        im[i] += level * z.im;
    }
}

#endif
