/* history_tier.c - one tier of the history: a ring of rows of any size, and the fold of rows. */
#include "daemon/line/history/history_tier.h"

#include <math.h>
#include <string.h>

#include "daemon/line/history/history_levels.h"
#include "fft/fft.h"

enum { ALIGN = 8 };

static struct record *record_at(const struct tier *t, size_t at)
{
    return (struct record *)(void *)(t->memory + at);
}

/* ---- the ring --------------------------------------------------------------------------- */

static void drop_oldest(struct tier *t)
{
    t->oldest += record_at(t, t->oldest)->size;
    t->count--;
    if (t->wrapped && t->oldest == t->end) {
        t->oldest = 0;
        t->wrapped = false;
    }
    if (t->count == 0) {
        t->oldest = t->next = 0;
        t->wrapped = false;
    }
}

/* Makes `size` bytes free at `next`. */
static void evict_oldest(struct tier *t, size_t size)
{
    for (;;) {
        const size_t border = t->wrapped ? t->oldest : t->capacity;
        if (border - t->next >= size)
            return;
        if (t->wrapped) {
            drop_oldest(t);
        } else {
            t->end = t->next;
            t->next = 0;
            t->wrapped = t->count > 0;
        }
    }
}

static unsigned present_below(unsigned detectors, unsigned detector)
{
    return (unsigned)__builtin_popcount(detectors & ((1U << detector) - 1));
}

const uint8_t *record_levels(const struct record *r, unsigned detector)
{
    return r->levels + (size_t)present_below(r->row.detectors, detector) * r->row.columns;
}

void tier_push(struct tier *t, const struct fold *f)
{
    const size_t levels =
        (size_t)present_below(f->row.detectors, HISTORY_DETECTORS) * f->row.columns;
    const size_t size = (sizeof(struct record) + levels + ALIGN - 1) / ALIGN * ALIGN;
    if (size > t->capacity)
        return;
    evict_oldest(t, size);
    struct record *r = record_at(t, t->next);
    r->size = size;
    r->previous = t->newest;
    r->row = f->row;
    uint8_t *at = r->levels;
    for (unsigned d = 0; d < HISTORY_DETECTORS; d++) {
        if (!(f->row.detectors & 1U << d))
            continue;
        levels_quantise(f->power[d], f->row.columns, at, &r->row.offset_db[d], &r->row.step_db[d]);
        at += f->row.columns;
    }
    t->newest = t->next;
    t->next += size;
    t->count++;
}

struct record *tier_newest(const struct tier *t)
{
    return t->count > 0 ? record_at(t, t->newest) : NULL;
}

struct record *tier_oldest(const struct tier *t)
{
    return t->count > 0 ? record_at(t, t->oldest) : NULL;
}

struct record *tier_before(const struct tier *t, const struct record *r)
{
    return r == record_at(t, t->oldest) ? NULL : record_at(t, r->previous);
}

/* ---- folding ---------------------------------------------------------------------------- */

static bool same(double a, double b)
{
    return a - b == 0 || (isnan(a) && isnan(b));
}

bool fold_fits(const struct fold *f, const struct history_row *row)
{
    const struct history_row *a = &f->row;
    return a->columns == row->columns && a->bins == row->bins && same(a->low_hz, row->low_hz) &&
           same(a->column_hz, row->column_hz) && same(a->gain_db, row->gain_db) &&
           a->detectors == row->detectors && a->rate_assumed == row->rate_assumed &&
           !(row->breaks & (HISTORY_RETUNE | HISTORY_PLAN | HISTORY_LOOP));
}

static void add_row(struct history_row *into, const struct history_row *next)
{
    into->line = next->line;
    into->lines += next->lines;
    into->frames += next->frames;
    into->lost += next->lost;
    into->breaks |= next->breaks;
}

static void add_mean(float *restrict into, const float *restrict next, uint32_t count, float share)
{
    for (uint32_t i = 0; i < count; i++)
        into[i] += (next[i] - into[i]) * share;
}

static void add_max(float *restrict into, const float *restrict next, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        into[i] = next[i] > into[i] ? next[i] : into[i];
}

static void add_min(float *restrict into, const float *restrict next, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        into[i] = next[i] < into[i] ? next[i] : into[i];
}

void fold_add(struct fold *f, const struct fold *next)
{
    const uint32_t count = next->row.columns;
    if (f->row.lines == 0) {
        f->row = next->row;
        for (unsigned d = 0; d < HISTORY_DETECTORS; d++) {
            if (next->row.detectors & 1U << d)
                memcpy(f->power[d], next->power[d], count * sizeof *f->power[d]);
        }
        return;
    }
    add_row(&f->row, &next->row);
    const float share = (float)next->row.frames / (float)f->row.frames;
    if (next->row.detectors & FFT_DETECTOR_MEAN)
        add_mean(f->power[0], next->power[0], count, share);
    if (next->row.detectors & FFT_DETECTOR_MAX)
        add_max(f->power[1], next->power[1], count);
    if (next->row.detectors & FFT_DETECTOR_MIN)
        add_min(f->power[2], next->power[2], count);
}
