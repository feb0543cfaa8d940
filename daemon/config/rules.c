/* rules.c - checks combinations of options, and derives fields from several options. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/access/listen_address.h"
#include "daemon/calibration/calibration_file.h"
#include "daemon/calibration/spur_file.h"
#include "daemon/config/loader.h"
#include "daemon/config/option_table.h"
#include "daemon/format/band_plan_file.h"

/* A recording excludes another source. The command line overrides the file. */
static int match_replay(struct config_loader *l)
{
    char location[256];
    const struct source_config *s = &l->c->source;
    const bool other = strcmp(s->source, "auto") != 0 && strcmp(s->source, "file") != 0;
    const enum config_origin of_replay = config_origin_of(l->c, "replay");
    const enum config_origin of_source = config_origin_of(l->c, "source");
    if (strcmp(s->source, "file") == 0 && !s->replay)
        return config_fail(l, "%s: file needs a recording: give --replay FILE",
                           config_location(l->c, "source", location, sizeof location));
    if (!s->replay || !other)
        return 0;
    if (of_replay == of_source)
        return config_fail(l, "%s: %s cannot replay '%s': leave the source out, or auto",
                           config_location(l->c, "source", location, sizeof location), s->source,
                           s->replay);
    return config_unset(l, option_find(NULL, of_replay < of_source ? "replay" : "source"));
}

enum kind { KIND_SOAPY, KIND_FILE, KIND_SIM };

static enum kind kind_of(const struct config *c)
{
    if (c->replay_spectra)
        return KIND_FILE;
    if (strcmp(c->source.source, "sim") == 0)
        return KIND_SIM;
    return c->source.replay ? KIND_FILE : KIND_SOAPY;
}

/* Options that only a recording has, and that are not at their defaults. */
static int check_replay(struct config_loader *l, enum kind kind)
{
    char location[256];
    const struct source_config *s = &l->c->source;
    const bool slow = s->speed < 1 || s->speed > 1;
    const struct {
        const char *key;
        bool is_set, needs_pace;
    } options[] = {{"from", s->from_s > 0, false},
                   {"to", s->to_s > 0, false},
                   {"full-scale", s->full_scale > 0, false},
                   {"speed", slow, true},
                   {"keep-running", s->keep_running, true}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const char *key = options[i].key;
        if (options[i].is_set && kind != KIND_FILE)
            return config_fail(l, "%s: only a recording has it: give --replay FILE",
                               config_location(l->c, key, location, sizeof location));
        if (options[i].is_set && options[i].needs_pace && l->c->source.full_speed)
            return config_fail(l, "%s: only a replay in real time has it, and full-speed is given",
                               config_location(l->c, key, location, sizeof location));
    }
    if (s->to_s > 0 && s->to_s <= s->from_s)
        return config_fail(l, "%s: %.10g s is not after from, %.10g s",
                           config_location(l->c, "to", location, sizeof location), s->to_s,
                           s->from_s);
    return 0;
}

static int check_pace(struct config_loader *l, enum kind kind)
{
    char location[256];
    const struct config *c = l->c;
    if (c->source.full_speed && kind == KIND_SOAPY)
        return config_fail(l,
                           "%s: a radio runs at its own speed: only for --replay or the "
                           "simulation",
                           config_location(c, "full-speed", location, sizeof location));
    if (c->source.loop && kind != KIND_FILE)
        return config_fail(l, "%s: only a recording can be looped: give --replay FILE",
                           config_location(c, "loop", location, sizeof location));
    if (c->source.loop && c->source.replay && strcmp(c->source.replay, "-") == 0)
        return config_fail(l, "%s: standard input cannot be read again",
                           config_location(c, "loop", location, sizeof location));
    return 0;
}

static int check_sweep(struct config_loader *l, enum kind kind)
{
    char location[256];
    if (!settings_sweeps(&l->c->settings) || kind != KIND_FILE)
        return 0;
    return config_fail(l, "%s: a recording cannot be retuned: only a radio can sweep",
                       config_location(l->c, "span", location, sizeof location));
}

static int check_record(struct config_loader *l)
{
    char location[256];
    const char *key = l->c->cut ? "cut" : l->c->record.all ? "record-all" : "iq-history";
    if (l->c->cut && !l->c->source.replay)
        return config_fail(l, "%s: no recording: give --replay FILE",
                           config_location(l->c, key, location, sizeof location));
    if (!(l->c->record.all || l->c->cut || l->c->record.iq_history) || l->c->record.folder)
        return 0;
    return config_fail(l, "%s: no directory for recordings: give --record DIR",
                       config_location(l->c, key, location, sizeof location));
}

static bool calibrates(const struct config *c)
{
    return isfinite(c->calibration.level_dbm) || c->calibration.ppm;
}

static int check_calibrate(struct config_loader *l)
{
    char location[256];
    const struct calibration_options *o = &l->c->calibration;
    const bool at = isfinite(o->at_hz);
    const char *wanted = isfinite(o->level_dbm) ? "calibrate-level" : "calibrate-ppm";
    if (!calibrates(l->c))
        return !at ? 0
                   : config_fail(l, "%s needs --calibrate-level or --calibrate-ppm",
                                 config_location(l->c, "calibrate-at", location, sizeof location));
    if (!at)
        return config_fail(l, "%s needs --calibrate-at",
                           config_location(l->c, wanted, location, sizeof location));
    if (!o->file)
        return config_fail(l, "%s needs the table: give --calibration FILE",
                           config_location(l->c, wanted, location, sizeof location));
    return 0;
}

static int check_learn(struct config_loader *l)
{
    char location[256];
    if (l->c->calibration.learn.file || !config_given(l->c, "learn-threshold"))
        return 0;
    return config_fail(l, "%s needs --learn-spurs",
                       config_location(l->c, "learn-threshold", location, sizeof location));
}

/* An option for lines that is on the command line, of a run that shows none. NULL: there is none.
 */
static const char *find_idle(const struct config *c)
{
    static const char *const outputs[] = {"csv",   "json",    "measure-json", "events",
                                          "stats", "channel", "listen",       "nats"};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        if (config_given(c, outputs[i]) && config_origin_of(c, outputs[i]) == FROM_ARGS)
            return outputs[i];
    for (size_t i = 0; i < c->measure_count; i++)
        if (c->measures[i].line == 0)
            return "measure";
    for (size_t i = 0; i < c->trigger_count; i++)
        if (c->triggers[i].line == 0)
            return "trigger";
    return NULL;
}

/* What is given on the command line, and would do nothing. */
static int check_idle_outputs(struct config_loader *l)
{
    const struct config *c = l->c;
    const char *alone = calibrates(c)               ? "a calibration writes its table alone"
                        : c->calibration.learn.file ? "learn-spurs writes its list alone"
                                                    : NULL;
    const char *idle = alone ? find_idle(c) : NULL;
    if (idle)
        return config_fail(l, "--%s: %s", idle, alone);
    if (config_origin_of(c, "csv-time") == FROM_ARGS && c->output.csv_time_index > 0 &&
        c->output.csv_form > 0)
        return config_fail(l, "--csv-time: only the form rtl_power has it in seconds");
    return 0;
}

/* A hub serves what comes from a broker: an option that it would ignore is a mistake. */
static int check_hub(struct config_loader *l)
{
    static const char *const own[] = {
        "hub",     "nats-prefix",   "nats-credentials",  "nats-ca",
        "archive", "archive-tiers", "archive-max-bytes", "archive-min-free"};
    const struct config *c = l->c;
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        const bool is_shared =
            o->section && (strcmp(o->section, "nats") == 0 || strcmp(o->section, "archive") == 0);
        bool fits = !o->section || strcmp(o->section, "server") == 0;
        for (size_t k = 0; is_shared && k < sizeof own / sizeof own[0]; k++)
            fits = fits || strcmp(own[k], o->key) == 0;
        if (!fits && config_origin_of(c, o->key) == FROM_ARGS)
            return config_fail(l, "--%s: a hub has no radio: leave --%s out", o->key,
                               is_shared && strcmp(o->key, "nats") != 0 ? o->key : "hub");
    }
    if (c->server.rtl_tcp)
        return config_fail(l, "--hub: it has no channels: leave --rtl-tcp out");
    if (c->server.rigctl)
        return config_fail(l, "--hub: it has no channels: leave --rigctl out");
    if (strcmp(c->server.listen, "none") == 0)
        return config_fail(l, "--hub: it serves a page: listen may not be none");
    return 0;
}

/* The table that --calibrate-level and --calibrate-ppm add to may not exist yet. */
static int apply_calibration(struct config_loader *l)
{
    char location[256];
    struct reason why = {0};
    struct calibration table;
    struct config *c = l->c;
    if (!c->calibration.file)
        return 0;
    const int err = calibration_file_read(&table, c->calibration.file, &why);
    if (err == -ENOENT && calibrates(c))
        return 0;
    if (err < 0)
        return config_fail(l, "%s: %s",
                           config_location(c, "calibration", location, sizeof location),
                           why.sentence);
    if (isfinite(table.ppm) && config_origin_of(c, "ppm") == FROM_DEFAULT)
        c->settings.tuning.ppm = table.ppm;
    calibration_finish(&table);
    return 0;
}

static int check_spurs(struct config_loader *l)
{
    char location[256];
    struct reason why = {0};
    struct spur_list list;
    const char *file = l->c->calibration.spurs_file;
    if (!file)
        return 0;
    if (spur_file_read(&list, file, false, &why) < 0)
        return config_fail(l, "%s: %s", config_location(l->c, "spurs", location, sizeof location),
                           why.sentence);
    spur_list_finish(&list);
    return 0;
}

static int read_channel(struct config_loader *l)
{
    struct reason why = {0};
    struct channel_options *o = &l->c->channels;
    o->asked = (struct channel_text){0};
    if (!o->text)
        return 0;
    return channel_text_parse(o->text, &o->asked, &why) == 0
               ? 0
               : config_fail(l, "--channel: %s", why.sentence);
}

static int check_band_plan(struct config_loader *l)
{
    char location[256];
    struct reason why = {0};
    struct band_plan plan;
    const int err = band_plan_files_read(&plan, l->c->server.band_plan, &why);
    band_plan_finish(&plan);
    return err == 0 ? 0
                    : config_fail(l, "%s: %s",
                                  config_location(l->c, "band-plan", location, sizeof location),
                                  why.sentence);
}

/* A server, files and measurements are for other runs. */
static void derive_short_run(struct config *c)
{
    if (!calibrates(c) && !c->calibration.learn.file)
        return;
    c->server.enabled = false;
    if (!(c->output.duration_s > 0))
        c->output.duration_s = 1;
}

enum { LIMITED_RUN_WAIT_S = 10 }; /* a service waits for its radio, a script does not */

/* Derives source.realtime, source.wait_s and server.enabled: see config.h. */
static void derive(struct config *c, enum kind kind)
{
    const bool paced = c->source.speed < 1 || c->source.speed > 1 || c->source.keep_running;
    const bool asked = c->source.realtime || c->source.loop || paced;
    const bool listen = config_origin_of(c, "listen") != FROM_DEFAULT;
    c->server.enabled = (kind != KIND_FILE && !c->source.full_speed) || asked || listen;
    if (strcmp(c->server.listen, "none") == 0)
        c->server.enabled = false;
    derive_short_run(c);
    c->source.realtime = !c->source.full_speed && (kind != KIND_FILE || asked);
    c->source.tuning = c->settings.tuning;
    c->source.sweeps = settings_sweeps(&c->settings);
    if (c->source.wait_s < 0)
        c->source.wait_s = c->output.lines || c->output.duration_s > 0 ? LIMITED_RUN_WAIT_S : 0;
}

static bool has_tls(const char *listen)
{
    struct listen_address all[LISTEN_ADDRESSES];
    const int count = listen_addresses_parse(listen, all);
    for (int i = 0; i < count; i++)
        if (all[i].tls)
            return true;
    return false;
}

static int check_tls(struct config_loader *l)
{
    const struct server_options *o = &l->c->server;
    if ((o->tls_certificate != NULL) != (o->tls_key != NULL))
        return config_fail(l, "--%s: needs %s too", o->tls_key ? "tls-key" : "tls-certificate",
                           o->tls_key ? "tls-certificate" : "tls-key");
    if (has_tls(o->listen) && !o->tls_key)
        return config_fail(l,
                           "--listen: %s: tls: needs tls-certificate and tls-key (fftd "
                           "make-certificate DIR makes a pair for a start)",
                           o->listen);
    return 0;
}

int config_apply_rules(struct config_loader *l)
{
    struct config *c = l->c;
    if (c->make_certificate || c->help || c->version || c->list_devices || c->list_engines ||
        c->list_measurements || c->list_triggers)
        return 0;
    int err = config_exclude(l);
    if (err < 0 || c->verify)
        return err;
    if ((err = check_tls(l)) < 0)
        return err;
    if (c->nats.hub)
        return check_hub(l);
    err = match_replay(l);
    const enum kind kind = kind_of(c);
    if (err == 0)
        err = check_replay(l, kind);
    if (err == 0)
        err = check_pace(l, kind);
    if (err == 0)
        err = check_sweep(l, kind);
    if (err == 0)
        err = read_channel(l);
    if (err == 0)
        err = config_check_outputs(l);
    if (err == 0)
        err = check_calibrate(l);
    if (err == 0)
        err = check_learn(l);
    if (err == 0)
        err = check_record(l);
    if (err == 0)
        err = check_idle_outputs(l);
    if (err == 0)
        err = apply_calibration(l);
    if (err == 0)
        err = check_spurs(l);
    if (err == 0)
        err = check_band_plan(l);
    if (err == 0)
        derive(c, kind);
    return err;
}

static bool asked(const struct config *c, const char *key)
{
    return config_given(c, key) && config_origin_of(c, key) == FROM_ARGS;
}

static bool selects(const struct config *c, const char *key, const char *choice)
{
    return strcmp(config_option_value(c, option_find(NULL, key))->text, choice) == 0;
}

bool config_has_output(const struct config *c)
{
    const struct output_options *o = &c->output;
    return o->csv || o->json || o->measure_json || o->events || o->stats || c->channels.text;
}

static const char *useless_output_option(const struct config *c)
{
    if (!config_has_output(c) && (asked(c, "overwrite") || asked(c, "output-max-bytes") ||
                                  asked(c, "output-max-age") || asked(c, "output-keep")))
        return "--overwrite and --output-...: nothing is written: give --csv FILE or another "
               "output";
    if (c->output.keep > 0 && c->output.max_bytes == 0 && !(c->output.max_age_s > 0))
        return "output-keep: no file is renamed: give output-max-bytes or output-max-age";
    return NULL;
}

/*
 * No radio delivers less than 1 kS/s, and an overlap of less than 1 % is none: MHz were meant, or a
 * part.
 */
bool config_hint(const struct config *c, char into[CONFIG_HINT])
{
    const struct tuning *t = &c->settings.tuning;
    const double overlap = c->settings.overlap;
    char hint[64];
    if (asked(c, "center") && tuning_center_lacks_unit(t->center_hz, hint, sizeof hint))
        snprintf(into, CONFIG_HINT, "--center: this is %s", hint);
    else if (asked(c, "rate") && t->rate_hz > 0 && t->rate_hz < 1000)
        snprintf(into, CONFIG_HINT, "--rate: this is %.10g samples a second: did you mean %.10g%s?",
                 t->rate_hz, t->rate_hz, t->rate_hz < 100 ? "M" : "k");
    else if (asked(c, "overlap") && overlap > 0 && overlap < 1)
        snprintf(into, CONFIG_HINT, "--overlap: this is %.10g per cent: did you mean %.10g?",
                 overlap, 100 * overlap);
    else
        return false;
    return true;
}

const char *config_warning(const struct config *c)
{
    const char *useless = useless_output_option(c);
    if (c->server.token && config_origin_of(c, "token") == FROM_ARGS)
        return "--token: every user of this machine can read it in the list of processes; "
               "use --token-file";
    if (useless)
        return useless;
    if (asked(c, "csv-format") && !c->output.csv)
        return "--csv-format: nothing is written as CSV: give --csv FILE";
    if (c->output.csv && selects(c, "csv-format", "mhz-dbm") && !c->calibration.file &&
        !selects(c, "level-unit", "dbfs"))
        return "--csv-format: without a calibration, the levels of mhz-dbm are in dBFS: give "
               "--calibration FILE";
    if (asked(c, "measure-json") && c->measure_count == 0 && !c->server.enabled)
        return "--measure-json: there is no measurement: give --measure (see fftd list "
               "measurements)";
    if (asked(c, "events") && c->trigger_count == 0 && !c->server.enabled)
        return "--events: there is no trigger: give --trigger (see fftd list triggers)";
    if (asked(c, "level-unit") && c->calibration.unit_index > 1 && !c->calibration.file &&
        !c->replay_spectra)
        return "--level-unit: without a calibration, levels stay in dBFS: give --calibration FILE";
    return NULL;
}
