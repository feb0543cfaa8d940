/* band_rules.c - turns a spur list into bins of a line. */
#include "daemon/calibration/band_rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/line/tone.h"

static const double lobe_db = 60, lobe_most = 8;

/* ---- making ----------------------------------------------------------------------------- */

static bool is_current(const struct band_rules *r, const struct line *line,
                       const struct spur_list *list)
{
    return r->n == line->n && r->list == list && r->dc_spur == line->dc_spur &&
           r->rate_assumed == line->rate_assumed && r->center_hz - line->tuning.center_hz == 0 &&
           r->rate_hz - line->tuning.rate_hz == 0 &&
           r->usable_percent - line->usable_percent == 0 && strcmp(r->window, line->window) == 0;
}

static void remember(struct band_rules *r, const struct line *line, const struct spur_list *list)
{
    const double width = tone_width(line, lobe_db);
    r->n = line->n;
    r->list = list;
    r->dc_spur = line->dc_spur;
    r->rate_assumed = line->rate_assumed;
    r->center_hz = line->tuning.center_hz;
    r->rate_hz = line->tuning.rate_hz;
    r->usable_percent = line->usable_percent;
    memcpy(r->window, line->window, sizeof r->window);
    r->lobe_bins = width > 0 ? fmin(width / 2, lobe_most) : lobe_most;
}

/* Without a known rate there are no hertz: the centre alone is known. */
static bool has_place(const struct spur *spur, const struct line *line)
{
    return !line->rate_assumed || (spur->relative && fabs(spur->hz) < 0.05);
}

/* Adds the bins of a spur, as far as they are in the usable band. */
static void add(struct band_rules *r, const struct line *line, const struct spur *spur)
{
    const struct line_bins usable = line_usable_bins(line);
    const double bin_hz = line_bin_hz(line);
    const double offset_hz = spur->relative ? spur->hz : spur->hz - line->tuning.center_hz;
    const double width_hz = line->rate_assumed ? 0 : spur->width_hz;
    const double at = (double)line->n / 2 + offset_hz / bin_hz;
    const double reach = width_hz / 2 / bin_hz + r->lobe_bins;
    const double first = fmax(ceil(at - reach), usable.first);
    const double last = fmin(floor(at + reach), usable.last);
    if (!(first <= last))
        return;
    struct band_spur *s = &r->spur[r->count++];
    s->bins = (struct line_bins){(uint32_t)first, (uint32_t)last};
    memcpy(s->note, spur->note, sizeof s->note);
}

static int by_bin(const void *a, const void *b)
{
    const struct band_spur *x = a, *y = b;
    return (x->bins.first > y->bins.first) - (x->bins.first < y->bins.first);
}

/* Spurs that touch become one. */
static void merge(struct band_rules *r)
{
    uint32_t kept = 0;
    qsort(r->spur, r->count, sizeof r->spur[0], by_bin);
    for (uint32_t i = 0; i < r->count; i++) {
        struct line_bins *before = kept > 0 ? &r->spur[kept - 1].bins : NULL;
        if (!before || r->spur[i].bins.first > before->last + 1)
            r->spur[kept++] = r->spur[i];
        else if (r->spur[i].bins.last > before->last)
            before->last = r->spur[i].bins.last;
    }
    r->count = kept;
}

void band_rules_update(struct band_rules *r, const struct line *line, const struct spur_list *list)
{
    /* 1 RBW on both sides: the spike is noise of the mixer, not a pure tone */
    const struct spur dc = {
        .relative = true, .width_hz = 2 * line_rbw_hz(line), .note = "DC spike"};
    if (is_current(r, line, list))
        return;
    remember(r, line, list);
    r->count = 0;
    for (size_t i = 0; list && i < list->count; i++)
        if (has_place(&list->spur[i], line))
            add(r, line, &list->spur[i]);
    if (line->dc_spur)
        add(r, line, &dc);
    merge(r);
}

/* ---- asking ----------------------------------------------------------------------------- */

/* The first spur that ends at or after a bin; count: none. */
static uint32_t find(const struct band_rules *r, uint32_t bin)
{
    uint32_t low = 0, high = r->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (r->spur[middle].bins.last < bin)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct band_spur *band_rules_spur(const struct band_rules *r, uint32_t bin)
{
    const uint32_t i = r ? find(r, bin) : 0;
    return r && i < r->count && r->spur[i].bins.first <= bin ? &r->spur[i] : NULL;
}

bool band_rules_next(const struct band_rules *r, uint32_t from, uint32_t last,
                     struct line_bins *out)
{
    uint32_t i = r ? find(r, from) : 0;
    if (r && i < r->count && r->spur[i].bins.first <= from)
        from = r->spur[i++].bins.last + 1;
    if (from > last)
        return false;
    const uint32_t end = r && i < r->count ? r->spur[i].bins.first - 1 : last;
    *out = (struct line_bins){from, end < last ? end : last};
    return true;
}
