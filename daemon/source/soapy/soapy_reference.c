/* soapy_reference.c - checks names against the radio's lists, and sets them. */
#include "daemon/source/soapy/soapy_reference.h"

#include <SoapySDR/Constants.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "daemon/base/si.h"
#include "daemon/source/soapy/soapy_device.h"

static int check_channel(struct source *s, SoapySDRDevice *device)
{
    const size_t count = SoapySDRDevice_getNumChannels(device, SOAPY_SDR_RX);
    if (count == 0)
        return source_fail(s, -EINVAL, "%s has no receiver", s->stream.about);
    if (soapy_channel(s) < count)
        return 0;
    return source_fail(s, -EINVAL, "rx-channel %zu: %s has %zu receiver%s, counted from 0",
                       soapy_channel(s), s->stream.about, count, count > 1 ? "s" : "");
}

static int check_reference(struct source *s, SoapySDRDevice *device, double hz)
{
    size_t count = 0;
    bool found = false;
    char text[32];
    SoapySDRRange *ranges = SoapySDRDevice_getReferenceClockRates(device, &count);
    for (size_t i = 0; i < count; i++)
        found = found || (hz >= ranges[i].minimum && hz <= ranges[i].maximum);
    SoapySDR_free(ranges);
    return found ? 0
                 : source_fail(s, -EINVAL, "clock-reference %s: %s %s",
                               si_format(hz, 10, text, sizeof text), s->stream.about,
                               count ? "does not take this frequency" : "takes none");
}

static int check(struct source *s, SoapySDRDevice *device)
{
    const struct source_config *c = s->config;
    size_t count = 0;
    int err = check_channel(s, device);
    if (err == 0 && c->clock_source) {
        char **names = SoapySDRDevice_listClockSources(device, &count);
        err = soapy_check_name(s, "clock-source", c->clock_source, names, count);
    }
    if (err == 0 && c->clock_reference_hz > 0)
        err = check_reference(s, device, c->clock_reference_hz);
    if (err == 0 && c->time_source) {
        char **names = SoapySDRDevice_listTimeSources(device, &count);
        err = soapy_check_name(s, "time-source", c->time_source, names, count);
    }
    return err;
}

static void add_about(struct source *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_about(struct source *s, const char *format, ...)
{
    va_list args;
    const size_t at = strlen(s->stream.about);
    va_start(args, format);
    vsnprintf(s->stream.about + at, sizeof s->stream.about - at, format, args);
    va_end(args);
}

int soapy_reference_apply(struct source *s, SoapySDRDevice *device)
{
    const struct source_config *c = s->config;
    char text[32];
    const int err = check(s, device);
    if (err < 0)
        return err;
    int code = c->clock_source ? SoapySDRDevice_setClockSource(device, c->clock_source) : 0;
    if (code != 0)
        return soapy_fail(s, code, "clock-source");
    if (c->clock_reference_hz > 0)
        code = SoapySDRDevice_setReferenceClockRate(device, c->clock_reference_hz);
    if (code != 0)
        return soapy_fail(s, code, "clock-reference");
    code = c->time_source ? SoapySDRDevice_setTimeSource(device, c->time_source) : 0;
    if (code != 0)
        return soapy_fail(s, code, "time-source");
    if (soapy_channel(s) > 0)
        add_about(s, ", channel %zu", soapy_channel(s));
    if (c->clock_source)
        add_about(s, ", clock %.40s", c->clock_source);
    if (c->clock_reference_hz > 0)
        add_about(s, " %s", si_format(c->clock_reference_hz, 10, text, sizeof text));
    if (c->time_source)
        add_about(s, ", time %.40s", c->time_source);
    return 0;
}
