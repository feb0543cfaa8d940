/* reduce.h - levels of several columns as one level. Pure. */
#ifndef FFTD_DAEMON_ARCHIVE_REDUCE_H
#define FFTD_DAEMON_ARCHIVE_REDUCE_H

#include <stdint.h>

/* detector: 0 the mean, of powers; 1 the largest; 2 the smallest. count is not 0. */
float archive_reduce(unsigned detector, const float *level, uint32_t count);
/* From dB to linear power, in place. */
void archive_to_power(float *level, uint32_t count);

#endif
