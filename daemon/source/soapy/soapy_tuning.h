/*
 * soapy_tuning.h - sets rate, frequency, gain, filter, antenna and settings of an open SoapySDR
 * radio, and reads them back. Source thread.
 *
 * -EINVAL: a value that the radio does not accept; the line names the accepted ones. -EIO: a
 * failed call.
 */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_SOAPY_TUNING_H
#define FFTD_DAEMON_SOURCE_SOAPY_SOAPY_TUNING_H

#include <SoapySDR/Device.h>

#include "daemon/source/source.h"

/* Checks all values before anything changes. */
int soapy_tuning_check(struct source *s, SoapySDRDevice *device, const struct tuning *want);
/*
 * Sets the values that differ from *had; with NULL, all that are given. Sets the rate only with
 * NULL. The radio corrects the error of its crystal if it can; otherwise this function divides the
 * frequency by 1 + ppm 1e-6.
 */
int soapy_tuning_apply(struct source *s, SoapySDRDevice *device, const struct tuning *want,
                       const struct tuning *had);
/* Reads stream.tuning and gain_db from the radio. `want` selects the form of the gain. */
void soapy_tuning_report(struct source *s, SoapySDRDevice *device, const struct tuning *want);

#endif
