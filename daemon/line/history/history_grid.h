/* history_grid.h - the columns of a row of the past that a query asks for. Pure. */
#ifndef FFTD_DAEMON_LINE_HISTORY_HISTORY_GRID_H
#define FFTD_DAEMON_LINE_HISTORY_HISTORY_GRID_H

#include "daemon/line/history/history_row.h"

/* The columns of a stored row that are wanted, and how they are divided into columns. */
struct history_grid {
    uint32_t first, bins, columns;
    double low_hz, column_hz;
};

/* By the rule of views (client/view.h). */
struct history_grid history_grid_make(const struct history_query *q, const struct history_row *row);
/* The first bin of a column, counted from `first`; of column `columns`: the end. */
uint32_t history_grid_start(const struct history_grid *g, uint32_t column);

#endif
