/*
 * ddc_kaiser.h - the low-pass filter with Kaiser's window that an attenuation and a transition ask
 * for. Pure, any thread.
 *
 *     beta  = 0.1102 (A - 8.7)                      A: attenuation in dB, from 50 on
 *     order = (A - 7.95) / (2.285 * 2 pi * width)   of the transition, in parts of the rate
 *
 * The filter has order + 1 taps, and its edges lie half a transition before and after the cutoff.
 * Source: J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function",
 * Proc. IEEE Int. Symp. Circuits and Systems, 1974.
 *
 * The formulas are fits. Measured for A = 50 .. 120: the stop band is at least A - 3 dB down. The
 * ripple of the pass band, of taps with a sum of 1, is at most 10^(-(A - 4) / 20) with a cutoff
 * from three transitions on, and 10^(-(A - 11) / 20) down to half of one, where both slopes meet.
 */
#ifndef FFTD_DAEMON_DDC_DDC_KAISER_H
#define FFTD_DAEMON_DDC_DDC_KAISER_H

double ddc_kaiser_beta(double attenuation_db);
/* Any real number: the caller rounds it up. */
double ddc_kaiser_order(double attenuation_db, double transition);

#endif
