/* bessel.c - I0 by its power series; all terms are positive, so nothing cancels. */
#include "fft/bessel.h"

double fft_bessel_i0(double x)
{
    const double quarter = x * x / 4;
    double term = 1, sum = 1;
    for (int k = 1; term > sum * 1e-17; k++) {
        term *= quarter / ((double)k * k);
        sum += term;
    }
    return sum;
}
