/*
 * soapy_stream.h - sets up a SoapySDR stream in the best format of the radio. Source thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_SOAPY_STREAM_H
#define FFTD_DAEMON_SOURCE_SOAPY_SOAPY_STREAM_H

#include <SoapySDR/Device.h>

#include "daemon/source/source.h"

/*
 * Uses the native format of the radio if fftd reads it, else CS16, else CF32; config->format forces
 * a format. Sets stream.format and full_scale. The native format has the full scale that the driver
 * reports; any other format has its whole range (CS12 converted to CS16 is shifted to 32768).
 * -EINVAL: the radio has no such format, or the stream arguments are invalid; -EIO.
 */
int soapy_stream_setup(struct source *s, SoapySDRDevice *device, SoapySDRStream **out);

#endif
