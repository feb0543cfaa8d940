/* supervisor_config.h - the tasks of the source thread, for its supervisor. */
#ifndef FFTD_DAEMON_SOURCE_SUPERVISOR_CONFIG_H
#define FFTD_DAEMON_SOURCE_SUPERVISOR_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/source/source.h"
#include "daemon/stream/settings.h"

struct supervisor_config {
    const struct source_ops *ops;
    struct source_config source; /* its strings outlive the supervisor */
    struct settings settings;
    uint64_t ring_bytes;
    bool lossless;
    bool awaits_first_plan;   /* the first sample is read once the dsp thread has a plan */
    uint64_t rate_window_ns;  /* of sample_rate.h; 0: its default */
    int64_t (*unix_ns)(void); /* the host's clock; NULL: clock_unix_ns */
};

#endif
