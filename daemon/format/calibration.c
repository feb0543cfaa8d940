/* calibration.c - looks up offsets in a calibration table. */
#include "daemon/format/calibration.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/si.h"

/* What drivers report differs from what was set by their steps of rounding. */
static const double same_gain_db = 0.05;
static const double reach_fraction = 0.05, least_reach_hz = 1e6;

void calibration_finish(struct calibration *c)
{
    free(c->row);
    *c = (struct calibration){0};
}

bool calibration_is_for(const struct calibration *c, const char *serial)
{
    return !c->serial[0] || !serial[0] || strcmp(c->serial, serial) == 0;
}

/* ---- gain and antenna ------------------------------------------------------------------- */

/* Without blanks. "" if it does not fit: that is no elements. */
static const char *without_blanks(const char *text, char into[96])
{
    size_t length = 0;
    for (; *text && length < 96; text++)
        if (!isspace((unsigned char)*text))
            into[length++] = *text;
    into[length < 96 ? length : 0] = '\0';
    return into;
}

static double total_db(const struct calibration_gain *gain)
{
    double db;
    return si_parse_unit(gain->gain, SI_DB, &db) == 0 ? db : gain->gain_db;
}

const char *calibration_gain_text(const struct calibration_gain *gain, char into[96])
{
    if (strchr(gain->gain, '='))
        return without_blanks(gain->gain, into);
    const double db = total_db(gain);
    if (isfinite(db))
        snprintf(into, 96, "%g", db);
    else
        snprintf(into, 96, "-");
    return into;
}

/*
 * -1: another gain or antenna; else the larger the more of them the row names, and the nearer its
 * gain is.
 */
static double rank_of(const struct calibration_row *row, const struct calibration_gain *gain)
{
    char elements[96];
    double rank = 0;
    if (row->gain[0]) {
        if (strcmp(row->gain, without_blanks(gain->gain, elements)) != 0)
            return -1;
        rank = 4;
    } else if (!isnan(row->gain_db)) {
        const double distance_db = fabs(row->gain_db - total_db(gain));
        if (!(distance_db <= same_gain_db))
            return -1;
        rank = 2 - distance_db;
    }
    if (row->antenna[0] && strcmp(row->antenna, gain->antenna) != 0)
        return -1;
    return row->antenna[0] ? rank + 1 : rank;
}

/* ---- frequency -------------------------------------------------------------------------- */

static bool reaches(const struct calibration_row *end, double hz)
{
    return fabs(hz - end->hz) <= fmax(reach_fraction * end->hz, least_reach_hz);
}

/* Of a group's rows first[count]. */
static double interpolate(const struct calibration_row *first, size_t count, double hz)
{
    const struct calibration_row *last = first + count - 1;
    if (hz <= first->hz)
        return reaches(first, hz) ? first->offset_db : NAN;
    if (hz >= last->hz)
        return reaches(last, hz) ? last->offset_db : NAN;
    size_t low = 0, high = count - 1;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(first[middle].hz <= hz ? &low : &high) = middle;
    }
    const struct calibration_row *a = &first[low], *b = &first[high];
    return a->offset_db + (b->offset_db - a->offset_db) * (hz - a->hz) / (b->hz - a->hz);
}

double calibration_offset_db(const struct calibration *c, double hz,
                             const struct calibration_gain *gain)
{
    double best = NAN, best_rank = -1;
    if (!isfinite(hz))
        return NAN;
    for (size_t i = 0; i < c->count; i = c->row[i].group_end) {
        const double rank = rank_of(&c->row[i], gain);
        const double offset_db =
            rank > best_rank ? interpolate(&c->row[i], c->row[i].group_end - i, hz) : (double)NAN;
        if (isnan(offset_db))
            continue;
        best = offset_db;
        best_rank = rank;
    }
    return best;
}
