/* soapy_stream.c - chooses the format, checks the stream arguments, converts samples. */
#include "daemon/source/soapy/soapy_stream.h"
#include "daemon/base/reason.h"

#include <SoapySDR/Constants.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/source/soapy/soapy_device.h"

enum { RX = SOAPY_SDR_RX };

static bool listed(const struct iq_sample *sample, char *const *names, size_t count)
{
    for (size_t i = 0; sample && i < count; i++) {
        if (iq_sample_find(names[i]) == sample)
            return true;
    }
    return false;
}

/* CS16 or CF32, which the ring takes as they are, else the first that fftd converts. */
static const struct iq_sample *best(char *const *names, size_t count)
{
    static const enum fft_iq_format preferred[] = {FFT_IQ_CS16, FFT_IQ_CF32};
    const struct iq_sample *choice = NULL;
    for (size_t i = 0; i < sizeof preferred / sizeof preferred[0]; i++) {
        if (listed(iq_sample_of(preferred[i]), names, count))
            return iq_sample_of(preferred[i]);
    }
    for (size_t i = 0; i < count && !choice; i++)
        choice = iq_sample_find(names[i]);
    return choice;
}

static const struct iq_sample *choose(struct source *s, const struct iq_sample *native,
                                      char *const *names, size_t count)
{
    const char *forced = s->config->format;
    const struct iq_sample *choice = forced   ? iq_sample_find(forced)
                                     : native ? native
                                              : best(names, count);
    if (forced && choice != native && !listed(choice, names, count))
        choice = NULL;
    if (!choice)
        soapy_fail_name(s, "format", forced ? forced : "CS16 or CF32", names, count,
                        "none that is known here");
    return choice;
}

/* Drivers report 127, 127.5 or 128 for the whole range: within 1 %, it is the whole range. */
static double full_scale(const struct iq_sample *sample, double reported)
{
    const double own = sample->full_scale;
    const bool is_float = own == 1;
    const bool sane = isfinite(reported) && reported > 0 && (is_float || reported < own);
    return sane && fabs(reported / own - 1) > 0.01 ? reported : own;
}

/* NULL: the radio has none that will do; the reason is set. */
static const struct iq_sample *choose_format(struct source *s, SoapySDRDevice *device)
{
    double reported = 0;
    size_t count = 0;
    char *name = SoapySDRDevice_getNativeStreamFormat(device, RX, soapy_channel(s), &reported);
    char **names = SoapySDRDevice_getStreamFormats(device, RX, soapy_channel(s), &count);
    const struct iq_sample *native = name ? iq_sample_find(name) : NULL;
    const struct iq_sample *choice = choose(s, native, names, count);
    if (choice) {
        const double scale = choice == native ? full_scale(native, reported) : choice->full_scale;
        s->stream.format = choice->ring;
        s->stream.full_scale = scale * choice->ring_scale / choice->full_scale;
    }
    SoapySDR_free(name);
    SoapySDRStrings_clear(&names, count);
    return choice;
}

/* Warns only: a remote radio does not list the arguments of its driver. */
static void warn_unlisted(struct source *s, SoapySDRDevice *device, const struct soapy_pairs *pairs)
{
    size_t count = 0;
    SoapySDRArgInfo *info = SoapySDRDevice_getStreamArgsInfo(device, RX, soapy_channel(s), &count);
    for (size_t i = 0; i < pairs->count && count > 0; i++) {
        size_t j = 0;
        while (j < count && strcmp(info[j].key, pairs->pair[i].key) != 0)
            j++;
        if (j == count)
            log_warn("stream argument %s: %s does not list it", pairs->pair[i].key,
                     s->stream.about);
    }
    SoapySDRArgInfoList_clear(info, count);
}

static void capitals(const char *name, char *into, size_t size)
{
    size_t i = 0;
    for (; name[i] && i + 1 < size; i++)
        into[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
    into[i] = '\0';
}

static int open_stream(struct source *s, struct soapy_stream *stream,
                       const struct soapy_pairs *pairs)
{
    const size_t channel = soapy_channel(s);
    SoapySDRKwargs args;
    char name[8];
    if (soapy_kwargs(&args, pairs) < 0)
        return source_fail(s, -ENOMEM, "stream arguments: no memory");
    capitals(stream->sample->name, name, sizeof name);
    stream->handle = SoapySDRDevice_setupStream(stream->device, RX, name, &channel, 1, &args);
    SoapySDRKwargs_clear(&args);
    return stream->handle ? 0 : soapy_fail(s, SoapySDRDevice_lastStatus(), "stream");
}

int soapy_stream_setup(struct source *s, SoapySDRDevice *device, struct soapy_stream *out)
{
    struct soapy_pairs pairs;
    struct reason what = {0};
    if (soapy_pairs_parse(s->config->stream_args, &pairs, &what) < 0)
        return source_fail(s, -EINVAL, "stream argument %s", what.sentence);
    out->device = device;
    out->sample = choose_format(s, device);
    if (!out->sample)
        return -EINVAL;
    if (out->sample->convert)
        out->raw = malloc(SOAPY_STREAM_SAMPLES * out->sample->bytes);
    if (out->sample->convert && !out->raw)
        return source_fail(s, -ENOMEM, "stream: no memory");
    warn_unlisted(s, device, &pairs);
    return open_stream(s, out, &pairs);
}

int soapy_stream_read(struct soapy_stream *stream, void *into, uint32_t samples, long timeout_us,
                      int *flags, long long *stamp_ns)
{
    void *const buffers[1] = {stream->raw ? stream->raw : into};
    const int got = SoapySDRDevice_readStream(stream->device, stream->handle, buffers, samples,
                                              flags, stamp_ns, timeout_us);
    if (stream->raw && got > 0 && (uint32_t)got <= samples)
        stream->sample->convert(stream->raw, into, (size_t)got);
    return got;
}

void soapy_stream_close(struct soapy_stream *stream)
{
    if (stream->handle) {
        SoapySDRDevice_deactivateStream(stream->device, stream->handle, 0, 0);
        SoapySDRDevice_closeStream(stream->device, stream->handle);
    }
    free(stream->raw);
    *stream = (struct soapy_stream){0};
}
