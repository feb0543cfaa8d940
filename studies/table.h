/*
 * table.h - tables with any columns, as text or as one JSON array of rows that name their table.
 */
#ifndef FFTD_STUDIES_TABLE_H
#define FFTD_STUDIES_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { TABLE_COLUMNS = 10 };

/* A text, or a number with `digits` significant digits; NaN: not known. */
struct cell {
    const char *text;
    double number;
    int digits;
};

#define CELL_TEXT(text)             ((struct cell){(text), 0, 0})
#define CELL_NUMBER(number, digits) ((struct cell){0, (double)(number), (digits)})
#define CELL_NONE                   ((struct cell){0, __builtin_nan(""), 0})

struct tables {
    bool json;
    uint32_t rows;
    const char *name;
    const char *const *columns; /* ended by NULL */
};

void tables_begin(struct tables *t, bool json);
void tables_end(struct tables *t);

/* said: the text above the table: what the document says; not in JSON. */
void table_open(struct tables *t, const char *name, const char *said, const char *const *columns);
void table_row(struct tables *t, const struct cell *cells); /* one cell for each column */

#endif
