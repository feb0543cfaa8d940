/* calibrate_run.c - measures a known tone, and writes its offset and its ppm into the table. */
#include "daemon/run/calibrate_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"
#include "daemon/calibration/calibration_file.h"
#include "daemon/calibration/tone_search.h"
#include "daemon/format/calibration.h"
#include "daemon/run/line_run.h"
#include "daemon/status/calibration_status.h"

struct run {
    struct config config;
    struct line_run run;
    struct tone_search measured;
};

/* ---- the run ---------------------------------------------------------------------------- */

static void change_config(struct config *c)
{
    c->settings.window = (struct fft_window){.kind = FFT_WINDOW_FLATTOP};
    c->output.detector_index = 0;
    c->measure_detectors = c->measure_bin_bytes = c->measure_percentiles = 0;
    c->trigger_detectors = 0;
    c->trigger_density = false;
}

static int add_line(void *user, const struct line *line, struct reason *why)
{
    return tone_search_add(user, line, why);
}

/* ---- the row ---------------------------------------------------------------------------- */

static int check_level(const struct run *r, struct reason *why)
{
    const struct line *line = &r->measured.newest;
    const struct ledger *ledger = &r->run.status.dsp.ledger;
    if (ledger->clipped || ledger->beyond)
        return reason_set(why, -ERANGE,
                          "%llu samples are at full scale: lower the gain or the level",
                          (unsigned long long)ledger->clipped + (unsigned long long)ledger->beyond);
    if (r->run.status.radio && isnan(line->gain_db) && strcmp(line->tuning.gain, "auto") == 0)
        return reason_set(why, -EINVAL, "the gain is automatic, and has no offset: give --gain");
    return 0;
}

/* The rows of a table are of one radio. */
static int check_table(const struct run *r, struct reason *why)
{
    const char *file = r->config.calibration.file, *serial = r->run.status.stream.serial;
    struct calibration table;
    int err = calibration_file_read(&table, file, why);
    if (err == -ENOENT) {
        *why = (struct reason){0};
        return 0;
    }
    if (err < 0)
        return err;
    if (!calibration_is_for(&table, serial))
        err = reason_set(why, -EINVAL,
                         "%s is for serial %s, the radio has %s: give it a table of its own", file,
                         table.serial, serial);
    calibration_finish(&table);
    return err;
}

/*
 * The correction at which the tone would read at_hz. What the receiver's oscillator really has is
 * the centre less the error of the reading, and that is (1 + ppm 1e-6) times its nominal frequency,
 * of which today's correction is a part. Only a radio applies one.
 */
static double ppm_of(const struct run *r, const struct found_tone *tone)
{
    const struct tuning *tuning = &r->measured.newest.tuning;
    const char *source = r->run.status.source;
    const bool radio = strcmp(source, "file") != 0 && strcmp(source, "sim") != 0;
    const double today = radio ? tuning->ppm : 0;
    const double error = (r->config.calibration.at_hz - tone->hz) / tuning->center_hz;
    return ((1 + today * 1e-6) * (1 + error) - 1) * 1e6;
}

static int check_ppm(double ppm, struct reason *why)
{
    if (fabs(ppm) <= 1000)
        return 0;
    return reason_set(why, -ERANGE,
                      "the tone is %.0f ppm off: this is another tone, or not its frequency", ppm);
}

static int write_entry(const struct calibration_options *o, const struct calibration_entry *entry,
                       struct reason *why)
{
    int err = 0;
    struct text lines = {0};
    if (o->ppm)
        err = check_ppm(entry->ppm, why);
    if (err == 0 && isfinite(o->level_dbm)) {
        err = calibration_file_set_row(o->file, entry, why);
        calibration_add_row(&lines, entry);
        text_add(&lines, "\n");
    }
    if (err == 0 && o->ppm) {
        err = calibration_file_set_ppm(o->file, entry, why);
        calibration_add_ppm(&lines, entry);
        text_add(&lines, "\n");
    }
    if (err == 0 &&
        (lines.failed || printf("%.*s", (int)lines.length, lines.data) < 0 || fflush(stdout) != 0))
        err = -EIO;
    text_finish(&lines);
    return err;
}

static int write_table(const struct run *r, const struct found_tone *tone, struct reason *why)
{
    const struct calibration_options *o = &r->config.calibration;
    const struct line *line = &r->measured.newest;
    char date[UNIX_TIME_TEXT], serial[64];
    snprintf(date, sizeof date, "%.10s",
             unix_time_text(clock_unix_ns(), "%Y-%m-%d", (char[UNIX_TIME_TEXT]){""}));
    status_radio_name(&r->run.status, serial, sizeof serial);
    const struct calibration_entry entry = {.hz = o->at_hz,
                                            .offset_db = o->level_dbm - tone->level_dbfs,
                                            .ppm = ppm_of(r, tone),
                                            .gain = {.gain_db = line->gain_db,
                                                     .gain = line->tuning.gain,
                                                     .antenna = line->tuning.antenna},
                                            .serial = serial,
                                            .date = date,
                                            .name = o->file};
    const int err = write_entry(o, &entry, why);
    if (err == 0)
        log_info("tone at %.1f Hz: %.3f dBFS, noise %.1f dBFS in a bin; written into %s", tone->hz,
                 tone->level_dbfs, tone->noise_dbfs, o->file);
    return err;
}

int calibrate(const struct config *config)
{
    struct run r = {.config = *config};
    struct found_tone tone;
    struct reason why = {0};
    change_config(&r.config);
    int err = line_run(&r.run, &r.config, add_line, &r.measured, &why);
    if (err == 0 && isfinite(config->calibration.level_dbm))
        err = check_level(&r, &why);
    if (err == 0)
        err = check_table(&r, &why);
    if (err == 0)
        err = tone_search_find(&r.measured, config->calibration.at_hz, &tone, &why);
    if (err == 0)
        err = write_table(&r, &tone, &why);
    if (err < 0)
        log_error("calibrate: %s", why.sentence[0] ? why.sentence : strerror(-err));
    const int status = err < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
    line_run_finish(&r.run, status);
    tone_search_finish(&r.measured);
    return status;
}
