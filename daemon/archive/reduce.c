/* reduce.c - mean, maximum and minimum of levels. */
#include "daemon/archive/reduce.h"

#include <math.h>

static float find_mean(const float *level, uint32_t count)
{
    float sum = level[0];
    for (uint32_t i = 1; i < count; i++)
        sum += level[i];
    return sum / (float)count;
}

static float find_max(const float *level, uint32_t count)
{
    float value = level[0];
    for (uint32_t i = 1; i < count; i++)
        value = level[i] > value ? level[i] : value;
    return value;
}

static float find_min(const float *level, uint32_t count)
{
    float value = level[0];
    for (uint32_t i = 1; i < count; i++)
        value = level[i] < value ? level[i] : value;
    return value;
}

float archive_reduce(unsigned detector, const float *level, uint32_t count)
{
    static float (*const functions[])(const float *, uint32_t) = {find_mean, find_max, find_min};
    return functions[detector](level, count);
}

void archive_to_power(float *level, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        level[i] = powf(10, level[i] / 10);
}
