/*
 * tone.h - frequency and level of a tone between two bins, from the window's own main lobe. Pure.
 *
 * A tone d bins above bin k leaves the powers |W(d)|^2 in bin k and |W(d -+ r)|^2 in bins k +- r,
 * where W is the window's transform. The ratio of the two neighbours grows steadily with d, so a
 * table of W, made once for a window, gives d, and |W(d)|^2 gives the scalloping loss. r is the
 * first neighbour that is at least 3 dB lower: 1, or 2 for flat-top. A main lobe that ends within
 * r + 0.5 bins (rect) has a zero there; then the larger neighbour is compared with bin k.
 *
 * One steady tone without noise: within 0.002 bins and 0.01 dB, for every window. A tone 40 dB
 * above the noise in its bin, in one frame: 0.009 (blackman-harris) to 0.021 bins rms (kaiser(14)),
 * and 0.08 dB; the errors are proportional to the ratio of the amplitudes.
 */
#ifndef FFTD_DAEMON_LINE_TONE_H
#define FFTD_DAEMON_LINE_TONE_H

#include "daemon/line/line.h"

enum {
    TONE_STEPS = 64,      /* of d, from 0 to 0.5 */
    TONE_LEAST_RATIO = 10 /* of a tone's power to that of the bins beside its main lobe */
};

struct tone_shape {
    char window[32]; /* "": not made yet */
    uint32_t n;
    uint32_t reach;               /* r */
    bool narrow;                  /* compare the larger neighbour with the bin itself */
    double ratio[TONE_STEPS + 1]; /* grows with d */
    double gain[TONE_STEPS + 1];  /* |W(d)|^2, 1 at d = 0 */
};

struct tone {
    double position; /* bins with fraction */
    double power;    /* without scalloping loss */
};

/* Makes the shape of this line's window where it has changed. -EINVAL: the window is unknown. */
int tone_shape_prepare(struct tone_shape *s, const struct line *line);
/* Width in bins of the main lobe of a tone, `drop_db` below its peak; at most 64. 0: the window is
 * unknown. */
double tone_width(const struct line *line, double drop_db);
/* bin: a local maximum of power[n]. The spectrum is circular: bin 0 follows bin n - 1. */
struct tone tone_at(const struct tone_shape *s, const float *power, uint32_t n, uint32_t bin);

#endif
