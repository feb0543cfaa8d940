/*
 * panorama.h - puts the folds of the dwells of a sweep together: one spectrum of the whole span.
 *
 * Each dwell writes the bins that the plan takes from it (stream/sweep.h), by the centre that the
 * radio reports. Folds of a dwell that has one already are combined with it by the rule of the
 * detector: mean weighted by frames, maximum, minimum, newest. Pure; the dsp thread.
 */
#ifndef FFTD_DAEMON_DSP_PANORAMA_H
#define FFTD_DAEMON_DSP_PANORAMA_H

#include "daemon/stream/sweep.h"
#include "fft/fft.h"

struct panorama {
    struct sweep_plan plan;
    float *fold[FFT_DETECTORS];  /* [n] the caller writes the fold of a dwell; NULL: no detector */
    float *power[FFT_DETECTORS]; /* [bins] linear */
    uint64_t *frames;            /* [dwells] folded into each; 0: none yet */
    uint32_t filled;             /* dwells that have frames */
};

size_t panorama_bytes(const struct sweep_plan *plan, unsigned detectors);
int panorama_create(struct panorama **out, const struct sweep_plan *plan, unsigned detectors);
void panorama_destroy(struct panorama *p); /* NULL is fine */

/* Adds `fold` of `frames` > 0. Returns the dwell, or plan.dwells: the centre is not of the sweep.
 */
uint32_t panorama_add(struct panorama *p, double center_hz, uint64_t frames);
bool panorama_is_complete(const struct panorama *p); /* every dwell has frames */
uint64_t panorama_frames(const struct panorama *p);  /* of the dwell that has the fewest */
void panorama_clear(struct panorama *p);

#endif
