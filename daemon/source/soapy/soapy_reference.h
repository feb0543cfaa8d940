/* soapy_reference.h - the receiver, the clock and the time of a SoapySDR radio. Source thread. */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_SOAPY_REFERENCE_H
#define FFTD_DAEMON_SOURCE_SOAPY_SOAPY_REFERENCE_H

#include <SoapySDR/Device.h>

#include "daemon/source/source.h"

/*
 * Checks rx_channel, and sets the clock source, the clock reference and the time source of the
 * configuration. Those in force become part of stream.about. -EINVAL: the radio has not what is
 * named; the line names what it has. -EIO: a failed call.
 */
int soapy_reference_apply(struct source *s, SoapySDRDevice *device);

#endif
