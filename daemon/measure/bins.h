/*
 * bins.h - finds bins of a trace: by frequency, by strength, and where a level is crossed. Pure.
 *
 * A position is a bin with a fraction; bin k is at k.
 */
#ifndef FFTD_DAEMON_MEASURE_BINS_H
#define FFTD_DAEMON_MEASURE_BINS_H

#include "daemon/measure/measure.h"

double bins_frequency(const struct line *line, double position);
/* The nearest bin. -ERANGE with out's reason: the frequency is not within the span. */
int bins_find(const struct line *line, double hz, uint32_t *bin, struct measure_result *out);
/* The strongest bin of first .. last, the leftmost of equal ones. */
uint32_t bins_strongest(const float *power, uint32_t first, uint32_t last);
/* As bins_find; with a frequency of NAN the strongest bin of the span. */
int bins_find_or_strongest(const struct measure_input *in, double hz, uint32_t *bin,
                           struct measure_result *out);
/*
 * Walks from bin `from`, which is above the limit, in steps of +1 or -1 to the first bin that is
 * not. The position of the limit between the last two bins, on a parabola in dB; NAN: the span ends
 * first.
 */
double bins_fall_below(const struct measure_input *in, uint32_t from, int step, double limit);

#endif
