/* calibration_status.c - copies the header of the table in force, and looks up the centre. */
#include "daemon/status/calibration_status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/format/calibration.h"

static void explain_uncal(struct calibration_status *c, const struct stream *stream)
{
    if (c->other_radio)
        snprintf(c->uncal, sizeof c->uncal, "the table is for serial %s, the radio has %s",
                 c->serial, stream->serial);
    else if (stream->rate_assumed)
        snprintf(c->uncal, sizeof c->uncal, "the rate of the recording is not known");
    else
        snprintf(c->uncal, sizeof c->uncal, "no row applies to this frequency, gain and antenna");
}

static void fill_curve(struct calibration_status *c, const struct status *s,
                       const struct calibration_radio *radio)
{
    const struct sweep_status *w = &s->dsp.sweep;
    const struct tuning *t = &s->stream.tuning;
    const double low_hz = w->dwells ? w->low_hz : t->center_hz - t->rate_hz / 2;
    const double width_hz = w->dwells ? (double)w->bins * w->bin_hz : t->rate_hz;
    c->points = calibration_radio_curve(radio, low_hz, low_hz + width_hz, c->curve);
}

void calibration_status_fill(struct status *out, struct active_calibration *active_calibration,
                             const char *file)
{
    struct calibration_table *table = active_calibration_ref(active_calibration);
    struct calibration_status *c = &out->calibration;
    *c = (struct calibration_status){.uncertainty_db = NAN, .offset_db = NAN};
    if (!table)
        return;
    const struct stream *stream = &out->stream;
    const struct calibration_radio radio = calibration_radio_of_stream(table, stream);
    c->file = table->newest > 0 ? "archive" : file;
    memcpy(c->serial, table->calibration.serial, sizeof c->serial);
    memcpy(c->date, table->calibration.date, sizeof c->date);
    c->uncertainty_db = table->calibration.uncertainty_db;
    c->other_radio = !calibration_is_for(&table->calibration, stream->serial);
    if (out->dsp.n > 0) {
        c->offset_db = calibration_radio_offset_db(&radio, stream->tuning.center_hz);
        fill_curve(c, out, &radio);
    }
    if (out->dsp.n > 0 && isnan(c->offset_db))
        explain_uncal(c, stream);
    calibration_table_unref(table);
}

void calibration_status_warn(struct status *status, struct active_calibration *active_calibration,
                             const char *file, bool at_end, bool *warned)
{
    const struct calibration_status *c = &status->calibration;
    if (*warned || !file)
        return;
    calibration_status_fill(status, active_calibration, file);
    if (!c->uncal[0] || !(at_end || c->other_radio))
        return;
    log_warn("%s: uncal: %s: levels stay in dBFS", file, c->uncal);
    *warned = true;
}

void status_radio_name(const struct status *status, char *into, size_t size)
{
    const struct stream *stream = &status->stream;
    const char *about = strcmp(status->source, "file") == 0 ? "" : stream->about;
    snprintf(into, size, "%.*s", (int)size - 1, stream->serial[0] ? stream->serial : about);
    for (char *at = into; *at; at++)
        if ((unsigned char)*at < ' ' || *at == '#' || *at == '"')
            *at = ' ';
}
