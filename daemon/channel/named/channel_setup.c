/* channel_setup.c - the keys of named channels, and their checks. */
#include "daemon/channel/named/channel_setup.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/option/option_reader.h"
#include "daemon/option/rows.h"
#include "daemon/stream/tuning.h"

/* ---- keys ---------------------------------------------------------------------------------- */

static int parse_squelch(const char *text, void *field)
{
    return squelch_parse(text, field);
}

static const char *format_squelch(const void *field, char *into, size_t size)
{
    return squelch_format(field, into, size);
}

static const struct option_form squelch_form = {parse_squelch, format_squelch};

#define OPTION_OF struct channel_setup

static const struct config_option keys[] = {
    {"channel", "center", NUMBER(center_hz, ""), .metavar = "HZ", .unit = SI_HZ, .missing = NAN,
     RANGE(-TUNING_CENTER_MAX_HZ, TUNING_CENTER_MAX_HZ),
     .help = "Centre of the channel; it stays there when the radio is tuned"},
    {"channel", "rate", NUMBER(rate_hz, "25k"), .metavar = "SPS", .unit = SI_RATE,
     RANGE(1, TUNING_RATE_MAX_HZ), .help = "Samples per second"},
    {"channel", "width", NUMBER(width_hz, "0"), .metavar = "HZ", .unit = SI_HZ,
     RANGE(0, TUNING_RATE_MAX_HZ),
     .help = "Width of the flat part; 0: all that the rate has room for"},
    {"channel", "squelch", .kind = OPTION_OTHER, .fallback = "6", FIELD(squelch),
     .form = &squelch_form, .metavar = "DB", .expected = squelch_expected,
     .help = "Threshold at which a transmission begins: decibels above the noise, or a level in "
             "dBFS (level -60); off: the channel runs while it has a reader"},
    {"channel", "hysteresis", NUMBER(squelch.hysteresis_db, "2"), .metavar = "DB", .unit = SI_DB,
     RANGE(0, 40), .help = "Decibels below the squelch at which a transmission ends"},
    {"channel", "hang", NUMBER(squelch.hang_s, "200ms"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 60), .help = "Time for which the level must stay below that"},
    {"channel", "pre", NUMBER(pre_s, "500ms"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 10), .help = "Time before a transmission that is included; max-pre-memory limits it"},
    {"channel", "mode", STRING(mode, "iq"), .choices = CHANNEL_MODE_NAMES, .metavar = "NAME",
     .help = "Demodulator of the channel's audio; iq: none"},
    {"channel", "passband", NUMBER(passband_hz, "0"), .metavar = "HZ", .unit = SI_HZ,
     RANGE(0, TUNING_RATE_MAX_HZ),
     .help = "Width of the filter in front of the demodulator; 0: that of the mode"},
    {"channel", "record", .kind = OPTION_INDEX, .fallback = "no", FIELD(record),
     .choices = CHANNEL_RECORD_NAMES, .metavar = "NAME",
     .help = "iq: with --record, record each transmission, including pre"},
    {"channel", "max-duration", NUMBER(max_duration_s, "10min"), .metavar = "SECONDS",
     .unit = SI_SECONDS, RANGE(0, 86400 * 366.0),
     .help = "Maximum length of a recording; 0 is no limit"},
};

struct option_type channel_type(void)
{
    return (struct option_type){"channel", "A band of the samples, at a rate of its own", NULL, 0};
}

static struct option_type type_at(size_t i)
{
    (void)i;
    return channel_type();
}

struct option_family channel_family(void)
{
    return (struct option_family){"channel", "channel", keys, sizeof keys / sizeof keys[0],
                                  1,         type_at};
}

void channel_print_types(FILE *out)
{
    const struct option_family f = channel_family();
    option_family_print(&f, out);
}

void channel_print_man(FILE *out)
{
    const struct option_family f = channel_family();
    option_family_print_man(&f, out);
}

/* ---- set-ups -------------------------------------------------------------------------------- */

static int check(const void *state, struct reason *why)
{
    const struct channel_setup *s = state;
    if (isnan(s->center_hz))
        return reason_key(why, -EINVAL, "center", "center: is missing (example: center = 118.1M)");
    if (s->record != CHANNEL_RECORD_NO && s->squelch.by == SQUELCH_OFF)
        return reason_key(why, -EINVAL, "record",
                          "record: a transmission begins by a squelch, as squelch = 6");
    return 0;
}

static int set_all(struct channel_setup *s, const struct option_reader *r)
{
    static const struct option_hooks hooks = {.check = check};
    const struct option_type type = channel_type();
    const int err = option_reader_set(r, &type, s, s);
    return err < 0 ? err : option_reader_finish(r, &hooks, s);
}

int channel_setup_create(struct channel_setup **out, const struct option_text *text,
                         const char *origin, struct reason *why)
{
    struct channel_setup *s = calloc(1, sizeof *s);
    *out = NULL;
    int err = s ? option_text_copy(&s->text, text) : -ENOMEM;
    if (err == 0)
        err = set_all(s, &(struct option_reader){channel_family(), &s->text, origin, why});
    if (err == -ENOMEM)
        reason_set(why, err, "no memory for a channel");
    if (err < 0) {
        channel_setup_destroy(s);
        return err;
    }
    *out = s;
    return 0;
}

void channel_setup_destroy(struct channel_setup *s)
{
    if (s)
        option_text_finish(&s->text);
    free(s);
}

struct channel_request channel_setup_request(const struct channel_setup *s)
{
    return (struct channel_request){.center_hz = s->center_hz,
                                    .rate_hz = s->rate_hz,
                                    .width_hz = s->width_hz,
                                    .squelch = s->squelch,
                                    .armed = s->squelch.by != SQUELCH_OFF,
                                    .pre_s = s->pre_s};
}

const char *channel_setup_mode(const struct channel_setup *s)
{
    return strcmp(s->mode, "iq") == 0 ? NULL : s->mode;
}

bool channel_setup_moves(const struct channel_setup *a, const struct channel_setup *b)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i].key, "center") != 0 && !option_is_same(&keys[i], a, b))
            return false;
    return true;
}

static int check_one(const struct option_text *text, const char *origin, channel_setup_check *also,
                     struct reason *why)
{
    const struct option_reader reader = {channel_family(), text, origin, why};
    struct channel_setup *setup;
    struct reason refusal = {0};
    int err = channel_setup_create(&setup, text, origin, why);
    if (err == 0 && also && also(setup, &refusal) < 0) {
        const struct option_pair *pair = option_text_find(text, refusal.key);
        err = option_reader_fail(&reader, pair ? pair->line : text->line, refusal.key, "%s",
                                 refusal.sentence);
    }
    channel_setup_destroy(setup);
    return err;
}

int channel_setup_check_all(const struct option_text *texts, size_t count, const char *file,
                            channel_setup_check *also, struct reason *why)
{
    const struct option_reader all = {channel_family(), texts, "--channel", why};
    int err = option_reader_check_count(&all, count, CHANNELS_NAMED_MAX, file);
    for (size_t i = 0; err == 0 && i < count; i++)
        err = check_one(&texts[i], option_text_origin(&texts[i], file, "--channel"), also, why);
    return err;
}
