/* soapy_tuning.c - checks values against the ranges of the radio, and sets them. */
#include "daemon/source/soapy/soapy_tuning.h"
#include "daemon/base/reason.h"

#include <SoapySDR/Constants.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/log.h"
#include "daemon/base/si.h"
#include "daemon/source/soapy/soapy_device.h"
#include "daemon/source/soapy/soapy_options.h"

enum { RX = SOAPY_SDR_RX };

static int checked(struct source *s, int code, const char *what)
{
    return code == 0 ? 0 : soapy_fail(s, code, what);
}

/*
 * Refuses a value outside all ranges. For a value between two ranges, the driver uses the nearest,
 * which soapy_tuning_report() shows. Frees the list. Without ranges, accepts any value.
 */
static int check_range(struct source *s, const char *what, double value, SoapySDRRange *ranges,
                       size_t count)
{
    char text[3][32];
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, ranges[i].minimum);
        high = fmax(high, ranges[i].maximum);
    }
    SoapySDR_free(ranges);
    const double rounding = 1e-9 * fabs(value);
    if (high <= low || (value >= low - rounding && value <= high + rounding))
        return 0;
    return source_fail(s, -EINVAL, "%s %s: %s takes %s to %s", what,
                       si_format(value, 10, text[0], sizeof text[0]), s->stream.about,
                       si_format(low, 10, text[1], sizeof text[1]),
                       si_format(high, 10, text[2], sizeof text[2]));
}

static int check_gain_value(struct source *s, const char *what, double db, SoapySDRRange range)
{
    if (range.maximum <= range.minimum || (db >= range.minimum && db <= range.maximum))
        return 0;
    return source_fail(s, -EINVAL, "%s %g dB: %s takes %g to %g dB", what, db, s->stream.about,
                       range.minimum, range.maximum);
}

static int check_gain(struct source *s, SoapySDRDevice *device, const char *text)
{
    struct soapy_gain gain;
    struct reason what = {0};
    if (soapy_gain_parse(text, &gain, &what) < 0)
        return source_fail(s, -EINVAL, "gain %s", what.sentence);
    if (gain.kind == SOAPY_GAIN_TOTAL)
        return check_gain_value(s, "gain", gain.total_db,
                                SoapySDRDevice_getGainRange(device, RX, soapy_channel(s)));
    for (size_t i = 0; i < gain.elements; i++) {
        const char *name = gain.element[i].name;
        size_t count = 0;
        char **names = SoapySDRDevice_listGains(device, RX, soapy_channel(s), &count);
        int err = soapy_check_name(s, "gain element", name, names, count);
        if (err == 0)
            err = check_gain_value(
                s, name, gain.element[i].db,
                SoapySDRDevice_getGainElementRange(device, RX, soapy_channel(s), name));
        if (err < 0)
            return err;
    }
    return 0;
}

static int check_antenna(struct source *s, SoapySDRDevice *device, const char *name)
{
    size_t count = 0;
    char **names = SoapySDRDevice_listAntennas(device, RX, soapy_channel(s), &count);
    return soapy_check_name(s, "antenna", name, names, count);
}

int soapy_tuning_check(struct source *s, SoapySDRDevice *device, const struct tuning *want)
{
    size_t n = 0;
    SoapySDRRange *ranges;
    int err = 0;
    if (want->rate_hz > 0) {
        ranges = SoapySDRDevice_getSampleRateRange(device, RX, soapy_channel(s), &n);
        err = check_range(s, "rate", want->rate_hz, ranges, n);
    }
    if (err == 0 && !isnan(want->center_hz)) {
        ranges = SoapySDRDevice_getFrequencyRange(device, RX, soapy_channel(s), &n);
        for (size_t i = 0; i < n; i++) {
            ranges[i].minimum += want->converter_hz;
            ranges[i].maximum += want->converter_hz;
        }
        err = check_range(s, "center", want->center_hz, ranges, n);
    }
    if (err == 0 && want->bandwidth_hz > 0) {
        ranges = SoapySDRDevice_getBandwidthRange(device, RX, soapy_channel(s), &n);
        err = check_range(s, "bandwidth", want->bandwidth_hz, ranges, n);
    }
    if (err == 0 && want->antenna[0])
        err = check_antenna(s, device, want->antenna);
    return err < 0 ? err : check_gain(s, device, want->gain);
}

static int manual_gain(struct source *s, SoapySDRDevice *device)
{
    if (!SoapySDRDevice_hasGainMode(device, RX, soapy_channel(s)))
        return 0;
    return checked(s, SoapySDRDevice_setGainMode(device, RX, soapy_channel(s), false), "gain mode");
}

static int automatic_gain(struct source *s, SoapySDRDevice *device)
{
    if (SoapySDRDevice_hasGainMode(device, RX, soapy_channel(s)))
        return checked(s, SoapySDRDevice_setGainMode(device, RX, soapy_channel(s), true),
                       "gain mode");
    log_info("%s has no automatic gain: it stays at %g dB", s->stream.about,
             SoapySDRDevice_getGain(device, RX, soapy_channel(s)));
    return 0;
}

static int apply_gain(struct source *s, SoapySDRDevice *device, const char *text)
{
    struct soapy_gain gain;
    struct reason what = {0};
    if (soapy_gain_parse(text, &gain, &what) < 0)
        return source_fail(s, -EINVAL, "gain %s", what.sentence);
    if (gain.kind == SOAPY_GAIN_LEAVE)
        return 0;
    if (gain.kind == SOAPY_GAIN_AUTO)
        return automatic_gain(s, device);
    int err = manual_gain(s, device);
    if (err == 0 && gain.kind == SOAPY_GAIN_TOTAL)
        return checked(s, SoapySDRDevice_setGain(device, RX, soapy_channel(s), gain.total_db),
                       "gain");
    for (size_t i = 0; i < gain.elements && err == 0; i++)
        err = checked(s,
                      SoapySDRDevice_setGainElement(device, RX, soapy_channel(s),
                                                    gain.element[i].name, gain.element[i].db),
                      gain.element[i].name);
    return err;
}

/* Some drivers refuse a correction that is already set. */
static int apply_ppm(struct source *s, SoapySDRDevice *device, double ppm)
{
    if (!SoapySDRDevice_hasFrequencyCorrection(device, RX, soapy_channel(s)) ||
        SoapySDRDevice_getFrequencyCorrection(device, RX, soapy_channel(s)) == ppm)
        return 0;
    return checked(s, SoapySDRDevice_setFrequencyCorrection(device, RX, soapy_channel(s), ppm),
                   "ppm");
}

/* True frequency / nominal frequency; 1 if the radio corrects it. */
static double crystal_factor(const struct source *s, const SoapySDRDevice *device, double ppm)
{
    return SoapySDRDevice_hasFrequencyCorrection(device, RX, soapy_channel(s)) ? 1 : 1 + ppm * 1e-6;
}

static int apply_frequency(struct source *s, SoapySDRDevice *device, const struct tuning *want)
{
    const double hz = (want->center_hz - want->converter_hz) / crystal_factor(s, device, want->ppm);
    return isnan(hz)
               ? 0
               : checked(s, SoapySDRDevice_setFrequency(device, RX, soapy_channel(s), hz, NULL),
                         "center");
}

int soapy_tuning_apply(struct source *s, SoapySDRDevice *device, const struct tuning *want,
                       const struct tuning *had)
{
    const bool ppm = had ? want->ppm != had->ppm : want->ppm != 0;
    int err = 0;
    if (want->antenna[0] && (!had || strcmp(want->antenna, had->antenna) != 0))
        err = checked(s, SoapySDRDevice_setAntenna(device, RX, soapy_channel(s), want->antenna),
                      "antenna");
    if (err == 0 && !had && want->rate_hz > 0)
        err = checked(s, SoapySDRDevice_setSampleRate(device, RX, soapy_channel(s), want->rate_hz),
                      "rate");
    if (err == 0 && want->bandwidth_hz > 0 && (!had || want->bandwidth_hz != had->bandwidth_hz))
        err = checked(s,
                      SoapySDRDevice_setBandwidth(device, RX, soapy_channel(s), want->bandwidth_hz),
                      "bandwidth");
    if (err == 0 && ppm)
        err = apply_ppm(s, device, want->ppm);
    if (err == 0 && (!had || ppm || want->center_hz != had->center_hz ||
                     want->converter_hz != had->converter_hz))
        err = apply_frequency(s, device, want);
    if (err == 0 && (!had || strcmp(want->gain, had->gain) != 0))
        err = apply_gain(s, device, want->gain);
    return err;
}

static void report_elements(struct source *s, SoapySDRDevice *device, const struct soapy_gain *gain)
{
    struct tuning *now = &s->stream.tuning;
    size_t at = 0;
    for (size_t i = 0; i < gain->elements; i++) {
        const char *name = gain->element[i].name;
        const int n = snprintf(now->gain + at, sizeof now->gain - at, "%s%s=%g", i ? "," : "", name,
                               SoapySDRDevice_getGainElement(device, RX, soapy_channel(s), name));
        at += (size_t)n < sizeof now->gain - at ? (size_t)n : 0;
    }
}

static void report_gain(struct source *s, SoapySDRDevice *device, const char *wanted)
{
    struct tuning *now = &s->stream.tuning;
    struct soapy_gain gain;
    const bool automatic = SoapySDRDevice_hasGainMode(device, RX, soapy_channel(s)) &&
                           SoapySDRDevice_getGainMode(device, RX, soapy_channel(s));
    s->stream.gain_db =
        automatic ? (double)NAN : SoapySDRDevice_getGain(device, RX, soapy_channel(s));
    if (automatic)
        snprintf(now->gain, sizeof now->gain, "auto");
    else if (soapy_gain_parse(wanted, &gain, NULL) == 0 && gain.elements)
        report_elements(s, device, &gain);
    else
        snprintf(now->gain, sizeof now->gain, "%g", s->stream.gain_db);
}

void soapy_tuning_report(struct source *s, SoapySDRDevice *device, const struct tuning *want)
{
    struct tuning *now = &s->stream.tuning;
    const double rate_hz = SoapySDRDevice_getSampleRate(device, RX, soapy_channel(s));
    char *antenna = SoapySDRDevice_getAntenna(device, RX, soapy_channel(s));
    now->rate_hz = rate_hz > 0 && isfinite(rate_hz) ? rate_hz : want->rate_hz;
    now->center_hz = SoapySDRDevice_getFrequency(device, RX, soapy_channel(s)) *
                         crystal_factor(s, device, want->ppm) +
                     want->converter_hz;
    now->ppm = want->ppm;
    now->converter_hz = want->converter_hz;
    now->bandwidth_hz = SoapySDRDevice_getBandwidth(device, RX, soapy_channel(s));
    snprintf(now->antenna, sizeof now->antenna, "%s", antenna ? antenna : "");
    SoapySDR_free(antenna);
    snprintf(now->settings, sizeof now->settings, "%s", want->settings);
    report_gain(s, device, want->gain);
    soapy_options_report(s, device);
}
