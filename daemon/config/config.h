/*
 * config.h - the configuration of the daemon, from the command line and a file.
 *
 * Rooms declare their options (option_table.h). The rows define the command line, the file, the
 * checks, --help, the man pages and config/fftd.conf.
 */
#ifndef FFTD_DAEMON_CONFIG_CONFIG_H
#define FFTD_DAEMON_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdio.h>

#include "daemon/access/server_options.h"
#include "daemon/archive/archive_options.h"
#include "daemon/calibration/calibration_options.h"
#include "daemon/channel/channel_options.h"
#include "daemon/config/commands.h"
#include "daemon/files/output_options.h"
#include "daemon/nats/nats_options.h"
#include "daemon/option/option_text.h"
#include "daemon/record/record_options.h"
#include "daemon/source/source.h"
#include "daemon/stream/settings.h"
#include "fft/fft.h"

struct reason;

struct engine_options {
    const char *name;    /* "auto", "cpu", ... */
    uint32_t threads;    /* 0: one for each core */
    const char *isa;     /* "auto", or a forced instruction set (tests) */
    const char *options; /* for the opencl engine; "": none */
};

struct event_options {
    uint64_t max;     /* events that the database keeps; 0: no limit */
    double max_age_s; /* since they were found; 0: no limit */
};

struct config {
    struct source_config source;
    struct settings settings;
    struct engine_options engine;
    struct server_options server;
    struct output_options output;
    struct calibration_options calibration;
    struct channel_options channels;
    struct record_options record;
    struct event_options events;
    struct archive_options archive;
    struct nats_options nats;
    const char *completion;       /* the shell of --completion; NULL: it is not asked for */
    const char *repair;           /* of fftd repair; NULL: it is not asked for */
    const char *cut;              /* of fftd cut; NULL: it is not asked for */
    const char *make_certificate; /* a folder; NULL: it is not asked for */
    const char *survey;           /* of fftd survey; NULL: it is not asked for */
    const char *replay_spectra;   /* an archive with keys (archive/read/playback.h); NULL: none */
    struct option_text *measures; /* [measure NAME] and --measure; each has a name */
    size_t measure_count;
    unsigned measure_detectors;   /* FFT_DETECTOR_ bits that they need; derived in measure/ */
    uint32_t measure_bin_bytes;   /* of their traces, for each bin; derived in measure/ */
    uint32_t measure_percentiles; /* how many are of percentiles; derived in measure/ */
    struct option_text *triggers; /* [trigger NAME] and --trigger; each has a name */
    size_t trigger_count;
    unsigned trigger_detectors;        /* FFT_DETECTOR_ bits that they need; derived in trigger/ */
    bool trigger_density;              /* they need the density; derived in trigger/ */
    struct option_text *channel_texts; /* [channel NAME]; each has a name */
    size_t channel_count;
    bool list_devices, list_engines, list_measurements, list_triggers, verify; /* actions */
    bool print_config, check_config, help, version;
    const struct command *command; /* the first word of the command line; NULL: none */
    const char *file;              /* -c; NULL: none */
    struct config_text *text;      /* owns the strings */
};

/*
 * Applies the defaults, the file (-c, none by default), the command line, and then the rules
 * between options (rules.c). Of repeated options the last wins. -o SECTION.KEY=VALUE equals --KEY
 * VALUE. A word that belongs to no option equals --replay WORD. -EINVAL (-ENOMEM): the line in
 * *why names the option or file:line, the value, and what was expected. A calibration table is
 * read: its ppm is used unless ppm is given. config_finish accepts a zeroed or failed config.
 *
 * Afterwards, source.realtime is false only if samples are read as fast as the readers accept them,
 * and source.tuning is a copy of settings.tuning.
 */
int config_load(struct config *c, int argc, char **argv, struct reason *why);
void config_finish(struct config *c);
/* Logs settings without effect. Call it after all checks. */
void config_warn(const struct config *c);
/* Whether any of csv, json, measure-json, events, stats and channel has a file. */
bool config_has_output(const struct config *c);
/* For fft_engine_open. The strings belong to the config. */
struct fft_engine_config config_engine(const struct config *c);

/* Whether an option is given, and not as "" or no or 0. */
bool config_given(const struct config *c, const char *key);
/* Options that exclude each other, by their keys, and why; NULL: beyond the last pair. */
struct config_exclusion {
    const char *a, *b, *why;
};
const struct config_exclusion *config_exclusion_at(size_t i);
/* Performs --help, --version, --completion or --print-config. True: one was given, so the program
 * exits. */
bool config_action(const struct config *c, FILE *out);

/* Names of the changed options, separated by ", "; "" if none. */
struct config_changes {
    char applied[512]; /* merged into the settings */
    char restart[512]; /* need a restart: not merged, and named again by the next reload */
    bool measures;     /* measurements were added, changed or removed */
    bool triggers;     /* the same of triggers */
    bool channels;     /* and of named channels */
};

/*
 * For SIGHUP: reads the file again, with the same command line. Merges changed live options into
 * `now` and into *settings, which may contain changes by browsers; the caller passes *settings to
 * acquisition_apply. No string of `now` moves, except those of measurements, triggers, channels,
 * calibration, spurs and the band plan, and source.tuning keeps its first values. `check` (NULL:
 * none) may refuse the new configuration. On an error nothing changes.
 */
typedef int config_check_function(struct config *fresh, struct reason *why);
int config_reload(struct config *now, struct settings *settings, struct config_changes *changes,
                  config_check_function *check, struct reason *why);

/* The folder of state-dir, or the service's; NULL: none. systemd may name several, separated by
 * colons. */
const char *config_state_dir(const struct config *c);

#endif
