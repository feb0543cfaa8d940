/* level.c - converts linear powers to levels in dBFS and to text. */
#include "daemon/base/level.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double floor_dbfs = -300;

double level_dbfs(float power)
{
    return power > 1e-30F ? 10 * (double)log10f(power < FLT_MAX ? power : FLT_MAX) : floor_dbfs;
}

void level_add_list(struct text *out, const float *power, uint32_t count, const char *separator)
{
    const size_t length = strlen(separator);
    for (uint32_t k = 0; k < count; k++) {
        if (k > 0)
            text_add_bytes(out, separator, length);
        text_add_level(out, level_dbfs(power[k]));
    }
}
