/* published_rows.h - reads the figures of a document from a text file, for tests. */
#ifndef FFTD_STUDIES_TESTS_PUBLISHED_ROWS_H
#define FFTD_STUDIES_TESTS_PUBLISHED_ROWS_H

#include <stddef.h>

enum { PUBLISHED_COLUMNS = 8, PUBLISHED_ROWS = 64 };

struct published_row {
    size_t columns;
    double at[PUBLISHED_COLUMNS]; /* NaN: "-" or "Failed" */
};

/* Reads the lines without "#". Returns their number, at most PUBLISHED_ROWS; fails the test if the
 * file cannot be read or a column is no number. */
size_t published_rows(const char *path, struct published_row rows[PUBLISHED_ROWS]);

/* Fails the test unless both are the same number, or both NaN. */
void published_same(const char *what, size_t row, double got, double want);

#endif
