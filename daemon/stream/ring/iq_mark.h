/*
 * iq_mark.h - an event (loss, retuning, a known time) between the sample at its position and the
 * sample before. Plain values.
 */
#ifndef FFTD_DAEMON_STREAM_RING_IQ_MARK_H
#define FFTD_DAEMON_STREAM_RING_IQ_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/stream/ledger.h"
#include "daemon/stream/tuning.h"

struct iq_mark {
    uint64_t position;      /* set by the ring */
    uint64_t sample_number; /* of the sample at position: position + all samples lost before it */
    uint64_t lost[LOSS_CAUSES], events[LOSS_CAUSES];
    bool tuning_changed;
    struct tuning tuning;
    double gain_db;
    bool continues; /* only the time is new: no sample is missing, and frames may cross the mark */
    bool has_time;
    bool undated;         /* the time is a position of a recording without a date; set by the log */
    int64_t time_ns;      /* Unix time of sample number time_number */
    uint64_t time_number; /* set by the ring; a later loss may be in the same mark */
    struct replay_anchor anchor; /* of the sample at position */
};

#endif
