/*
 * probe_list.h - a list of measurements for tests, in place of the daemon's own.
 *
 * "probe" reports line numbers, its options and sums of its trace and samples. A test may stop it.
 */
#ifndef FFTD_TESTS_SUPPORT_MEASURE_PROBE_LIST_H
#define FFTD_TESTS_SUPPORT_MEASURE_PROBE_LIST_H

#include <stdatomic.h>
#include <uv.h>

#include "daemon/measure/measure.h"

/* Values of a result, in this order. */
enum probe_value {
    PROBE_LINE,
    PROBE_SUM,
    PROBE_FIRST_IQ,
    PROBE_IQ_COUNT,
    PROBE_GAIN,
    PROBE_LINES,
    PROBE_FIRST_Q
};

extern atomic_bool probe_blocks;                /* update waits while this is set */
extern atomic_uint probe_updates, probe_states; /* updates begun; states not finished */

#endif
