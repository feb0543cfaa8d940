/* soapy_options.h - describes what an open SoapySDR radio can be set to. Source thread. */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_SOAPY_OPTIONS_H
#define FFTD_DAEMON_SOURCE_SOAPY_SOAPY_OPTIONS_H

#include <SoapySDR/Device.h>

#include "daemon/source/source.h"

/* Sets s->radio; NULL without memory. */
void soapy_options_read(struct source *s, SoapySDRDevice *device);
/* Reads stream.gains and stream.device_settings from the radio. */
void soapy_options_report(struct source *s, SoapySDRDevice *device);

#endif
