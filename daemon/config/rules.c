/* rules.c - checks combinations of options, and derives fields from several options. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/config/calibration_file.h"
#include "daemon/config/loader.h"

/* Options that exclude each other. Same origin: an error. Otherwise precedence decides. */
struct exclusion {
    const char *a, *b, *why;
};

static const struct exclusion exclusions[] = {
    {"average", "line-rate", "a line's length follows from one of them"},
    {"rbw", "fft-size", "one follows from the other"},
    {"realtime", "fast", "they are opposites"},
    {"token", "token-file", "there is one control token"},
};

static int exclude(struct config_loader *l, const struct exclusion *x)
{
    char a[256], b[256];
    if (!config_given(l->c, x->a) || !config_given(l->c, x->b))
        return 0;
    const enum config_origin of_a = config_origin_of(l->c, x->a);
    const enum config_origin of_b = config_origin_of(l->c, x->b);
    if (of_a == of_b)
        return config_fail(l, "%s and %s cannot be given together: %s",
                           config_location(l->c, x->a, a, sizeof a),
                           config_location(l->c, x->b, b, sizeof b), x->why);
    return config_unset(l, option_find(NULL, of_a < of_b ? x->a : x->b));
}

static int exclude_all(struct config_loader *l)
{
    int err = 0;
    for (size_t i = 0; err == 0 && i < sizeof exclusions / sizeof exclusions[0]; i++)
        err = exclude(l, &exclusions[i]);
    return err;
}

/* A recording excludes another source. The command line overrides the file. */
static int match_replay(struct config_loader *l)
{
    char location[256];
    const struct source_config *s = &l->c->source;
    const bool other = strcmp(s->source, "soapy") == 0 || strcmp(s->source, "sim") == 0;
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
    if (strcmp(c->source.source, "sim") == 0)
        return KIND_SIM;
    return c->source.replay ? KIND_FILE : KIND_SOAPY;
}

static int check_pace(struct config_loader *l, enum kind kind)
{
    char location[256];
    const struct config *c = l->c;
    if (c->fast && kind == KIND_SOAPY)
        return config_fail(l,
                           "%s: a radio runs at its own speed: only for --replay or the "
                           "simulation",
                           config_location(c, "fast", location, sizeof location));
    if (c->source.loop && kind != KIND_FILE)
        return config_fail(l, "%s: only a recording can be looped: give --replay FILE",
                           config_location(c, "loop", location, sizeof location));
    if (c->source.loop && c->source.replay && strcmp(c->source.replay, "-") == 0)
        return config_fail(l, "%s: standard input cannot be read again",
                           config_location(c, "loop", location, sizeof location));
    return 0;
}

static bool same_file(const char *a, const char *b)
{
    struct stat sa, sb;
    if (strcmp(a, b) == 0)
        return strcmp(a, "/dev/null") != 0;
    if (stat(a, &sa) || stat(b, &sb))
        return false;
    return S_ISREG(sa.st_mode) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

struct named_file {
    const char *option, *file;
};

static int check_pair(struct config_loader *l, struct named_file a, struct named_file b)
{
    char location_a[256], location_b[256];
    if (!a.file || !b.file || !same_file(a.file, b.file))
        return 0;
    return config_fail(l, "%s and %s are both '%s'",
                       config_location(l->c, a.option, location_a, sizeof location_a),
                       config_location(l->c, b.option, location_b, sizeof location_b), b.file);
}

/* Outputs must not overwrite each other, nor the recording. */
static int check_outputs(struct config_loader *l)
{
    const struct config *c = l->c;
    const char *input = c->source.replay;
    const struct named_file files[] = {
        {"replay", input && strcmp(input, "-") != 0 ? input : NULL},
        {"csv", c->output.csv},
        {"json", c->output.json},
        {"measure-json", c->output.measure_json},
        {"stats", c->output.stats},
        {"calibration", c->calibration.file},
    };
    for (size_t b = 1; b < sizeof files / sizeof files[0]; b++)
        for (size_t a = 0; a < b; a++)
            if (check_pair(l, files[a], files[b]) < 0)
                return -EINVAL;
    return 0;
}

static int check_calibrate(struct config_loader *l)
{
    char location[256];
    const struct calibration_options *o = &l->c->calibration;
    const bool level = isfinite(o->level_dbm), at = isfinite(o->at_hz);
    if (!level && !at)
        return 0;
    if (!level || !at)
        return config_fail(l, "%s needs %s",
                           config_location(l->c, level ? "calibrate-level" : "calibrate-at",
                                           location, sizeof location),
                           level ? "--calibrate-at" : "--calibrate-level");
    if (!o->file)
        return config_fail(l, "%s needs the table: give --calibration FILE",
                           config_location(l->c, "calibrate-level", location, sizeof location));
    return 0;
}

/* The table that --calibrate-level adds to may not exist yet. */
static int apply_calibration(struct config_loader *l)
{
    char location[256], why[400] = "";
    struct calibration table;
    struct config *c = l->c;
    if (!c->calibration.file)
        return 0;
    const int err = calibration_file_read(&table, c->calibration.file, why, sizeof why);
    if (err == -ENOENT && isfinite(c->calibration.level_dbm))
        return 0;
    if (err < 0)
        return config_fail(l, "%s: %s",
                           config_location(c, "calibration", location, sizeof location), why);
    if (isfinite(table.ppm) && config_origin_of(c, "ppm") == FROM_DEFAULT)
        c->settings.tuning.ppm = table.ppm;
    calibration_finish(&table);
    return 0;
}

/* A server, files and measurements are for other runs. */
static void derive_calibrate(struct config *c)
{
    if (!isfinite(c->calibration.level_dbm))
        return;
    c->server.enabled = false;
    if (!(c->output.duration_s > 0))
        c->output.duration_s = 1;
}

enum { LIMITED_RUN_WAIT_S = 10 }; /* a service waits for its radio, a script does not */

/* Derives source.realtime, source.wait_s and server.enabled: see config.h. */
static void derive(struct config *c, enum kind kind)
{
    const bool asked = c->source.realtime || c->source.loop;
    const bool listen = config_origin_of(c, "listen") != FROM_DEFAULT;
    c->server.enabled = (kind != KIND_FILE && !c->fast) || asked || listen;
    if (strcmp(c->server.listen, "none") == 0)
        c->server.enabled = false;
    derive_calibrate(c);
    c->source.realtime = !c->fast && (kind != KIND_FILE || asked);
    c->source.tuning = c->settings.tuning;
    if (c->source.wait_s < 0)
        c->source.wait_s = c->output.lines || c->output.duration_s > 0 ? LIMITED_RUN_WAIT_S : 0;
}

int config_apply_rules(struct config_loader *l)
{
    struct config *c = l->c;
    if (c->help || c->version || c->list_devices || c->list_engines || c->list_measurements ||
        c->verify)
        return 0;
    int err = exclude_all(l);
    if (err == 0)
        err = match_replay(l);
    const enum kind kind = kind_of(c);
    if (err == 0)
        err = check_pace(l, kind);
    if (err == 0)
        err = check_outputs(l);
    if (err == 0)
        err = check_calibrate(l);
    if (err == 0)
        err = apply_calibration(l);
    if (err == 0)
        derive(c, kind);
    return err;
}

const char *config_warning(const struct config *c)
{
    if (c->server.token && config_origin_of(c, "token") == FROM_ARGS)
        return "--token: every user of this machine can read it in the list of processes; "
               "use --token-file";
    return NULL;
}
