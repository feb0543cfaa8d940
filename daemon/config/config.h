/*
 * config.h - every setting of the daemon. One table (options.c) drives the command line, the file,
 * the checks, --help, the man pages and config/fftd.conf.
 */
#ifndef FFTD_DAEMON_CONFIG_CONFIG_H
#define FFTD_DAEMON_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdio.h>

#include "daemon/source/source.h"
#include "daemon/stream/settings.h"

struct engine_options {
    const char *name;    /* "auto", "cpu", ... */
    uint32_t threads;    /* 0: one a core */
    const char *isa;     /* "auto", or a forced instruction set (tests) */
    const char *options; /* of the opencl engine; "": none */
};

struct server_options {
    /* derived: false for "none", and without --listen for a plain --replay or a fast simulation */
    bool enabled;
    const char *listen; /* "127.0.0.1:8010", "[::1]:8010", "unix:/run/fftd/http.sock", "systemd" */
    const char *token;  /* NULL: none */
    const char *token_file;   /* read at start; beats token */
    const char *web_root;     /* NULL: the embedded page */
    const char *allow_origin; /* further origins, comma separated; NULL: same origin only */
    const char *allow_host;   /* further Host names, comma separated */
    uint32_t max_clients;     /* websocket clients */
    uint32_t max_views;       /* distinct views */
    uint32_t ping_s;          /* silence before a client is asked whether it lives; 0: 20 */
    uint32_t handshake_s;     /* patience with a request that does not come; 0: 5 */
};

struct output_options {
    const char *csv, *json, *stats; /* file, "-" or NULL */
    unsigned trace_index;           /* --trace: 0 mean, 1 max, 2 min, 3 sample */
    uint64_t lines;                 /* stop after so many; 0: no limit */
    double duration_s;              /* of samples, stop after; 0: no limit */
};

struct config {
    struct source_config source;
    struct settings settings;
    struct engine_options engine;
    uint64_t ring_bytes; /* 0: automatic */
    bool fast;           /* as given; source.realtime is what counts */
    struct server_options server;
    struct output_options output;
    bool list_devices, list_engines, print_config, check_config, help, version; /* actions */
    const char *file;                                                           /* -c; NULL: none */
    struct config_text *text; /* owns the strings */
};

/*
 * Defaults, then the file (-c), then the command line, where the last of equal options wins and
 * -o SECTION.KEY=VALUE is the same as --KEY VALUE; then the rules between options (rules.c).
 * There is no file unless -c names one. 0, or -EINVAL (-ENOMEM) with one line in error naming the
 * option or file:line, the value and what was expected. Warnings go to the log. config_finish may
 * be called on a zeroed or failed config.
 *
 * After it source.realtime is false only where the source is read as fast as every reader accepts,
 * and source.tuning is a copy of wanted.tuning.
 */
int config_load(struct config *c, int argc, char **argv, char *error, size_t error_size);
void config_finish(struct config *c);

/*
 * --help, --version, --check-config ("ok") and --print-config: true when one of them was asked for
 * and is done, so that the program exits with 0. --list-devices and --list-engines are main's.
 */
bool config_action(const struct config *c, FILE *out);

/* Names of the changed options, separated by ", "; "" if none. */
struct config_changes {
    char applied[512]; /* merged into the wanted state */
    char restart[512]; /* need a restart: not merged, and named again next time */
};

/*
 * SIGHUP: reads the file again, under the same command line. Options that can change while running
 * are merged into `now` and, each that differs from `now`, into *settings (which may hold what
 * browsers changed meanwhile); the caller hands *settings to acquisition_apply. No string of `now`
 * moves. On an error (one line) nothing was changed. source.tuning keeps the values of the start.
 */
int config_reload(struct config *now, struct settings *settings, struct config_changes *changes,
                  char *error, size_t error_size);

#endif
