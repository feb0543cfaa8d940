/*
 * tuning.h - tells an open SoapySDR radio its rate, frequency, gain, filter, antenna
 * and settings, and asks what became of it. Channel 0 of the receiver. Source thread.
 *
 * Errors: -EINVAL for what this radio cannot take, with what it can; -EIO for a call that failed.
 */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_TUNING_H
#define FFTD_DAEMON_SOURCE_SOAPY_TUNING_H

#include <SoapySDR/Device.h>

#include "daemon/source/source.h"

/* Looks whether the radio can take all of it, before anything changes. */
int soapy_tuning_check(struct source *s, SoapySDRDevice *device, const struct tuning *want);
/*
 * Sets what differs from *had (NULL: everything that is given), but the rate only with NULL. The
 * crystal's error: by the radio itself where it can, else the frequency is corrected here by
 * 1 / (1 + ppm 1e-6).
 */
int soapy_tuning_apply(struct source *s, SoapySDRDevice *device, const struct tuning *want,
                       const struct tuning *had);
/* stream.tuning and gain_db as the radio has them now; `want` says in which form the gain. */
void soapy_tuning_report(struct source *s, SoapySDRDevice *device, const struct tuning *want);

/* config->settings and config->bias_tee. */
int soapy_settings_apply(struct source *s, SoapySDRDevice *device);
void soapy_bias_tee_off(struct source *s, SoapySDRDevice *device); /* if config had it on */

#endif
