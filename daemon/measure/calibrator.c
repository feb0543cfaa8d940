/* calibrator.c - shares a calibration table between threads. */
#include "daemon/measure/calibrator.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <uv.h>

#include "daemon/config/calibration_file.h"

struct calibrator {
    uv_mutex_t lock;
    struct calibration_table *table; /* under lock */
};

/* ---- holders ---------------------------------------------------------------------------- */

struct calibration_table *calibration_table_hold(struct calibration_table *t)
{
    if (t)
        atomic_fetch_add(&t->holders, 1);
    return t;
}

void calibration_table_drop(struct calibration_table *t)
{
    if (!t || atomic_fetch_sub(&t->holders, 1) != 1)
        return;
    calibration_finish(&t->calibration);
    free(t);
}

struct calibration_table *calibrator_hold(struct calibrator *c)
{
    if (!c)
        return NULL;
    uv_mutex_lock(&c->lock);
    struct calibration_table *t = calibration_table_hold(c->table);
    uv_mutex_unlock(&c->lock);
    return t;
}

/* ---- the table in force ----------------------------------------------------------------- */

int calibrator_create(struct calibrator **out)
{
    struct calibrator *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c || uv_mutex_init(&c->lock) < 0) {
        free(c);
        return -ENOMEM;
    }
    *out = c;
    return 0;
}

void calibrator_destroy(struct calibrator *c)
{
    if (!c)
        return;
    calibration_table_drop(c->table);
    uv_mutex_destroy(&c->lock);
    free(c);
}

int calibrator_load(struct calibrator *c, const char *path, char *error, size_t error_size)
{
    struct calibration_table *fresh = NULL;
    if (path) {
        fresh = calloc(1, sizeof *fresh);
        if (!fresh)
            return -ENOMEM;
        atomic_init(&fresh->holders, 1);
        const int err = calibration_file_read(&fresh->calibration, path, error, error_size);
        if (err < 0) {
            free(fresh);
            return err;
        }
    }
    uv_mutex_lock(&c->lock);
    struct calibration_table *old = c->table;
    c->table = fresh;
    uv_mutex_unlock(&c->lock);
    calibration_table_drop(old);
    return 0;
}

/* ---- offsets ---------------------------------------------------------------------------- */

struct calibration_radio calibration_radio_of(struct calibration_table *t, const struct line *line)
{
    return (struct calibration_radio){.table = t,
                                      .tuning = line->tuning,
                                      .gain_db = line->gain_db,
                                      .rate_assumed = line->rate_assumed};
}

double calibration_radio_offset_db(const struct calibration_radio *radio, double hz)
{
    const struct calibration_gain gain = {
        .gain_db = radio->gain_db, .gain = radio->tuning.gain, .antenna = radio->tuning.antenna};
    if (!radio->table || radio->rate_assumed)
        return NAN;
    return calibration_offset_db(&radio->table->calibration, hz, &gain);
}
