/* active_calibration.c - shares a calibration table between threads. */
#include "daemon/calibration/active_calibration.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/json.h"
#include "daemon/calibration/calibration_file.h"

struct active_calibration {
    uv_mutex_t lock;
    /* under lock */
    struct calibration_table *table;
    enum level_unit unit;
    uint32_t curves; /* how many there were */
};

/* ---- references ---------------------------------------------------------------------- */

struct calibration_table *calibration_table_ref(struct calibration_table *t)
{
    if (t)
        atomic_fetch_add(&t->refs, 1);
    return t;
}

void calibration_table_unref(struct calibration_table *t)
{
    if (!t || atomic_fetch_sub(&t->refs, 1) != 1)
        return;
    calibration_finish(&t->calibration);
    free(t->curve);
    free(t);
}

struct calibration_table *active_calibration_ref(struct active_calibration *c)
{
    if (!c)
        return NULL;
    uv_mutex_lock(&c->lock);
    struct calibration_table *t = calibration_table_ref(c->table);
    uv_mutex_unlock(&c->lock);
    return t;
}

/* ---- the table in force ----------------------------------------------------------------- */

int active_calibration_create(struct active_calibration **out)
{
    struct active_calibration *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c || uv_mutex_init(&c->lock) < 0) {
        free(c);
        return -ENOMEM;
    }
    *out = c;
    return 0;
}

void active_calibration_destroy(struct active_calibration *c)
{
    if (!c)
        return;
    calibration_table_unref(c->table);
    uv_mutex_destroy(&c->lock);
    free(c);
}

static struct calibration_table *create_table(enum level_unit unit)
{
    struct calibration_table *t = calloc(1, sizeof *t);
    if (t) {
        atomic_init(&t->refs, 1);
        t->unit = unit;
    }
    return t;
}

/* The curves of a replay stay. NULL: no memory, or the table has none. */
static struct calibration_curve *copy_curves(const struct calibration_table *t)
{
    struct calibration_curve *copy =
        t && t->curve ? calloc(CALIBRATION_CURVES, sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, t->curve, CALIBRATION_CURVES * sizeof *copy);
    return copy;
}

int active_calibration_load(struct active_calibration *c, const char *path, enum level_unit unit,
                            struct reason *why)
{
    struct calibration_table *fresh = NULL;
    if (path) {
        fresh = create_table(unit);
        if (!fresh)
            return -ENOMEM;
        const int err = calibration_file_read(&fresh->calibration, path, why);
        if (err < 0) {
            free(fresh);
            return err;
        }
    }
    uv_mutex_lock(&c->lock);
    struct calibration_table *old = c->table;
    if (!fresh && old && old->curve)
        fresh = create_table(unit);
    if (fresh && old) {
        fresh->curve = copy_curves(old);
        fresh->newest = old->newest;
    }
    c->unit = unit;
    c->table = fresh;
    uv_mutex_unlock(&c->lock);
    calibration_table_unref(old);
    return 0;
}

/* ---- the curves of a replay ------------------------------------------------------------- */

static const struct calibration_curve *find_curve(const struct calibration_table *t,
                                                  uint32_t number)
{
    const struct calibration_curve *curve =
        t && t->curve ? &t->curve[number % CALIBRATION_CURVES] : NULL;
    return number > 0 && curve && curve->number == number ? curve : NULL;
}

static int copy_calibration(struct calibration *out, const struct calibration *from)
{
    *out = *from;
    out->row = from->count > 0 ? calloc(from->count, sizeof *out->row) : NULL;
    if (from->count > 0 && !out->row)
        return -ENOMEM;
    if (from->count > 0)
        memcpy(out->row, from->row, from->count * sizeof *out->row);
    return 0;
}

/* The table in force with one curve more. NULL: no memory. */
static struct calibration_table *add_curve(const struct active_calibration *c, uint32_t number,
                                           const struct calibration_point *points, size_t count)
{
    struct calibration_table *t = create_table(c->unit);
    if (!t)
        return NULL;
    const int err = c->table ? copy_calibration(&t->calibration, &c->table->calibration) : 0;
    t->curve = copy_curves(c->table);
    if (!t->curve)
        t->curve = calloc(CALIBRATION_CURVES, sizeof *t->curve);
    if (err < 0 || !t->curve) {
        calibration_table_unref(t);
        return NULL;
    }
    struct calibration_curve *curve = &t->curve[number % CALIBRATION_CURVES];
    t->newest = number;
    if (number > 0) {
        *curve = (struct calibration_curve){.number = number, .count = count};
        memcpy(curve->point, points, count * sizeof *points);
    }
    return t;
}

/* Lines of the same tuning and settings have the same bytes. */
static bool is_newest(const struct calibration_table *t, const struct calibration_point *points,
                      size_t count)
{
    const struct calibration_curve *curve = find_curve(t, t ? t->newest : 0);
    if (count == 0)
        return !t || t->newest == 0;
    return curve && curve->count == count &&
           memcmp(curve->point, points, count * sizeof *points) == 0;
}

uint32_t active_calibration_set_curve(struct active_calibration *c,
                                      const struct calibration_point *points, size_t count)
{
    struct calibration_table *old = NULL;
    uv_mutex_lock(&c->lock);
    if (!is_newest(c->table, points, count)) {
        struct calibration_table *fresh =
            add_curve(c, count > 0 ? c->curves + 1 : 0, points, count);
        if (fresh) {
            c->curves += count > 0;
            old = c->table;
            c->table = fresh;
        }
    }
    const uint32_t number = is_newest(c->table, points, count) && c->table ? c->table->newest : 0;
    uv_mutex_unlock(&c->lock);
    calibration_table_unref(old);
    return number;
}

/* ---- offsets ---------------------------------------------------------------------------- */

struct calibration_radio calibration_radio_of(struct calibration_table *t, const struct line *line)
{
    struct calibration_radio radio = {.table = t,
                                      .curve = line->calibration,
                                      .tuning = line->tuning,
                                      .gain_db = line->gain_db,
                                      .rate_assumed = line->rate_assumed};
    memcpy(radio.serial, line->serial, sizeof radio.serial);
    return radio;
}

struct calibration_radio calibration_radio_of_stream(struct calibration_table *t,
                                                     const struct stream *s)
{
    struct calibration_radio radio = {.table = t,
                                      .curve = t ? t->newest : 0,
                                      .tuning = s->tuning,
                                      .gain_db = s->gain_db,
                                      .rate_assumed = s->rate_assumed};
    memcpy(radio.serial, s->serial, sizeof radio.serial);
    return radio;
}

/* NAN outside of the curve, or if one of the points beside it is uncal. */
static double interpolate(const struct calibration_curve *curve, double hz)
{
    for (size_t i = 0; curve && i + 1 < curve->count; i++) {
        const struct calibration_point *a = &curve->point[i], *b = &curve->point[i + 1];
        if (hz >= a->hz && hz <= b->hz)
            return a->offset_db + (b->offset_db - a->offset_db) * (hz - a->hz) / (b->hz - a->hz);
    }
    return NAN;
}

double calibration_radio_offset_db(const struct calibration_radio *radio, double hz)
{
    if (radio->curve > 0 && !radio->rate_assumed)
        return interpolate(find_curve(radio->table, radio->curve), hz);
    const struct calibration_gain gain = {
        .gain_db = radio->gain_db, .gain = radio->tuning.gain, .antenna = radio->tuning.antenna};
    if (!radio->table || radio->rate_assumed ||
        !calibration_is_for(&radio->table->calibration, radio->serial))
        return NAN;
    return calibration_offset_db(&radio->table->calibration, hz, &gain);
}

static int compare_hz(const void *a, const void *b)
{
    const double x = ((const struct calibration_point *)a)->hz;
    const double y = ((const struct calibration_point *)b)->hz;
    return (x > y) - (x < y);
}

/* The frequencies of the table within the edges, each once, and the edges. 0: too many. */
static size_t find_knots(const struct calibration_radio *radio, double low_hz, double high_hz,
                         struct calibration_point points[CALIBRATION_POINTS])
{
    const struct calibration_curve *curve = find_curve(radio->table, radio->curve);
    const struct calibration *c = &radio->table->calibration;
    const size_t knots = curve ? curve->count : c->count;
    size_t count = 0;
    points[count++].hz = low_hz;
    for (size_t i = 0; i < knots; i++) {
        const double hz = curve ? curve->point[i].hz : c->row[i].hz;
        size_t same = 0;
        while (same < count && hz - points[same].hz != 0)
            same++;
        if (same < count || hz <= low_hz || hz >= high_hz)
            continue;
        if (count == CALIBRATION_POINTS - 1)
            return 0;
        points[count++].hz = hz;
    }
    points[count++].hz = high_hz;
    qsort(points, count, sizeof points[0], compare_hz);
    return count;
}

size_t calibration_radio_curve(const struct calibration_radio *radio, double low_hz, double high_hz,
                               struct calibration_point points[CALIBRATION_POINTS])
{
    if (!radio->table || !(low_hz < high_hz))
        return 0;
    size_t count = find_knots(radio, low_hz, high_hz, points);
    for (size_t i = 0; count == 0 && i < CALIBRATION_POINTS; i++)
        points[i].hz = low_hz + (high_hz - low_hz) * (double)i / (CALIBRATION_POINTS - 1);
    if (count == 0)
        count = CALIBRATION_POINTS;
    for (size_t i = 0; i < count; i++)
        points[i].offset_db = calibration_radio_offset_db(radio, points[i].hz);
    return count;
}

json_t *calibration_curve_to_json(const struct calibration_point *points, size_t count)
{
    json_t *curve = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(curve, json_pack("[o o]", number_to_json(points[i].hz),
                                               number_to_json(points[i].offset_db)));
    return curve;
}

/* 0 dBm in 50 ohm are 107 dB over 1 uV: 10 log10(1 mW * 50 ohm / (1 uV)^2). */
static const double dbuv_of_0_dbm = 106.98970004336019;

double calibration_radio_shift_db(const struct calibration_radio *radio, double hz)
{
    if (!radio->table || radio->table->unit == LEVEL_DBFS)
        return NAN;
    const double offset_db = calibration_radio_offset_db(radio, hz);
    return radio->table->unit == LEVEL_DBUV ? offset_db + dbuv_of_0_dbm : offset_db;
}
