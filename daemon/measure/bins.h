/*
 * bins.h - finds bins of a trace: by frequency, by strength, and where a level is crossed. Pure.
 *
 * A position is a bin with a fraction; bin k is at k.
 */
#ifndef FFTD_DAEMON_MEASURE_BINS_H
#define FFTD_DAEMON_MEASURE_BINS_H

#include "daemon/line/powers.h"
#include "daemon/measure/measure.h"

double bins_frequency(const struct line *line, double position);
/* The nearest bin. -ERANGE with out's reason: it is not within the usable band. */
int bins_find(const struct measure_input *in, double hz, uint32_t *bin, struct measure_result *out);
/* The powers of the trace, with the line's pyramid if they are its own. */
struct powers bins_powers(const struct measure_input *in);
/* The strongest bin of first .. last, the leftmost of equal ones. */
uint32_t bins_strongest(const struct measure_input *in, uint32_t first, uint32_t last);
/* The same without the bins of spurs. False: there are no others. */
bool bins_strongest_signal(const struct powers *powers, const struct band_rules *spurs,
                           uint32_t first, uint32_t last, uint32_t *bin);
/*
 * The mean of the bins beside the main lobe of a tone in this bin, on both sides, as far as they
 * are in the usable band and no spurs. The spectrum is circular. 0: there are none.
 */
double bins_mean_around(const struct line *line, const float *power, const struct band_rules *spurs,
                        uint32_t bin);
/* Says in out's note which spur one of first .. last belongs to, if there is one. */
void bins_note_spur(const struct measure_input *in, uint32_t first, uint32_t last,
                    struct measure_result *out);
/* As bins_find, and notes a spur there; with a frequency of NAN the strongest bin of the usable
 * band. */
int bins_find_or_strongest(const struct measure_input *in, double hz, uint32_t *bin,
                           struct measure_result *out);
/*
 * Walks from bin `from`, which is above the limit, in steps of +1 or -1 to the first bin that is
 * not. The position of the limit between the last two bins, on a parabola in dB; NAN: the usable
 * band ends first.
 */
double bins_fall_below(const struct measure_input *in, uint32_t from, int step, double limit);

#endif
