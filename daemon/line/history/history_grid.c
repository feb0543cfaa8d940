/* history_grid.c - divides the bins of a stored row into columns, as client/view.c does. */
#include "daemon/line/history/history_grid.h"

#include <math.h>

static double edge(const struct history_row *row, double hz, double absent)
{
    const double at = isnan(hz) ? absent : (hz - row->low_hz) / row->column_hz;
    return fmin(fmax(at, 0), row->columns);
}

struct history_grid history_grid_make(const struct history_query *q, const struct history_row *row)
{
    /* An edge that rounding moves just past the border of a bin must not add the next bin. */
    const double tolerance = 1e-6;
    double low = floor(edge(row, q->low_hz, 0) + tolerance);
    double high = ceil(edge(row, q->high_hz, row->columns) - tolerance);
    if (!(high > low)) {
        low = 0;
        high = row->columns;
    }
    struct history_grid g = {.first = (uint32_t)low, .bins = (uint32_t)(high - low)};
    g.columns = q->columns < g.bins ? q->columns : g.bins;
    g.low_hz = row->low_hz + low * row->column_hz;
    g.column_hz = row->column_hz * g.bins / g.columns;
    return g;
}

uint32_t history_grid_start(const struct history_grid *g, uint32_t column)
{
    const uint64_t doubled = 2 * (uint64_t)column * g->bins;
    return (uint32_t)((doubled + g->columns - 1) / (2 * (uint64_t)g->columns));
}
