/*
 * level_code.h - range-codes the levels of a line. Pure. docs/protocol.md describes the code.
 *
 * Each level is coded as its difference to a prediction from the levels at its left. Noise is
 * predicted best by a long average, a signal by its neighbours: four predictions are weighted by
 * the fourth power of their recent accuracy, and the error of the best one is the expectation of
 * the difference.
 */
#ifndef FFTD_DAEMON_WIRE_LEVEL_CODE_H
#define FFTD_DAEMON_WIRE_LEVEL_CODE_H

#include <stddef.h>
#include <stdint.h>

/* Writes at most `capacity` bytes; returns their number, or 0 if they did not suffice. */
size_t level_code_write(const uint8_t *levels, uint32_t columns, uint8_t *into, size_t capacity);

#endif
