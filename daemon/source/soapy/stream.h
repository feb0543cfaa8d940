/*
 * stream.h - sets up a SoapySDR stream in the best format the radio has. Source
 * thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_STREAM_H
#define FFTD_DAEMON_SOURCE_SOAPY_STREAM_H

#include <SoapySDR/Device.h>

#include "daemon/source/source.h"

/*
 * The radio's native format where it is one of ours, else CS16, else CF32; config->format forces
 * one. Sets stream.format and full_scale: what the driver says of its native format; any other
 * format uses its own whole range (a 12-bit radio's CS16 made from CS12 is shifted to 32768).
 * -EINVAL: the radio has no such format, or the stream arguments cannot be read; -EIO.
 */
int soapy_stream_setup(struct source *s, SoapySDRDevice *device, SoapySDRStream **out);

#endif
