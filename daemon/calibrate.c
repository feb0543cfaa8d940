/* calibrate.c - measures a tone of known level, and writes the offset into the table. */
#include "daemon/calibrate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/acquisition.h"
#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"
#include "daemon/config/calibration_file.h"
#include "daemon/measure/calibrating.h"

struct run {
    struct config config;
    struct line_ring *lines;
    struct acquisition *acquisition;
    struct calibrating measured;
    struct status status;       /* at the end */
    enum acquisition_rest rest; /* threads that still run after it */
};

/* ---- the run ---------------------------------------------------------------------------- */

static void change_config(struct config *c)
{
    c->settings.window = (struct fft_window){.kind = FFT_WINDOW_FLATTOP};
    c->output.detector_index = 0;
    c->measure_detectors = 0;
}

/* Until the last line. The supervisor is asked now and then, as by the loop of app.c. */
static int read_lines(struct run *r, struct line_reader *reader, char *error, size_t error_size)
{
    bool closed = false;
    int err = 0;
    while (err == 0 && !closed) {
        struct line *line = line_reader_next(reader, 100, &closed);
        if (line)
            err = calibrating_add(&r->measured, line, error, error_size);
        line_drop(r->lines, line);
        acquisition_tick(r->acquisition);
        acquisition_status(r->acquisition, &r->status);
        if (r->status.state == SOURCE_FAILED)
            err = reason_set(error, error_size, -EIO, "%s", r->status.message);
    }
    return err;
}

static int measure(struct run *r, char *error, size_t error_size)
{
    struct line_reader reader;
    int err = line_ring_create(&r->lines, NULL, NULL);
    if (err < 0)
        return err;
    line_reader_join(&reader, r->lines, acquisition_lossless(&r->config));
    err = acquisition_start(&r->acquisition, &r->config, r->lines, NULL, error, error_size);
    if (err == 0) {
        err = read_lines(r, &reader, error, error_size);
        acquisition_status(r->acquisition, &r->status);
    }
    line_reader_leave(&reader); /* the dsp thread may wait for it */
    if (r->acquisition)
        r->rest = acquisition_stop(r->acquisition);
    return err;
}

/* ---- the row ---------------------------------------------------------------------------- */

static int check_level(const struct run *r, char *error, size_t error_size)
{
    const struct line *line = &r->measured.newest;
    const struct ledger *ledger = &r->status.dsp.ledger;
    if (ledger->clipped || ledger->beyond)
        return reason_set(error, error_size, -ERANGE,
                          "%llu samples are at full scale: lower the gain or the level",
                          (unsigned long long)ledger->clipped + (unsigned long long)ledger->beyond);
    if (r->status.radio && isnan(line->gain_db) && strcmp(line->tuning.gain, "auto") == 0)
        return reason_set(error, error_size, -EINVAL,
                          "the gain is automatic, and has no offset: give --gain");
    return 0;
}

/* A comment or a line's end would end the serial number. */
static void copy_serial(char *into, size_t size, const char *about)
{
    snprintf(into, size, "%.*s", (int)size - 1, about);
    for (char *at = into; *at; at++)
        if ((unsigned char)*at < ' ' || *at == '#' || *at == '"')
            *at = ' ';
}

static int write_row(const struct run *r, const struct calibrating_tone *tone, char *error,
                     size_t error_size)
{
    const struct calibration_options *o = &r->config.calibration;
    const struct line *line = &r->measured.newest;
    char date[UNIX_TIME_TEXT], serial[48];
    struct text row = {0};
    snprintf(date, sizeof date, "%.10s",
             unix_time_text(clock_unix_ns(), "%Y-%m-%d", (char[UNIX_TIME_TEXT]){""}));
    copy_serial(serial, sizeof serial, r->status.stream.about);
    const struct calibration_entry entry = {.hz = o->at_hz,
                                            .offset_db = o->level_dbm - tone->level_dbfs,
                                            .gain = {.gain_db = line->gain_db,
                                                     .gain = line->tuning.gain,
                                                     .antenna = line->tuning.antenna},
                                            .serial = serial,
                                            .date = date,
                                            .name = o->file};
    int err = calibration_file_set_row(o->file, &entry, error, error_size);
    if (err < 0)
        return err;
    calibration_add_row(&row, &entry);
    log_info("tone at %.0f Hz: %.3f dBFS, noise %.1f dBFS in a bin; %s has the row", tone->hz,
             tone->level_dbfs, tone->noise_dbfs, o->file);
    if (row.failed || printf("%.*s\n", (int)row.length, row.data) < 0 || fflush(stdout) != 0)
        err = -errno;
    text_finish(&row);
    return err;
}

int calibrate(const struct config *config)
{
    struct run r = {.config = *config};
    struct calibrating_tone tone;
    char error[512] = "";
    change_config(&r.config);
    int err = measure(&r, error, sizeof error);
    if (err == 0)
        err = check_level(&r, error, sizeof error);
    if (err == 0)
        err = calibrating_find(&r.measured, config->calibration.at_hz, &tone, error, sizeof error);
    if (err == 0)
        err = write_row(&r, &tone, error, sizeof error);
    if (err < 0)
        log_error("calibrate: %s", error[0] ? error : strerror(-err));
    const int status = err < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
    if (r.rest != ACQUISITION_ENDED)
        _exit(status); /* a stuck thread uses what would be freed */
    acquisition_destroy(r.acquisition);
    line_ring_destroy(r.lines);
    calibrating_finish(&r.measured);
    return status;
}
