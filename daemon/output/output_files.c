/* output_files.c - what each output file is, and whether it may be written. */
#include "daemon/output/output_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/format/output_form.h"
#include "daemon/format/recording/iq_name.h"

struct out_file_config output_file_config(const struct config *c, enum output_file which)
{
    const struct output_options *o = &c->output;
    const bool seconds = o->csv_time_index > 0;
    const char *channel = c->channels.asked.output[0] ? c->channels.asked.output : NULL;
    const char *const paths[OUTPUT_FILES] = {o->csv,    o->json,  o->measure_json,
                                             o->events, o->stats, channel};
    const struct out_form *const forms[OUTPUT_FILES] = {output_form_csv(o->csv_form, seconds),
                                                        output_form_json(o->detector_index),
                                                        &output_form_measure,
                                                        output_form_events(seconds),
                                                        &output_form_stats,
                                                        NULL};
    if (which == OUTPUT_CHANNEL) /* samples have no rows, and their file no limit */
        return (struct out_file_config){.path = channel, .overwrite = o->overwrite};
    return (struct out_file_config){.path = paths[which],
                                    .form = forms[which],
                                    .limits = {.max_bytes = o->max_bytes,
                                               .max_age_s = o->max_age_s,
                                               .keep = o->keep,
                                               .realtime = c->source.realtime},
                                    .overwrite = o->overwrite};
}

/* ---- folders of fftd --------------------------------------------------------------------- */

static bool is_in(const char *path, const char *folder)
{
    struct stat a, b;
    char parent[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    if (slash)
        snprintf(parent, sizeof parent, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return folder && stat(parent, &a) == 0 && stat(folder, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static bool is_in_own_folder(const struct config *c, const char *path)
{
    char archive[PATH_MAX] = ""; /* of --replay-spectra, which has keys */
    const char *const folders[] = {c->record.folder, c->record.iq_history_folder, c->archive.folder,
                                   config_state_dir(c), archive};
    if (c->replay_spectra)
        snprintf(archive, sizeof archive, "%.*s", (int)strcspn(c->replay_spectra, ","),
                 c->replay_spectra);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (is_in(path, folders[i]))
            return true;
    return false;
}

static bool is_any_output(int fd)
{
    uint64_t whole;
    const struct out_form *const forms[] = {
        output_form_csv(0, false), output_form_csv(0, true), output_form_csv(1, false),
        output_form_csv(2, false), output_form_json(0),      output_form_json(1),
        output_form_json(2),       output_form_json(3),      &output_form_measure,
        output_form_events(false), output_form_events(true), &output_form_stats};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (out_form_examine(forms[i], fd, &whole) == 0)
            return true;
    return false;
}

/* Recordings, segments, databases and lists there are not results that a run may replace. */
static int check_overwrite(const struct config *c, const char *path, struct reason *why)
{
    char real[PATH_MAX];
    if (!realpath(path, real) || !is_in_own_folder(c, real))
        return 0;
    const int fd = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    const bool output =
        fd >= 0 && fstat(fd, &st) == 0 && (!S_ISREG(st.st_mode) || is_any_output(fd));
    if (fd >= 0)
        close(fd);
    return output ? 0
                  : reason_set(
                        why, -EEXIST,
                        "%s: fftd keeps its own files in this directory, and this one is not an "
                        "earlier output: give another name",
                        path);
}

/* ---- recordings -------------------------------------------------------------------------- */

/* "fftd --csv capture.cu8" means: make CSV of it. */
static void suggest_replay(const struct config *c, const struct out_file_config *file,
                           enum output_file which, struct reason *why)
{
    static const char *const options[OUTPUT_FILES] = {"csv",    "json",  "measure-json",
                                                      "events", "stats", "channel"};
    struct iq_name name;
    iq_name_parse(file->path, &name);
    if (name.container != IQ_UNKNOWN && !c->source.replay)
        reason_add(why, " (to analyse it: fftd %s --%s OTHER-NAME)", file->path, options[which]);
}

/* ------------------------------------------------------------------------------------------ */

int output_files_check(const struct config *c, struct reason *why)
{
    for (int i = 0; i < OUTPUT_FILES; i++) {
        const struct out_file_config file = output_file_config(c, (enum output_file)i);
        int err = file.path ? out_file_check(&file, why) : 0;
        if (err == 0 && file.path && file.overwrite)
            err = check_overwrite(c, file.path, why);
        if (err == -EEXIST)
            suggest_replay(c, &file, (enum output_file)i, why);
        if (err < 0)
            return err;
    }
    return 0;
}
