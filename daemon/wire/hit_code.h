/*
 * hit_code.h - range-codes the hits of a density. Pure. docs/protocol.md describes the code.
 *
 * Columns follow each other from the left, the levels of a column from its first hit down until the
 * hits sum to the frames: the last number is never sent. The share of each level among the hits
 * that are left is estimated from the columns at the left, half from the last few and half from the
 * last dozen; the hits expected select the context.
 */
#ifndef FFTD_DAEMON_WIRE_HIT_CODE_H
#define FFTD_DAEMON_WIRE_HIT_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/line/density_sum.h"

/*
 * Writes at most `capacity` bytes; returns their number. 0: they did not suffice, or no memory, or
 * the hits of a column do not sum to the frames, or are more than RANGE_NUMBER_MAX.
 */
size_t hit_code_write(const struct density *d, uint8_t *into, size_t capacity);

#endif
