/* soapy_options.c - gain elements, antennas, filters, rates and settings, as the driver lists them.
 */
#include "daemon/source/soapy/soapy_options.h"

#include <SoapySDR/Constants.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/pairs.h"
#include "daemon/source/soapy/soapy_device.h"
#include "daemon/source/soapy/soapy_settings.h"

enum { RX = SOAPY_SDR_RX };

static void add_gains(struct source *s, SoapySDRDevice *device)
{
    struct radio_options *r = s->radio;
    size_t count = 0;
    char **names = SoapySDRDevice_listGains(device, RX, soapy_channel(s), &count);
    for (size_t i = 0; i < count; i++) {
        const SoapySDRRange range =
            SoapySDRDevice_getGainElementRange(device, RX, soapy_channel(s), names[i]);
        struct radio_option *o = radio_options_add(r, RADIO_GAIN, names[i]);
        snprintf(o->label, sizeof o->label, "%s", names[i]);
        snprintf(o->help, sizeof o->help, "Gain of the element %s", names[i]);
        snprintf(o->unit, sizeof o->unit, "dB");
        o->min = range.minimum;
        o->max = range.maximum;
        o->step = range.step;
    }
    SoapySDRStrings_clear(&names, count);
}

/* "" lets the driver choose, as the option says. */
static void add_antennas(struct source *s, SoapySDRDevice *device)
{
    struct radio_options *r = s->radio;
    size_t count = 0;
    char **names = SoapySDRDevice_listAntennas(device, RX, soapy_channel(s), &count);
    struct radio_option *o = count ? radio_options_add(r, "", "antenna") : NULL;
    if (o)
        radio_option_add_value(o, "");
    for (size_t i = 0; i < count; i++)
        radio_option_add_value(o, names[i]);
    SoapySDRStrings_clear(&names, count);
}

/* Frees the list. A range of one value is a proposal. */
static void add_ranges(struct radio_options *r, const char *name, SoapySDRRange *ranges,
                       size_t count)
{
    char text[32];
    struct radio_option *o = count ? radio_options_add(r, "", name) : NULL;
    for (size_t i = 0; i < count; i++) {
        const bool single = !(ranges[i].maximum > ranges[i].minimum);
        o->min = i == 0 || ranges[i].minimum < o->min ? ranges[i].minimum : o->min;
        o->max = i == 0 || ranges[i].maximum > o->max ? ranges[i].maximum : o->max;
        snprintf(text, sizeof text, "%.12g", ranges[i].minimum);
        if (single)
            radio_option_add_value(o, text);
        o->open = true;
    }
    SoapySDR_free(ranges);
}

static void add_setting(struct radio_options *r, const SoapySDRArgInfo *info)
{
    struct radio_option *o = radio_options_add(r, RADIO_SETTING, info->key);
    const bool number =
        info->type == SOAPY_SDR_ARG_INFO_INT || info->type == SOAPY_SDR_ARG_INFO_FLOAT;
    snprintf(o->label, sizeof o->label, "%s", info->name && *info->name ? info->name : info->key);
    snprintf(o->help, sizeof o->help, "%s", info->description ? info->description : "");
    snprintf(o->unit, sizeof o->unit, "%s", info->units ? info->units : "");
    if (number && info->range.maximum > info->range.minimum) {
        o->min = info->range.minimum;
        o->max = info->range.maximum;
        o->step = info->range.step;
    }
    for (size_t i = 0; i < info->numOptions; i++)
        radio_option_add_value(o, info->options[i]);
    if (info->type == SOAPY_SDR_ARG_INFO_BOOL && info->numOptions == 0) {
        radio_option_add_value(o, "false");
        radio_option_add_value(o, "true");
    }
}

void soapy_options_read(struct source *s, SoapySDRDevice *device)
{
    struct radio_options *r = s->radio = radio_options_create();
    struct soapy_settings all;
    size_t n = 0;
    if (!r)
        return;
    SoapySDRRange *ranges = SoapySDRDevice_getSampleRateRange(device, RX, soapy_channel(s), &n);
    add_ranges(r, "rate_hz", ranges, n);
    add_gains(s, device);
    ranges = SoapySDRDevice_getBandwidthRange(device, RX, soapy_channel(s), &n);
    add_ranges(r, "bandwidth_hz", ranges, n);
    add_antennas(s, device);
    soapy_settings_init(&all, device, soapy_channel(s));
    for (size_t i = 0; i < all.devices; i++)
        add_setting(r, &all.device[i]);
    for (size_t i = 0; i < all.channels; i++)
        add_setting(r, &all.channel[i]);
    soapy_settings_finish(&all);
}

/* ---- values in force -------------------------------------------------------------------- */

static void report_gains(struct source *s, SoapySDRDevice *device)
{
    struct stream *stream = &s->stream;
    size_t count = 0;
    char text[32];
    char **names = SoapySDRDevice_listGains(device, RX, soapy_channel(s), &count);
    stream->gains[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const double db = SoapySDRDevice_getGainElement(device, RX, soapy_channel(s), names[i]);
        snprintf(text, sizeof text, "%g", db);
        (void)!pairs_set(stream->gains, sizeof stream->gains, names[i], text);
    }
    SoapySDRStrings_clear(&names, count);
}

/* A driver that does not say a value leaves it out, as does a value with a comma. */
static void report_setting(struct stream *stream, const char *key, char *value)
{
    if (value && *value && !strchr(value, ','))
        (void)!pairs_set(stream->device_settings, sizeof stream->device_settings, key, value);
    SoapySDR_free(value);
}

void soapy_options_report(struct source *s, SoapySDRDevice *device)
{
    struct soapy_settings all;
    report_gains(s, device);
    s->stream.device_settings[0] = '\0';
    soapy_settings_init(&all, device, soapy_channel(s));
    for (size_t i = 0; i < all.devices; i++)
        report_setting(&s->stream, all.device[i].key,
                       SoapySDRDevice_readSetting(device, all.device[i].key));
    for (size_t i = 0; i < all.channels; i++)
        report_setting(
            &s->stream, all.channel[i].key,
            SoapySDRDevice_readChannelSetting(device, RX, soapy_channel(s), all.channel[i].key));
    soapy_settings_finish(&all);
}
