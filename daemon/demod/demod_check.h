/* demod_check.h - refusals of values that demodulators share. Pure, any thread. */
#ifndef FFTD_DAEMON_DEMOD_DEMOD_CHECK_H
#define FFTD_DAEMON_DEMOD_DEMOD_CHECK_H

#include "daemon/base/reason.h"
#include "daemon/demod/demod.h"

struct demod_limit {
    const char *key, *unit;
    double least, most;
};

/* -EINVAL: the value is not within its limits. 0, the mode's own, always is. */
int demod_check(double value, const struct demod_limit *l, const char *mode, struct reason *why);

/* The values that have the same limits in each mode: notch, de-emphasis, gain. */
int demod_check_audio(const struct demod_config *c, struct reason *why);

#endif
