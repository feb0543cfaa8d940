/* tuning.c - checks and compares tunings. */
#include "daemon/stream/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two centres that were not given are equal, though NAN != NAN. */
static bool same_center(double a, double b)
{
    return a - b == 0 || (isnan(a) && isnan(b));
}

bool tuning_center_lacks_unit(double center_hz, char *into, size_t size)
{
    if (!(center_hz > 0 && center_hz < 1000))
        return false;
    snprintf(into, size, "%.10g Hz: did you mean %.10gM?", center_hz, center_hz);
    return true;
}

bool tuning_equal(const struct tuning *a, const struct tuning *b)
{
    return same_center(a->center_hz, b->center_hz) && a->rate_hz - b->rate_hz == 0 &&
           strcmp(a->gain, b->gain) == 0 && a->ppm - b->ppm == 0 &&
           a->converter_hz - b->converter_hz == 0 && a->bandwidth_hz - b->bandwidth_hz == 0 &&
           strcmp(a->antenna, b->antenna) == 0 && strcmp(a->settings, b->settings) == 0 &&
           a->invert == b->invert;
}
