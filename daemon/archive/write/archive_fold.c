/* archive_fold.c - reduces lines to columns, and folds rows. */
#include "daemon/archive/write/archive_fold.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/reduce.h"
#include "daemon/stream/ledger.h"

int archive_fold_init(struct archive_fold_row *f, uint32_t columns)
{
    bool all = true;
    *f = (struct archive_fold_row){0};
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++) {
        f->power[d] = malloc(columns * sizeof *f->power[d]);
        all = all && f->power[d];
    }
    return all ? 0 : -ENOMEM;
}

void archive_fold_finish(struct archive_fold_row *f)
{
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++)
        free(f->power[d]);
    *f = (struct archive_fold_row){0};
}

/* ---- rows ------------------------------------------------------------------------------- */

bool archive_layout_equal(const struct archive_layout *a, const struct archive_layout *b)
{
    return a->columns == b->columns && a->bins == b->bins && a->detectors == b->detectors &&
           !(fabs(a->low_hz - b->low_hz) > 0) && !(fabs(a->column_hz - b->column_hz) > 0);
}

bool archive_fold_fits(const struct archive_fold_row *f, const struct archive_fold_row *next)
{
    return archive_layout_equal(&f->layout, &next->layout) && strcmp(f->facts, next->facts) == 0;
}

static void add_facts_of_row(struct archive_row *into, const struct archive_row *next)
{
    const int64_t end = archive_row_end_ns(into), next_end = archive_row_end_ns(next);
    into->duration_ns = unix_time_sum(next_end > end ? next_end : end, -into->time_ns);
    into->lines += next->lines;
    into->frames += next->frames;
    into->lost += next->lost;
    into->breaks |= next->breaks;
}

static void add_levels(struct archive_fold_row *f, const struct archive_fold_row *next, float share)
{
    for (uint32_t c = 0; c < next->layout.columns; c++) {
        if (next->layout.detectors & FFT_DETECTOR_MEAN)
            f->power[0][c] += (next->power[0][c] - f->power[0][c]) * share;
        if (next->layout.detectors & FFT_DETECTOR_MAX)
            f->power[1][c] = fmaxf(f->power[1][c], next->power[1][c]);
        if (next->layout.detectors & FFT_DETECTOR_MIN)
            f->power[2][c] = fminf(f->power[2][c], next->power[2][c]);
    }
}

void archive_fold_add(struct archive_fold_row *f, const struct archive_fold_row *next)
{
    if (f->row.lines == 0) {
        f->layout = next->layout;
        f->row = next->row;
        memcpy(f->facts, next->facts, sizeof f->facts);
        for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++)
            if (next->layout.detectors & 1U << d)
                memcpy(f->power[d], next->power[d], next->layout.columns * sizeof *f->power[d]);
        return;
    }
    add_facts_of_row(&f->row, &next->row);
    add_levels(f, next, (float)((double)next->row.frames / (double)f->row.frames));
}

/* ---- lines ------------------------------------------------------------------------------ */

static void reduce_line(struct archive_fold_row *f, const struct line *line)
{
    const uint32_t bins = f->layout.bins;
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++) {
        if (!(f->layout.detectors & 1U << d))
            continue;
        for (uint32_t c = 0; c < f->layout.columns; c++) {
            const uint32_t from = c * bins;
            const uint32_t count = line->n - from < bins ? line->n - from : bins;
            f->power[d][c] = archive_reduce(d, line->detector[d] + from, count);
        }
    }
}

static void take_row(struct archive_fold_row *f, struct archive_fold_state *state,
                     const struct line *line, bool missed)
{
    const double rate_hz = line_sample_rate_hz(line);
    f->row = (struct archive_row){.time_ns = line->time_ns,
                                  .first_line = line->number,
                                  .first_sample = line->first_sample,
                                  .lines = 1,
                                  .epoch = line->epoch,
                                  .frames = line->frames ? line->frames : 1};
    if (rate_hz > 0)
        f->row.duration_ns = unix_time_after(0, (double)line->sample_count / rate_hz);
    if (state->known)
        f->row.lost = ledger_faults(&line->ledger) - ledger_faults(&state->ledger);
    f->row.breaks = (f->row.lost > 0 ? ARCHIVE_LOSS : 0U) | (line->gap_before ? ARCHIVE_GAP : 0U) |
                    (missed ? ARCHIVE_MISSED : 0U);
    state->ledger = line->ledger;
    state->known = true;
}

bool archive_fold_take_line(struct archive_fold_row *f, struct archive_fold_state *state,
                            const struct line *line, struct calibration_table *table,
                            uint32_t columns_max, bool missed)
{
    const double bin_hz = line_bin_hz(line);
    const uint32_t bins = (line->n + columns_max - 1) / columns_max;
    f->layout =
        (struct archive_layout){.low_hz = line_low_hz(line) - bin_hz / 2,
                                .column_hz = bin_hz * bins,
                                .columns = (line->n + bins - 1) / bins,
                                .bins = bins,
                                .detectors = line->detectors & ((1U << ARCHIVE_DETECTORS) - 1)};
    take_row(f, state, line, missed);
    if (f->layout.detectors == 0 || !(bin_hz > 0))
        return false;
    snprintf(f->facts, sizeof f->facts, "%s", facts_of(&state->facts, line, table));
    reduce_line(f, line);
    return true;
}
