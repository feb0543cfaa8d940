/*
 * resolution.h - the figures of a real-time spectrum analyser, from FFT size, hop, window and rate.
 *
 * n is the FFT size and hop the distance of two frames, both in samples. enbw_bins is the window's
 * equivalent noise bandwidth in bins. A rate of NAN (no stream yet) gives NAN. Pure, any thread.
 */
#ifndef FFTD_DAEMON_LINE_RESOLUTION_H
#define FFTD_DAEMON_LINE_RESOLUTION_H

#include <stdint.h>

/*
 * Resolution bandwidth: bandwidth_bins * rate / n. With the window's ENBW it is the noise bandwidth
 * of a bin; with its half-power width, the -3 dB bandwidth that filters of swept analysers state.
 */
double resolution_rbw_hz(uint32_t n, double bandwidth_bins, double rate_hz);
/*
 * Video bandwidth of a mean over `frames` frames: that over T = frames * hop / rate seconds is a
 * low pass with the noise bandwidth 1 / (2 T). (J. S. Bendat, A. G. Piersol, "Random Data", 2010)
 */
double resolution_vbw_hz(double frames, uint32_t hop, double rate_hz);
/* rate / hop. */
double resolution_spectra_per_second(uint32_t hop, double rate_hz);
/* Probability of intercept: the shortest signal that always fills a frame, (n + hop - 1) / rate. */
double resolution_poi_seconds(uint32_t n, uint32_t hop, double rate_hz);
/*
 * The same in a sweep that comes back to a dwell of `frames` frames after `period` samples: a
 * signal may begin one sample after the last frame did, and must fill the first frame of the next
 * visit: (period - (frames - 1) * hop + n - 1) / rate.
 */
double resolution_sweep_poi_seconds(uint32_t n, uint32_t hop, uint64_t frames, uint64_t period,
                                    double rate_hz);

#endif
