/* output_rules.c - outputs write neither into each other nor into what a run reads. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/config/loader.h"

struct named_file {
    const char *option, *file;
    bool is_input;
};

/* ---- the same file ----------------------------------------------------------------------- */

/* Of standard input or output, what the shell opened. */
static bool find_file(const struct named_file *f, struct stat *st)
{
    if (strcmp(f->file, "-") == 0)
        return fstat(f->is_input ? STDIN_FILENO : STDOUT_FILENO, st) == 0;
    return stat(f->file, st) == 0;
}

/* Where a file would be created: its folder, and its name there. Links that lead nowhere yet are
 * followed. */
static bool find_place(const char *path, struct stat *folder, char name[PATH_MAX])
{
    char at[PATH_MAX], target[PATH_MAX];
    snprintf(at, sizeof at, "%s", path);
    for (int links = 0; links < 8; links++) {
        const char *slash = strrchr(at, '/');
        const size_t length = slash ? (size_t)(slash + 1 - at) : 0;
        const ssize_t got = readlink(at, target, sizeof target - 1);
        if (got < 0) {
            snprintf(name, PATH_MAX, "%s", at + length);
            at[length] = '\0';
            return stat(length ? at : ".", folder) == 0;
        }
        target[got] = '\0';
        if (target[0] == '/')
            memcpy(at, target, (size_t)got + 1);
        else
            snprintf(at + length, sizeof at - length, "%s", target);
    }
    return false;
}

static bool same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool same_file(const struct named_file *a, const struct named_file *b)
{
    struct stat sa, sb;
    char name_a[PATH_MAX], name_b[PATH_MAX];
    const bool is_a = find_file(a, &sa), is_b = find_file(b, &sb);
    if (strcmp(a->file, b->file) == 0 && (a->is_input == b->is_input || strcmp(a->file, "-") != 0))
        return strcmp(a->file, "/dev/null") != 0;
    if (is_a && is_b)
        return S_ISREG(sa.st_mode) && same_inode(&sa, &sb);
    if (is_a || is_b || a->is_input || b->is_input)
        return false;
    return find_place(a->file, &sa, name_a) && find_place(b->file, &sb, name_b) &&
           same_inode(&sa, &sb) && strcmp(name_a, name_b) == 0;
}

static int check_pair(struct config_loader *l, const struct named_file *a,
                      const struct named_file *b)
{
    char location_a[256], location_b[256];
    if (!a->file || !b->file || !same_file(a, b))
        return 0;
    return config_fail(l, "%s and %s are both '%s'",
                       config_location(l->c, a->option, location_a, sizeof location_a),
                       config_location(l->c, b->option, location_b, sizeof location_b), b->file);
}

/* ---- other files of a recording ---------------------------------------------------------- */

/* The suffixes of files that are one recording. */
static const char *const families[][4] = {{".sigmf-meta", ".sigmf-data"},
                                          {".c16", ".c8", ".txt", ".TXT"}};

static const char *ending(const char *path, const char *const family[4])
{
    const size_t length = strlen(path);
    for (int i = 0; i < 4 && family[i]; i++) {
        const size_t size = strlen(family[i]);
        if (length > size && strcasecmp(path + length - size, family[i]) == 0)
            return path + length - size;
    }
    return NULL;
}

static int check_companions(struct config_loader *l, const char *input,
                            const struct named_file *output)
{
    char path[PATH_MAX], location[256];
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
        const char *end = ending(input, families[f]);
        for (int i = 0; end && i < 4 && families[f][i]; i++) {
            const struct named_file other = {.file = path, .is_input = true};
            snprintf(path, sizeof path, "%.*s%s", (int)(end - input), input, families[f][i]);
            if (same_file(&other, output))
                return config_fail(l, "%s: '%s' belongs to the recording '%s'",
                                   config_location(l->c, output->option, location, sizeof location),
                                   output->file, input);
        }
    }
    return 0;
}

/* ---- band plans -------------------------------------------------------------------------- */

static int check_band_plans(struct config_loader *l, const struct named_file *output)
{
    char path[PATH_MAX];
    const char *at = l->c->server.band_plan;
    int err = 0;
    for (size_t length; err == 0 && at && *at; at += length + (at[length] == ',')) {
        length = strcspn(at, ",");
        snprintf(path, sizeof path, "%.*s", (int)(length < sizeof path ? length : 0), at);
        err = check_pair(l, &(struct named_file){"band-plan", path, true}, output);
    }
    return err;
}

/* ------------------------------------------------------------------------------------------ */

int config_check_outputs(struct config_loader *l)
{
    const struct config *c = l->c;
    const char *input = c->source.replay;
    const char *channel = c->channels.asked.output[0] ? c->channels.asked.output : NULL;
    const struct named_file files[] = {
        {"csv", c->output.csv, false},
        {"json", c->output.json, false},
        {"measure-json", c->output.measure_json, false},
        {"events", c->output.events, false},
        {"stats", c->output.stats, false},
        {"channel", channel, false},
    };
    const struct named_file inputs[] = {
        {"replay", input, true},
        {"calibration", c->calibration.file, true},
        {"spurs", c->calibration.spurs_file, true},
        {"config", c->file, true},
        {"token-file", c->server.token_file, true},
        {"nats-credentials", c->nats.credentials, true},
        {"nats-ca", c->nats.ca, true},
    };
    int err = 0;
    for (size_t b = 0; b < sizeof files / sizeof files[0]; b++) {
        for (size_t a = 0; err == 0 && a < b; a++)
            err = check_pair(l, &files[a], &files[b]);
        for (size_t a = 0; err == 0 && a < sizeof inputs / sizeof inputs[0]; a++)
            err = check_pair(l, &inputs[a], &files[b]);
        if (err == 0)
            err = check_band_plans(l, &files[b]);
        if (err == 0 && input && files[b].file)
            err = check_companions(l, input, &files[b]);
    }
    return err;
}
