/* calibration_status.c - copies the header of the table in force, and looks up the centre. */
#include "daemon/status/calibration_status.h"

#include <math.h>
#include <string.h>

void calibration_status_fill(struct status *out, struct calibrator *calibrator, const char *file)
{
    struct calibration_table *table = calibrator_hold(calibrator);
    struct calibration_status *c = &out->calibration;
    *c = (struct calibration_status){.uncertainty_db = NAN, .offset_db = NAN};
    if (!table)
        return;
    const struct stream *stream = &out->stream;
    const struct calibration_radio radio = {.table = table,
                                            .tuning = stream->tuning,
                                            .gain_db = stream->gain_db,
                                            .rate_assumed = stream->rate_assumed};
    c->file = file;
    memcpy(c->serial, table->calibration.serial, sizeof c->serial);
    memcpy(c->date, table->calibration.date, sizeof c->date);
    c->uncertainty_db = table->calibration.uncertainty_db;
    if (out->dsp.n > 0)
        c->offset_db = calibration_radio_offset_db(&radio, stream->tuning.center_hz);
    calibration_table_drop(table);
}
