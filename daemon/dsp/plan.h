/*
 * plan.h - computes what the engine does, from the settings and the stream.
 *
 * Pure arithmetic. The result depends on sizes and rates only, never on timing, so a replay is cut
 * into the same batches every time.
 */
#ifndef FFTD_DAEMON_DSP_PLAN_H
#define FFTD_DAEMON_DSP_PLAN_H

#include "daemon/line/line.h"
#include "daemon/stream/settings.h"
#include "daemon/stream/tuning.h"
#include "fft/fft.h"

struct plan {
    struct fft_spectrum_plan spectrum; /* .window points to `window` */
    float *window;                     /* [n]; scaled by the full scale of the stream */
    double enbw_bins, width_3db_bins;  /* of the window */
    char window_text[32];
    uint64_t frames_per_line;
    double line_rate_hz; /* rate / (hop * frames_per_line) */
};

/* hop = n * (1 - overlap / 100), rounded, 1 .. n. */
uint32_t plan_hop(uint32_t n, double overlap);

/* The spectra of a plan, but without a window. Batches are at most epoch_span samples long. */
void plan_describe(struct fft_spectrum_plan *out, const struct settings *w,
                   const struct stream *stream, unsigned detectors);
/* The lines of such spectra. */
struct line_shape plan_line_shape(const struct fft_spectrum_plan *spectrum);
/* -ENOMEM. */
int plan_init(struct plan *p, const struct settings *w, const struct stream *stream,
              unsigned detectors);
void plan_finish(struct plan *p); /* a zeroed plan is fine */

#endif
