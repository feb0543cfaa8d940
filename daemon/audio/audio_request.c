/* audio_request.c - the keys of a request for audio, and what follows from them. */
#include "daemon/audio/audio_request.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/base/text.h"

const char audio_request_keys[] =
    "audio_rate_hz, deemphasis_us, deviation_hz, flat, format, gain, mode, mono, notch_hz, "
    "pitch_hz, squelch, tone_hz, wait, width_hz";

/* ---- numbers and switches ----------------------------------------------------------------- */

static const struct number_key {
    const char *key;
    enum si_unit unit;
    size_t at; /* of a double in the request */
    const char *example;
} numbers[] = {
    {"width_hz", SI_HZ, offsetof(struct audio_request, demod.width_hz), "12.5k"},
    {"deviation_hz", SI_HZ, offsetof(struct audio_request, demod.deviation_hz), "2.5k"},
    {"deemphasis_us", SI_PLAIN, offsetof(struct audio_request, demod.deemphasis_us), "50"},
    {"pitch_hz", SI_HZ, offsetof(struct audio_request, demod.pitch_hz), "700"},
    {"tone_hz", SI_HZ, offsetof(struct audio_request, demod.tone_hz), "88.5"},
    {"notch_hz", SI_HZ, offsetof(struct audio_request, demod.notch_hz), "1000"},
    {"audio_rate_hz", SI_RATE, offsetof(struct audio_request, rate_hz), "22050"},
};

static const struct switch_key {
    const char *key;
    size_t at; /* of a bool in the request */
} switches[] = {
    {"flat", offsetof(struct audio_request, demod.flat)},
    {"mono", offsetof(struct audio_request, demod.mono)},
    {"wait", offsetof(struct audio_request, waits)},
};

enum { NUMBERS = sizeof numbers / sizeof *numbers, SWITCHES = sizeof switches / sizeof *switches };

static double *number_of(struct audio_request *q, const struct number_key *k)
{
    return (double *)((char *)q + k->at);
}

static bool *switch_of(struct audio_request *q, const struct switch_key *k)
{
    return (bool *)((char *)q + k->at);
}

static int read_numbers(struct audio_request *q, audio_request_value *value, const void *from,
                        struct reason *why)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        const struct number_key *k = &numbers[i];
        const char *text = value(from, k->key);
        double *out = number_of(q, k);
        if (text && (si_parse_unit(text, k->unit, out) < 0 || !(*out > 0)))
            return reason_key(why, -EINVAL, k->key,
                              "%s: \"%s\" is not a number above 0, such as %s", k->key, text,
                              k->example);
    }
    return 0;
}

static int read_switches(struct audio_request *q, audio_request_value *value, const void *from,
                         struct reason *why)
{
    for (size_t i = 0; i < SWITCHES; i++) {
        const struct switch_key *k = &switches[i];
        const char *text = value(from, k->key);
        *switch_of(q, k) = false;
        if (text && flag_parse(text, switch_of(q, k)) < 0)
            return reason_key(why, -EINVAL, k->key, "%s: \"%s\" is neither true nor false", k->key,
                              text);
    }
    return 0;
}

/* ---- names ---------------------------------------------------------------------------------- */

static int read_mode(struct audio_request *q, const char *text, struct reason *why)
{
    q->demod.ops = text ? demod_find(text) : NULL;
    if (q->demod.ops)
        return 0;
    if (text && strcmp(text, "iq") == 0)
        return reason_key(why, -EINVAL, "mode", "mode: iq is no audio: leave mode out for samples");
    if (text)
        reason_key(why, -EINVAL, "mode", "mode: there is no mode \"%s\"", text);
    else
        reason_key(why, -EINVAL, "mode", "mode: is missing");
    for (size_t i = 0; demods[i]; i++)
        reason_add(why, "%s%s (%s)",
                   i == 0          ? ": use "
                   : demods[i + 1] ? ", "
                                   : " or ",
                   demods[i]->name, demods[i]->about);
    return -EINVAL;
}

static int read_format(struct audio_request *q, const char *text, struct reason *why)
{
    char names[128];
    enum fft_iq_format samples;
    q->codec = audio_codec_find(text ? text : "s16");
    if (!q->codec && fft_iq_parse(text, &samples) == 0)
        return reason_key(why, -EINVAL, "format",
                          "format: %s is a format of samples: leave mode out", text);
    if (!q->codec)
        return reason_key(why, -EINVAL, "format", "format: \"%s\" is not %s", text,
                          audio_codec_names(names, sizeof names));
    return q->codec->encoding->missing
               ? reason_key(why, -EINVAL, "format",
                            "format: %s is not available because this build lacks %s; use wav",
                            text, q->codec->encoding->missing)
               : 0;
}

static int read_gain(struct audio_request *q, const char *text, struct reason *why)
{
    q->demod.manual_gain = text && strcmp(text, "auto") != 0;
    if (q->demod.manual_gain &&
        (si_parse_unit(text, SI_DB, &q->demod.gain_db) < 0 || !(fabs(q->demod.gain_db) <= 120)))
        return reason_key(why, -EINVAL, "gain", "gain: \"%s\" is not auto or -120 to 120 dB", text);
    return 0;
}

static int read_squelch(struct audio_request *q, const char *text, struct reason *why)
{
    q->squelch =
        (struct squelch_rule){.hysteresis_db = SQUELCH_HYSTERESIS_DB, .hang_s = SQUELCH_HANG_S};
    if (text && squelch_parse(text, &q->squelch) < 0)
        return reason_key(why, -EINVAL, "squelch", "squelch: \"%s\" is not %s", text,
                          squelch_expected);
    return 0;
}

int audio_request_read(struct audio_request *q, audio_request_value *value, const void *from,
                       struct reason *why)
{
    *q = (struct audio_request){0};
    int err = read_mode(q, value(from, "mode"), why);
    if (err == 0)
        err = read_format(q, value(from, "format"), why);
    if (err == 0)
        err = read_numbers(q, value, from, why);
    if (err == 0)
        err = read_switches(q, value, from, why);
    if (err == 0)
        err = read_gain(q, value(from, "gain"), why);
    return err < 0 ? err : read_squelch(q, value(from, "squelch"), why);
}

/* ---- named channels ------------------------------------------------------------------------ */

/* A request, and the set-up that completes it. */
struct named {
    const struct channel_setup *setup;
    audio_request_value *value;
    const void *from;
};

static const char *named_value(const void *from, const char *key)
{
    const struct named *n = from;
    const char *text = n->value ? n->value(n->from, key) : NULL;
    if (text)
        return text;
    return strcmp(key, "mode") == 0 ? channel_setup_mode(n->setup) : NULL;
}

int audio_request_read_named(struct audio_request *q, const struct channel_setup *setup,
                             audio_request_value *value, const void *from, struct reason *why)
{
    const struct named named = {setup, value, from};
    const char *own = channel_setup_mode(setup);
    const int err = audio_request_read(q, named_value, &named, why);
    if (err < 0)
        return err;
    q->center_hz = setup->center_hz;
    snprintf(q->channel, sizeof q->channel, "%s", setup->text.name);
    if (!named_value(&named, "squelch"))
        q->squelch = setup->squelch;
    if (!named_value(&named, "width_hz") && own && strcmp(own, q->demod.ops->name) == 0)
        q->demod.width_hz = setup->passband_hz;
    return 0;
}

int audio_request_check_named(const struct channel_setup *setup, struct reason *why)
{
    struct audio_request q;
    struct demod_plan plan;
    if (!channel_setup_mode(setup))
        return setup->passband_hz > 0 ? reason_key(why, -EINVAL, "passband",
                                                   "passband: needs a mode, such as mode = nfm")
                                      : 0;
    struct reason refusal = {0};
    static const char width[] = "width_hz";
    int err = audio_request_read_named(&q, setup, NULL, NULL, why);
    if (err == 0)
        err = q.demod.ops->plan(&q.demod, &plan, &refusal);
    if (err == 0)
        return 0;
    if (strncmp(refusal.sentence, width, sizeof width - 1) == 0)
        return reason_key(why, err, "passband", "passband%s", refusal.sentence + sizeof width - 1);
    return reason_key(why, err, "mode", "mode: %s", refusal.sentence);
}

/* ---- what follows ------------------------------------------------------------------------------
 */

static bool same(double a, double b)
{
    return !(a < b) && !(a > b);
}

static bool same_squelch(const struct squelch_rule *a, const struct squelch_rule *b)
{
    return a->by == b->by && same(a->open_db, b->open_db) &&
           same(a->hysteresis_db, b->hysteresis_db) && same(a->hang_s, b->hang_s);
}

bool audio_request_shares(const struct audio_request *a, const struct audio_request *b)
{
    struct audio_request x = *a, y = *b;
    bool equal = x.demod.ops == y.demod.ops && x.demod.manual_gain == y.demod.manual_gain &&
                 same(x.demod.gain_db, y.demod.gain_db) && same(x.center_hz, y.center_hz) &&
                 same_squelch(&x.squelch, &y.squelch) && strcmp(x.channel, y.channel) == 0;
    x.rate_hz = y.rate_hz;
    for (size_t i = 0; i < NUMBERS; i++)
        equal = equal && same(*number_of(&x, &numbers[i]), *number_of(&y, &numbers[i]));
    for (size_t i = 0; i < SWITCHES; i++)
        equal = equal && *switch_of(&x, &switches[i]) == *switch_of(&y, &switches[i]);
    return equal;
}

int audio_request_plan(struct audio_request *q, struct demod_plan *plan,
                       struct channel_request *channel, struct reason *why)
{
    const int err = q->demod.ops->plan(&q->demod, plan, why);
    if (err < 0)
        return err;
    if (!(q->rate_hz > 0))
        q->rate_hz = q->codec->natural_rate ? q->codec->natural_rate(plan->audio_rate_hz)
                                            : plan->audio_rate_hz;
    *channel = (struct channel_request){.center_hz = q->center_hz + plan->offset_hz,
                                        .rate_hz = plan->rate_hz,
                                        .width_hz = plan->width_hz,
                                        .squelch = q->squelch,
                                        .waits = q->waits};
    return audio_codec_check_rate(q->codec, q->rate_hz, why);
}
