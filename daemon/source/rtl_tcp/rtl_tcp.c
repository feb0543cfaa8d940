/*
 * rtl_tcp.c - the source for an RTL-SDR behind an rtl_tcp server.
 *
 * The server answers no command, and drops samples without a word where the network is too slow:
 * only the rate shows that (sample_rate.h).
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/pairs.h"
#include "daemon/base/si.h"
#include "daemon/source/rtl_tcp/rtl_tcp_protocol.h"
#include "daemon/source/server/radio_server.h"
#include "daemon/source/server/server_marks.h"
#include "daemon/source/source.h"

/* What the server begins with. */
static const double default_center_hz = 100e6, default_rate_hz = 2.048e6;

struct rtl_tcp {
    struct radio_server server;
    struct rtl_tcp_greeting greeting;
    struct tuning requested;
    struct server_marks marks;
    uint8_t odd;           /* the first half of a sample whose second half is to come */
    bool has_odd, powered; /* powered: this client has turned the bias tee on */
};

/* ---- values ----------------------------------------------------------------------------- */

/* The chip makes no others. */
static const struct {
    double low, high;
} rates[] = {{225001, 300000}, {900001, 3200000}};

/* Named as by the SoapySDR driver of these radios. */
static const struct setting {
    const char *key;
    enum rtl_tcp_command command;
    uint32_t max;
    const char *help;
} settings[] = {
    {"digital_agc", RTL_TCP_DIGITAL_AGC, 1, "Automatic gain after the converter"},
    {"direct_samp", RTL_TCP_DIRECT, 2, "Direct sampling: 0 off, 1 the I branch, 2 the Q branch"},
    {"offset_tune", RTL_TCP_OFFSET, 1, "Tunes beside the centre (E4000)"},
    {"biastee", RTL_TCP_BIAS_TEE, 1, "Power through the antenna socket"},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static const struct setting *find_setting(const char *key)
{
    for (size_t i = 0; i < SETTINGS; i++) {
        if (strcmp(settings[i].key, key) == 0)
            return &settings[i];
    }
    return NULL;
}

static bool parse_value(const char *text, uint32_t max, uint32_t *out)
{
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        *out = text[0] == 't';
    else if (text[0] >= '0' && text[0] <= '9' && text[1] == '\0')
        *out = (uint32_t)(text[0] - '0');
    else
        return false;
    return *out <= max;
}

static int check_settings(struct source *s, const char *list)
{
    struct pair pair;
    uint32_t value;
    while (pairs_next(&list, &pair)) {
        const struct setting *setting = find_setting(pair.key);
        if (!setting)
            return source_fail(s, -EINVAL,
                               "setting %s: rtl_tcp has digital_agc, direct_samp, offset_tune, "
                               "biastee",
                               pair.key);
        if (!parse_value(pair.value, setting->max, &value))
            return source_fail(s, -EINVAL, "setting %s=%s: rtl_tcp takes 0 to %u", pair.key,
                               pair.value, (unsigned)setting->max);
    }
    return 0;
}

static int check_rate(struct source *s, double hz)
{
    char text[32];
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        if (hz >= rates[i].low && hz <= rates[i].high && hz == floor(hz))
            return 0;
    }
    return source_fail(s, -EINVAL,
                       "rate %s: an RTL-SDR takes whole numbers from 225001 to 300000 and from "
                       "900001 to 3200000",
                       si_format(hz, 10, text, sizeof text));
}

static bool is_automatic(const char *gain)
{
    return strcmp(gain, "auto") == 0;
}

static int check_gain(struct source *s, const char *text)
{
    const struct rtl_tcp *r = s->priv;
    const struct rtl_tcp_tuner *tuner = r->greeting.tuner;
    double db;
    if (!*text || is_automatic(text))
        return 0;
    if (si_parse_unit(text, SI_DB, &db) < 0)
        return source_fail(s, -EINVAL, "gain %s: rtl_tcp takes auto or dB", text);
    if (db < tuner->min_db || db > tuner->max_db)
        return source_fail(s, -EINVAL, "gain %g dB: the %s of %s takes %g to %g dB", db,
                           tuner->name, r->server.name, tuner->min_db, tuner->max_db);
    return 0;
}

static int check(struct source *s, const struct tuning *want)
{
    char text[32];
    const double hz = server_marks_radio_hz(want);
    if (!(hz >= 0 && hz <= UINT32_MAX))
        return source_fail(s, -EINVAL, "center %s: rtl_tcp takes 0 to 4294967295 Hz",
                           si_format(want->center_hz, 10, text, sizeof text));
    if (want->bandwidth_hz > 0)
        return source_fail(s, -EINVAL, "bandwidth: rtl_tcp has no command for it");
    if (want->antenna[0])
        return source_fail(s, -EINVAL, "antenna %s: rtl_tcp has no command for it", want->antenna);
    int err = check_rate(s, want->rate_hz);
    if (err == 0)
        err = check_gain(s, want->gain);
    return err < 0 ? err : check_settings(s, want->settings);
}

/* ---- commands --------------------------------------------------------------------------- */

static int command(struct source *s, enum rtl_tcp_command what, uint32_t value)
{
    struct rtl_tcp *r = s->priv;
    uint8_t bytes[RTL_TCP_COMMAND];
    rtl_tcp_write_command(bytes, what, value);
    return radio_server_send(&r->server, s, bytes, sizeof bytes);
}

static int apply_gain(struct source *s, const char *text)
{
    double db = 0;
    if (!*text)
        return 0;
    const int err = command(s, RTL_TCP_GAIN_MODE, is_automatic(text) ? 0 : 1);
    if (err < 0 || is_automatic(text))
        return err;
    (void)si_parse_unit(text, SI_DB, &db);
    return command(s, RTL_TCP_GAIN, (uint32_t)(int32_t)lround(10 * db));
}

static int apply_settings(struct source *s, const char *list)
{
    struct rtl_tcp *r = s->priv;
    struct pair pair;
    uint32_t value;
    int err = 0;
    while (err == 0 && pairs_next(&list, &pair)) {
        const struct setting *setting = find_setting(pair.key);
        if (!setting || !parse_value(pair.value, setting->max, &value))
            return -EINVAL;
        r->powered = r->powered || (setting->command == RTL_TCP_BIAS_TEE && value);
        err = command(s, setting->command, value);
    }
    return err;
}

static void report(struct source *s)
{
    const struct rtl_tcp *r = s->priv;
    const char *gain = r->requested.gain;
    double db;
    s->stream.tuning = r->requested;
    s->stream.gain_db = si_parse_unit(gain, SI_DB, &db) == 0 ? db : (double)NAN;
}

/* The correction of an earlier client would add to ours. had: NULL at the start. */
static int apply(struct source *s, const struct tuning *want, const struct tuning *had)
{
    struct rtl_tcp *r = s->priv;
    int err = had ? 0 : command(s, RTL_TCP_RATE, (uint32_t)want->rate_hz);
    if (err == 0 && !had)
        err = command(s, RTL_TCP_CORRECTION, 0);
    if (err == 0 && (!had || strcmp(want->settings, had->settings) != 0))
        err = apply_settings(s, want->settings);
    if (err == 0 && !had && s->config->bias_tee)
        err = command(s, RTL_TCP_BIAS_TEE, 1);
    if (err == 0 && (!had || strcmp(want->gain, had->gain) != 0))
        err = apply_gain(s, want->gain);
    if (err == 0 && (!had || server_marks_radio_hz(want) != server_marks_radio_hz(had)))
        err = command(s, RTL_TCP_CENTER, (uint32_t)server_marks_radio_hz(want));
    if (err < 0)
        return err;
    r->powered = r->powered || s->config->bias_tee;
    r->requested = *want;
    report(s);
    return 0;
}

/* ---- the hooks -------------------------------------------------------------------------- */

static int greet(struct source *s)
{
    struct rtl_tcp *r = s->priv;
    uint8_t bytes[RTL_TCP_GREETING];
    char quoted[4 * RADIO_SERVER_QUOTED + 1];
    size_t have = 0;
    const int err = radio_server_read_answer(&r->server, s, bytes, sizeof bytes, &have);
    if (!rtl_tcp_may_be_greeting(bytes, have))
        return source_fail(s, -EPROTO,
                           "%s is no rtl_tcp server: it begins with '%s' instead of RTL0",
                           r->server.name, radio_server_quote(bytes, have, quoted));
    if (err == -ETIMEDOUT && have == 0)
        return source_fail(s, err,
                           "%s: no greeting within 5 s; rtl_tcp serves one client at a time",
                           r->server.name);
    if (err < 0)
        return err;
    rtl_tcp_read_greeting(bytes, &r->greeting);
    snprintf(s->stream.about, sizeof s->stream.about, "rtl_tcp %.100s (%s)", r->server.name,
             r->greeting.tuner->name);
    return 0;
}

static void describe(struct source *s)
{
    static const char *const usual[] = {"250000",  "1024000", "1400000", "1920000",
                                        "2048000", "2400000", "2880000", "3200000"};
    s->radio = radio_options_create();
    if (!s->radio)
        return;
    struct radio_option *o = radio_options_add(s->radio, "", "rate_hz");
    o->min = rates[0].low;
    o->max = rates[1].high;
    o->open = true;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        radio_option_add_value(o, usual[i]);
    for (size_t i = 0; i < SETTINGS; i++) {
        o = radio_options_add(s->radio, RADIO_SETTING, settings[i].key);
        snprintf(o->label, sizeof o->label, "%s", settings[i].key);
        snprintf(o->help, sizeof o->help, "%s", settings[i].help);
        radio_option_add_value(o, "0");
        radio_option_add_value(o, "1");
        if (settings[i].max > 1)
            radio_option_add_value(o, "2");
    }
}

static int rtl_tcp_init(struct source *s)
{
    struct rtl_tcp *r = s->priv;
    struct tuning want = s->config->tuning;
    r->server.fd = -1;
    if (s->config->format && strcmp(s->config->format, "cu8") != 0)
        return source_fail(s, -EINVAL, "format %s: rtl_tcp has cu8", s->config->format);
    if (isnan(want.center_hz))
        want.center_hz = default_center_hz;
    if (!(want.rate_hz > 0))
        want.rate_hz = default_rate_hz;
    int err = radio_server_connect(&r->server, s);
    if (err == 0)
        err = greet(s);
    if (err == 0)
        err = check(s, &want);
    if (err == 0)
        err = apply(s, &want, NULL);
    if (err < 0)
        return err;
    s->stream.format = FFT_IQ_CU8;
    s->stream.full_scale = fft_iq_full_scale(FFT_IQ_CU8);
    s->stream.start_ns = clock_unix_ns();
    server_marks_settle(&r->marks, s, radio_server_queued(&r->server), LOSS_CAUSES);
    describe(s);
    return 0;
}

static int64_t rtl_tcp_read(struct source *s, void *into, uint32_t samples, int timeout_ms)
{
    struct rtl_tcp *r = s->priv;
    uint8_t *at = into;
    samples = server_marks_limit(&r->marks, samples);
    const size_t had = r->has_odd;
    at[0] = had ? r->odd : at[0];
    const int64_t got =
        radio_server_read(&r->server, s, at + had, 2 * (size_t)samples - had, timeout_ms);
    if (got <= 0)
        return got;
    const size_t bytes = had + (size_t)got;
    r->has_odd = bytes % 2;
    if (r->has_odd)
        r->odd = at[bytes - 1];
    return server_marks_arrived(&r->marks, s, (uint32_t)(bytes / 2));
}

static int rtl_tcp_tune(struct source *s, const struct tuning *want)
{
    struct rtl_tcp *r = s->priv;
    struct tuning next;
    int err = server_marks_complete(want, &r->requested, &next);
    if (err == 0)
        err = check(s, &next);
    if (err == 0)
        err = apply(s, &next, &r->requested);
    if (err == 0)
        server_marks_settle(&r->marks, s, radio_server_queued(&r->server), LOSS_RETUNE);
    return err;
}

static void rtl_tcp_finish(struct source *s)
{
    struct rtl_tcp *r = s->priv;
    if (r->server.fd >= 0 && r->powered)
        (void)command(s, RTL_TCP_BIAS_TEE, 0);
    radio_server_finish(&r->server);
    radio_server_close(&r->server);
}

const struct source_ops source_rtl_tcp = {
    .name = "rtl_tcp",
    .about = "an RTL-SDR in the network, through its rtl_tcp server",
    .priv_size = sizeof(struct rtl_tcp),
    .live = true,
    .init = rtl_tcp_init,
    .read = rtl_tcp_read,
    .tune = rtl_tcp_tune,
    .list = radio_server_list,
    .finish = rtl_tcp_finish,
};
