/*
 * soapy_stream.h - a SoapySDR stream in the best format of the radio. Source thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_SOAPY_STREAM_H
#define FFTD_DAEMON_SOURCE_SOAPY_SOAPY_STREAM_H

#include <SoapySDR/Device.h>

#include "daemon/format/recording/iq_sample.h"
#include "daemon/source/source.h"

enum { SOAPY_STREAM_SAMPLES = 65536 }; /* of a read, at most */

struct soapy_stream {
    SoapySDRDevice *device;
    SoapySDRStream *handle;
    const struct iq_sample *sample; /* what the radio delivers */
    uint8_t *raw;                   /* a block of it, before its conversion. NULL: unconverted */
};

/*
 * Uses the native format of the radio if fftd reads it, else CS16, else CF32, else any that fftd
 * converts (iq_sample.h); config->format forces a format. Sets stream.format and full_scale. The
 * native format has the full scale that the driver reports; any other format has its whole range
 * (CS12 that the driver converts to CS16 is shifted to 32768).
 * -EINVAL: the radio has no such format, or the stream arguments are invalid; -EIO; -ENOMEM. Close
 * it also after a failure. *out is zeroed.
 */
int soapy_stream_setup(struct source *s, SoapySDRDevice *device, struct soapy_stream *out);
/* As SoapySDRDevice_readStream, for one channel; the samples become those of stream.format. */
int soapy_stream_read(struct soapy_stream *stream, void *into, uint32_t samples, long timeout_us,
                      int *flags, long long *stamp_ns);
void soapy_stream_close(struct soapy_stream *stream);

#endif
