/* soapy_stream.c - chooses the format and checks the stream arguments. */
#include "daemon/source/soapy/soapy_stream.h"
#include "daemon/base/reason.h"

#include <SoapySDR/Constants.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/log.h"
#include "daemon/source/soapy/soapy_device.h"

enum { RX = SOAPY_SDR_RX };

/* SoapySDR uses upper case. FFT_IQ_FORMATS: a format that fftd does not read. */
static enum fft_iq_format format_of(const char *name)
{
    enum fft_iq_format f = 0;
    while (f < FFT_IQ_FORMATS && (!name || strcasecmp(fft_iq_name(f), name) != 0))
        f++;
    return f;
}

static bool listed(enum fft_iq_format format, char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (format_of(names[i]) == format)
            return true;
    }
    return false;
}

static int no_format(struct source *s, const char *wanted, char *const *names, size_t count)
{
    char list[96] = "";
    for (size_t i = 0; i < count; i++) {
        const size_t at = strlen(list);
        snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", names[i]);
    }
    return source_fail(s, -EINVAL, "format %s: %s has %s", wanted, s->stream.about,
                       *list ? list : "none that is known here");
}

static int choose(struct source *s, enum fft_iq_format native, char *const *names, size_t count)
{
    enum fft_iq_format choice = native;
    const char *forced = s->config->format;
    if (forced) {
        choice = format_of(forced);
        if (choice == FFT_IQ_FORMATS || (choice != native && !listed(choice, names, count)))
            return no_format(s, forced, names, count);
    }
    if (choice == FFT_IQ_FORMATS && listed(FFT_IQ_CS16, names, count))
        choice = FFT_IQ_CS16;
    if (choice == FFT_IQ_FORMATS && listed(FFT_IQ_CF32, names, count))
        choice = FFT_IQ_CF32;
    if (choice == FFT_IQ_FORMATS)
        return no_format(s, "CS16 or CF32", names, count);
    s->stream.format = choice;
    return 0;
}

/* Drivers report 127, 127.5 or 128 for the whole range: within 1 %, it is the whole range. */
static double full_scale(enum fft_iq_format format, double reported)
{
    const double own = fft_iq_full_scale(format);
    const bool sane =
        isfinite(reported) && reported > 0 && (format == FFT_IQ_CF32 || reported < own);
    return sane && fabs(reported / own - 1) > 0.01 ? reported : own;
}

static int set_format(struct source *s, SoapySDRDevice *device)
{
    double reported = 0;
    size_t count = 0;
    char *name = SoapySDRDevice_getNativeStreamFormat(device, RX, soapy_channel(s), &reported);
    char **names = SoapySDRDevice_getStreamFormats(device, RX, soapy_channel(s), &count);
    const enum fft_iq_format native = format_of(name);
    const int err = choose(s, native, names, count);
    if (err == 0)
        s->stream.full_scale = s->stream.format == native ? full_scale(native, reported)
                                                          : fft_iq_full_scale(s->stream.format);
    SoapySDR_free(name);
    SoapySDRStrings_clear(&names, count);
    return err;
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

int soapy_stream_setup(struct source *s, SoapySDRDevice *device, SoapySDRStream **out)
{
    struct soapy_pairs pairs;
    SoapySDRKwargs args;
    struct reason what = {0};
    const size_t channel = soapy_channel(s);
    char name[8];
    if (soapy_pairs_parse(s->config->stream_args, &pairs, &what) < 0)
        return source_fail(s, -EINVAL, "stream argument %s", what.sentence);
    const int err = set_format(s, device);
    if (err < 0)
        return err;
    warn_unlisted(s, device, &pairs);
    if (soapy_kwargs(&args, &pairs) < 0)
        return source_fail(s, -ENOMEM, "stream arguments: no memory");
    capitals(fft_iq_name(s->stream.format), name, sizeof name);
    *out = SoapySDRDevice_setupStream(device, RX, name, &channel, 1, &args);
    SoapySDRKwargs_clear(&args);
    return *out ? 0 : soapy_fail(s, SoapySDRDevice_lastStatus(), "stream");
}
