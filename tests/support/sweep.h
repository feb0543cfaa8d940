/*
 * sweep.h - sweeps over lengths, formats and the like, whole or sparse.
 *
 * FFTD_TEST_SPARSE is for sanitizers, which look for faults of each piece of code and not of each
 * length: a sweep then takes one case of `step`. A step that shares no factor with the numbers of
 * choices that a sweep combines takes each choice.
 */
#ifndef FFTD_TESTS_SUPPORT_SWEEP_H
#define FFTD_TESTS_SUPPORT_SWEEP_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool sweeps_are_sparse(void)
{
    return getenv("FFTD_TEST_SPARSE") != NULL;
}

static inline bool sweep_takes(unsigned index, unsigned step)
{
    return index % step == 0 || !sweeps_are_sparse();
}

#endif
