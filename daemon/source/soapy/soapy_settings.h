/* soapy_settings.h - the settings of a SoapySDR radio, including the bias tee. Source thread. */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_SOAPY_SETTINGS_H
#define FFTD_DAEMON_SOURCE_SOAPY_SOAPY_SETTINGS_H

#include <SoapySDR/Device.h>

#include "daemon/source/source.h"

/* A radio has settings of the device and settings of each channel. */
struct soapy_settings {
    SoapySDRArgInfo *device, *channel;
    size_t devices, channels;
};
void soapy_settings_init(struct soapy_settings *all, SoapySDRDevice *device, size_t channel);
void soapy_settings_finish(struct soapy_settings *all);

/* Checks "key=value,...": -EINVAL with one line that names the radio's options. */
int soapy_settings_check(struct source *s, SoapySDRDevice *device, const char *want);
/* Writes the checked ones that differ from *had; with NULL, all, and the bias tee of the config. */
int soapy_settings_apply(struct source *s, SoapySDRDevice *device, const char *want,
                         const char *had);
/* If the config or `want` enabled it. */
void soapy_bias_tee_off(struct source *s, SoapySDRDevice *device, const char *want);

#endif
