/* published_rows.c - reads rows of numbers, and compares. */
#include "studies/tests/published_rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cmocka_all.h"

static double number(const char *word)
{
    char *end;
    if (strcmp(word, "-") == 0 || strcmp(word, "Failed") == 0)
        return NAN;
    const double value = strtod(word, &end);
    if (*end)
        fail_msg("no number: %s", word);
    return value;
}

static void read_row(char *line, struct published_row *row)
{
    char *rest = NULL;
    row->columns = 0;
    for (char *word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        assert_true(row->columns < PUBLISHED_COLUMNS);
        row->at[row->columns++] = number(word);
    }
}

size_t published_rows(const char *path, struct published_row rows[PUBLISHED_ROWS])
{
    char line[200];
    size_t count = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be read", path);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        assert_true(count < PUBLISHED_ROWS);
        read_row(line, &rows[count++]);
    }
    fclose(file);
    return count;
}

void published_same(const char *what, size_t row, double got, double want)
{
    const bool same = isnan(want) ? isnan(got) : fabs(got - want) <= 1e-12 * fabs(want);
    if (!same)
        fail_msg("%s, row %zu: %g, published %g", what, row, got, want);
}
