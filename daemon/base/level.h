/*
 * level.h - linear powers as levels in dBFS: numbers and text. Pure, any thread.
 *
 * A power of 1.0 is full scale, 0 dBFS.
 */
#ifndef FFTD_DAEMON_BASE_LEVEL_H
#define FFTD_DAEMON_BASE_LEVEL_H

#include <stdint.h>

#include "daemon/base/text.h"

/*
 * 10 log10 of a linear power, limited to -300 .. 385.32. Float samples may hold infinities and
 * NaN: infinity reads 385.32, NaN and negative powers read -300.
 */
double level_dbfs(float power);

/* Appends the levels of power[count] with two decimals, and `separator` between two of them. */
void level_add_list(struct text *out, const float *power, uint32_t count, const char *separator);

#endif
