/* block_code.h - the numbers in which a block stores levels. For block_write.c and block_read.c. */
#ifndef FFTD_DAEMON_ARCHIVE_STORE_BLOCK_CODE_H
#define FFTD_DAEMON_ARCHIVE_STORE_BLOCK_CODE_H

#include <math.h>
#include <stdint.h>

#include "daemon/archive/store/block.h"
#include "fft/fft.h"

#define BLOCK_MAGIC 0x31415346U /* "FSA1" */

enum { BLOCK_MEAN, BLOCK_MAX, BLOCK_MIN };

/* Levels of no power at all. */
static const float block_floor_db = -300;
static const float block_knee_db = 5; /* at this distance below the mean, the step has doubled */

/*
 * How the difference of a detector lies in a symbol: bits from `shift`; differences from -reach
 * to +reach, then the escape. A base counts parts of a step: the mean of noise spreads by less than
 * a step, so its base is finer.
 */
struct block_field {
    unsigned shift, mask;
    int reach;
    float parts;
};
static const struct block_field block_fields[ARCHIVE_DETECTORS] = {
    {.shift = 0, .mask = 3, .reach = 1, .parts = 4}, {2, 7, 3, 2}, {5, 7, 3, 2}};

/* True: the minimum is coded by its distance below the mean. */
static inline int block_has_distance(unsigned detectors)
{
    return (detectors & FFT_DETECTOR_MEAN) && (detectors & FFT_DETECTOR_MIN);
}

/* Step of a detector's numbers: in dB, or of the logarithm of the distance. */
static inline float block_step(unsigned detector, unsigned detectors, float step_db)
{
    if (detector == BLOCK_MEAN)
        return step_db;
    return detector == BLOCK_MIN && block_has_distance(detectors) ? 3 * step_db / block_knee_db
                                                                  : 2 * step_db;
}

/* The logarithm of a distance in dB, and back. */
static inline float block_log_distance(float distance_db)
{
    return logf(1 + distance_db / block_knee_db);
}

#endif
