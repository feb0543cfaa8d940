/*
 * dsp_plan.h - computes the engine's work from the settings and the stream.
 *
 * Pure arithmetic. The result depends on sizes and rates only, never on timing, so a replay is cut
 * into the same batches every time.
 */
#ifndef FFTD_DAEMON_DSP_DSP_PLAN_H
#define FFTD_DAEMON_DSP_DSP_PLAN_H

#include "daemon/dsp/panorama.h"
#include "daemon/line/line.h"
#include "daemon/stream/settings.h"
#include "daemon/stream/tuning.h"
#include "fft/fft.h"

struct plan {
    struct fft_spectrum_config spectrum; /* .window points to `window` */
    float *window;                       /* [n]; scaled by the full scale of the stream */
    double enbw_bins, width_3db_bins;    /* of the window */
    char window_text[32];
    double frames_per_line;    /* the mean; of a sweep: of each dwell, a whole number */
    double line_rate_hz;       /* rate / (hop * frames_per_line); of a sweep: without settling */
    struct line_shape lines;   /* that come of it */
    struct panorama *panorama; /* NULL: no sweep */
};

/* The spectra of a plan, but without a window, and without detectors that nobody reads. Batches are
 * at most epoch_span samples long. */
void plan_describe(struct fft_spectrum_config *out, const struct settings *w,
                   const struct stream *stream, unsigned detectors);
/* The sweep of the settings, if there is one that this stream can make; else it is zeroed. */
void plan_sweep(struct sweep_plan *out, const struct settings *w, const struct stream *stream);
/* The lines of such spectra, from samples of rate_hz. */
struct line_shape plan_line_shape(const struct fft_spectrum_config *spectrum,
                                  const struct settings *w, double rate_hz,
                                  const struct sweep_plan *sweep);
/* The settings make the same plan of a stream. */
bool plan_is_same(const struct settings *a, const struct settings *b);
/* -ENOMEM. */
int plan_init(struct plan *p, const struct settings *w, const struct stream *stream,
              unsigned detectors);
void plan_finish(struct plan *p); /* a zeroed plan is fine */

/*
 * Frames of a line, counted from 0 at the start of the frame grid: round((line + 1) f) - round(line
 * f), f = frames_per_line. So after any number of lines the frames differ from their share by half
 * a frame at most, and a line has floor(f) or ceil(f) of them.
 */
uint64_t plan_line_frames(const struct plan *p, uint64_t line);

#endif
