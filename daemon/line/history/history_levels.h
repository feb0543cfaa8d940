/* history_levels.h - linear powers as columns and as bytes of levels, and back. Pure. */
#ifndef FFTD_DAEMON_LINE_HISTORY_HISTORY_LEVELS_H
#define FFTD_DAEMON_LINE_HISTORY_HISTORY_LEVELS_H

#include <stdint.h>

/* columns[ceil(n / bins)]: the largest of each `bins` bins, a power of two. */
void levels_reduce(const float *power, uint32_t n, uint32_t bins, float *columns);
/* Writes levels[count], offset and step by the rule of wire_quantise. */
void levels_quantise(const float *power, uint32_t count, uint8_t *levels, float *offset_db,
                     float *step_db);
/* The powers of the 256 levels. */
void levels_to_power(float offset_db, float step_db, float power[256]);

#endif
