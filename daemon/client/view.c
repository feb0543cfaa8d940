/* view.c - finds the bins of a view, renders its columns, and makes pictures of single lines. */
#include "daemon/client/view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/line/powers.h"

static bool same_edge(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

bool view_same(const struct view *a, const struct view *b)
{
    return same_edge(a->low_hz, b->low_hz) && same_edge(a->high_hz, b->high_hz) &&
           a->columns == b->columns && a->detector == b->detector && a->percent - b->percent == 0 &&
           a->reduction == b->reduction && a->math == b->math &&
           strcmp(a->reference, b->reference) == 0 && a->trace_id == b->trace_id &&
           a->coding == b->coding && same_edge(a->step_db, b->step_db);
}

/* ---- the grid --------------------------------------------------------------------------- */

/* An edge of the view in bins from the span's left edge, limited to 0 .. n. */
static double edge_in_bins(const struct line *line, double hz, double absent)
{
    const double bin_hz = line_bin_hz(line);
    const double at = isnan(hz) ? absent : (hz - line_low_hz(line)) / bin_hz + 0.5;
    return fmin(fmax(at, 0), line->n);
}

bool view_meets(const struct view *v, const struct line *line)
{
    const double low = edge_in_bins(line, v->low_hz, 0),
                 high = edge_in_bins(line, v->high_hz, line->n);
    return low < high;
}

void view_make_grid(const struct view *v, const struct line *line, struct view_grid *out)
{
    /* An edge that rounding moves just past the border of a bin must not add the next bin. */
    const double tolerance = 1e-6;
    double low = floor(edge_in_bins(line, v->low_hz, 0) + tolerance);
    double high = ceil(edge_in_bins(line, v->high_hz, line->n) - tolerance);
    if (!(high > low)) {
        low = 0;
        high = line->n;
    }
    out->first = (uint32_t)low;
    out->bins = (uint32_t)(high - low);
    out->columns = v->columns < out->bins ? v->columns : out->bins;
    out->low_hz = line_low_hz(line) + (low - 0.5) * line_bin_hz(line);
    out->column_hz = line_bin_hz(line) * out->bins / out->columns;
}

/* ---- rendering -------------------------------------------------------------------------- */

/*
 * view_column_start(i) = (2 * i * bins + columns - 1) / (2 * columns), by additions in place of the
 * division: `rest` is its remainder.
 */
void view_render(const struct view_grid *p, const struct line *line, unsigned detector,
                 float *power)
{
    const uint32_t divisor = 2 * p->columns;
    const uint32_t whole = p->bins / p->columns;
    const uint32_t part = 2 * (p->bins % p->columns);
    uint32_t from = p->first;
    uint32_t rest = p->columns - 1;
    const struct powers powers = whole > 1 || part > 0
                                     ? powers_of_line(line, detector)
                                     : powers_of_bins(line->detector[detector], line->n);
    for (uint32_t i = 0; i < p->columns; i++) {
        uint32_t to = from + whole;
        rest += part;
        if (rest >= divisor) {
            rest -= divisor;
            to++;
        }
        power[i] = powers_largest(&powers, from, to);
        from = to;
    }
}

uint32_t view_column_peak(const struct view_grid *p, const struct line *line, unsigned detector,
                          uint32_t column)
{
    const struct powers powers = powers_of_line(line, detector);
    return powers_strongest(&powers, p->first + view_column_start(p, column),
                            p->first + view_column_start(p, column + 1));
}

/* ---- pictures --------------------------------------------------------------------------- */

int picture_init(struct picture *p, uint32_t capacity)
{
    *p = (struct picture){.capacity = capacity, .power = malloc(capacity * sizeof *p->power)};
    return p->power ? 0 : -ENOMEM;
}

void picture_finish(struct picture *p)
{
    free(p->power);
    free(p->bins);
    *p = (struct picture){0};
}

/* Names on the wire have at most 15 bytes; longer ones are cut. */
static void set_name(char into[16], const char *name)
{
    memset(into, 0, 16);
    if (name)
        memcpy(into, name, strnlen(name, 15));
}

/*
 * A sweep is written as if a radio received its whole span at once: rate, FFT size and hop are
 * larger by one factor, so that RBW, spectra per second and overlap follow from them as always.
 */
static uint32_t virtual_hop(const struct line *line)
{
    return line->dwells ? (uint32_t)llround((double)line->hop * line->n / line->fft_size)
                        : line->hop;
}

static void fill_header(struct wire_header *h, const struct line *line, double line_rate_hz)
{
    *h = (struct wire_header){
        .flags = (uint8_t)((line->simulated ? WIRE_SIMULATED : 0) |
                           (line->hardware_time ? WIRE_HARDWARE_TIME : 0) |
                           (line->gap_before ? WIRE_GAP : 0) |
                           (line->rate_assumed ? WIRE_RATE_ASSUMED : 0)),
        .line = line->number,
        .merged = 1,
        .first_sample = line->first_sample,
        .samples = line->sample_count,
        .time_ns = line->time_ns,
        .center_hz = line->tuning.center_hz,
        .rate_hz = line->tuning.rate_hz,
        .gain_db = line->gain_db,
        .enbw_bins = (float)line->enbw_bins,
        .n = line->n,
        .hop = virtual_hop(line),
        .frames = line->frames,
        .line_rate_hz = line_rate_hz,
        .ledger = line->ledger,
    };
    set_name(h->engine, line->engine);
    set_name(h->window, line->window);
}

uint32_t picture_largest_column(const struct picture *p)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < p->header.columns; i++) {
        if (p->power[i] > p->power[best])
            best = i;
    }
    return best;
}

void picture_render(struct picture *p, const struct view *v, const struct line *line,
                    double line_rate_hz)
{
    view_make_grid(v, line, &p->grid);
    if (v->reduction == REDUCTION_PEAK)
        view_render(&p->grid, line, v->detector, p->power);
    else
        view_reduce(v->reduction, &p->grid, line->detector[v->detector] + p->grid.first, p->power);
    p->epoch = line->epoch;
    p->reduction = v->reduction;
    p->is_trace = v->trace_id != 0;

    struct wire_header *h = &p->header;
    fill_header(h, line, line_rate_hz);
    h->detector = (uint8_t)v->detector;
    h->columns = p->grid.columns;
    h->low_hz = p->grid.low_hz;
    h->column_hz = p->grid.column_hz;

    const struct powers powers = powers_of_line(line, v->detector);
    const uint32_t bin = powers_strongest(&powers, p->grid.first, p->grid.first + p->grid.bins);
    h->peak_db = (float)level_dbfs(line->detector[v->detector][bin]);
    h->peak_hz = line_low_hz(line) + bin * line_bin_hz(line);
}

void picture_copy(struct picture *into, const struct picture *from)
{
    into->header = from->header;
    into->grid = from->grid;
    into->epoch = from->epoch;
    into->is_trace = from->is_trace;
    into->reduction = from->reduction;
    memcpy(into->power, from->power, from->header.columns * sizeof *from->power);
    free(into->bins);
    into->bins = NULL;
}

bool picture_fits(const struct picture *p, const struct picture *next)
{
    const struct wire_header *a = &p->header;
    const struct wire_header *b = &next->header;
    return p->epoch == next->epoch && a->columns == b->columns && a->low_hz == b->low_hz &&
           a->column_hz == b->column_hz && a->n == b->n && a->hop == b->hop &&
           a->center_hz == b->center_hz && a->rate_hz == b->rate_hz &&
           same_edge(a->gain_db, b->gain_db) && strcmp(a->window, b->window) == 0;
}
