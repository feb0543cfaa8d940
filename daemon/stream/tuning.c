/* tuning.c - compares tunings. */
#include "daemon/stream/tuning.h"

#include <math.h>
#include <string.h>

/* Two centres that were not given are equal, though NAN != NAN. */
static bool same_center(double a, double b)
{
    return a - b == 0 || (isnan(a) && isnan(b));
}

bool tuning_equal(const struct tuning *a, const struct tuning *b)
{
    return same_center(a->center_hz, b->center_hz) && a->rate_hz - b->rate_hz == 0 &&
           strcmp(a->gain, b->gain) == 0 && a->ppm - b->ppm == 0 &&
           a->converter_hz - b->converter_hz == 0 && a->bandwidth_hz - b->bandwidth_hz == 0 &&
           strcmp(a->antenna, b->antenna) == 0 && strcmp(a->settings, b->settings) == 0 &&
           a->invert == b->invert;
}
