/*
 * window.h - analysis windows, periodic ("DFT-even"), computed in double precision.
 *
 * Formulas: F. J. Harris, "On the Use of Windows for Harmonic Analysis with the DFT", 1978;
 * flat-top (5 term, ISO 18431-2) and scaling sums S1, S2: G. Heinzel, A. Ruediger, R. Schilling,
 * "Spectrum and spectral density estimation by the DFT", 2002; Nuttall (4 term, minimum sidelobe
 * 4c): A. H. Nuttall, "Some Windows with Very Good Sidelobe Behavior", 1981.
 *
 * Pure functions, any thread.
 */
#ifndef FFTD_FFT_WINDOW_H
#define FFTD_FFT_WINDOW_H

#include <stdint.h>

#include "fft/export.h"

FFT_API_BEGIN

enum fft_window_kind {
    FFT_WINDOW_RECT,
    FFT_WINDOW_HANN,
    FFT_WINDOW_HAMMING,
    FFT_WINDOW_BLACKMAN,
    FFT_WINDOW_BLACKMAN_HARRIS,
    FFT_WINDOW_NUTTALL,
    FFT_WINDOW_FLATTOP,
    FFT_WINDOW_KAISER, /* parameter beta, default 8.6 */
    FFT_WINDOW_GAUSS,  /* parameter alpha, default 2.5 */
    FFT_WINDOW_KINDS
};

struct fft_window {
    enum fft_window_kind kind;
    double parameter; /* beta or alpha; ignored by the others */
};

/* What a window of n samples does to a measurement, from its sums S1 and S2. */
struct fft_window_figures {
    double coherent_gain; /* S1 / n */
    double enbw_bins;     /* n * S2 / S1^2; noise RBW = enbw_bins * rate / n */
    double scalloping_db; /* loss of a tone halfway between two bins, >= 0 */
};

/*
 * "hann", "blackman-harris", "kaiser", "kaiser(8.6)" or "kaiser:8.6", "gauss(3.5)" ...;
 * 0, or -EINVAL for an unknown name or a parameter that is no number in 0 .. 50 (gauss: 0.1 .. 20).
 */
int fft_window_parse(const char *text, struct fft_window *out);
/* The canonical text of a window ("kaiser(8.6)"); returns `into`. */
const char *fft_window_format(const struct fft_window *w, char *into, uint32_t size);
const char *fft_window_name(enum fft_window_kind kind); /* "hann"; for tables of choices */

/*
 * Fills w[0 .. n-1], scaled so that its sum is `gain` (1.0: a full-scale tone reads 1.0 in linear
 * power). figures may be NULL. Allocates nothing.
 */
void fft_window_fill(const struct fft_window *window, float *w, uint32_t n, double gain,
                     struct fft_window_figures *figures);

/*
 * The width in bins of the main lobe, drop_db below its peak: 3.0103 for the half-power width,
 * 6.0206 for half the voltage. 0 < drop_db <= 20. Of a window of 1024 samples; longer ones have the
 * same shape. Some thousand sine values: not for each frame.
 */
double fft_window_width_bins(const struct fft_window *window, double drop_db);
/* ENBW in bins, as in fft_window_figures, of a window of 1024 samples. */
double fft_window_enbw_bins(const struct fft_window *window);

FFT_API_END

#endif
