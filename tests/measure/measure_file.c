/*
 * measure_file.c - one measurement of a cf32 file as text, for recompute.py.
 *
 *     measure_file FILE FFT-SIZE HOP WINDOW CENTRE RATE MEASUREMENT OPTIONS
 *
 * Prints "name value" for each value, and "row value ..." for each row of the table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/measure/measure_fixture.h"

static struct fft_iq *read_samples(const char *name, size_t *count)
{
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END) < 0) {
        perror(name);
        exit(1);
    }
    *count = (size_t)ftell(file) / sizeof(struct fft_iq);
    struct fft_iq *iq = calloc(*count, sizeof *iq);
    rewind(file);
    if (!iq || fread(iq, sizeof *iq, *count, file) != *count) {
        perror(name);
        exit(1);
    }
    fclose(file);
    return iq;
}

static void print_result(const struct measure_result *r)
{
    for (unsigned i = 0; i < r->values; i++)
        printf("%s %.12g\n", r->value[i].name, r->value[i].value);
    for (unsigned row = 0; row < r->table.rows; row++) {
        printf("row");
        for (unsigned c = 0; c < r->table.columns; c++)
            printf(" %.12g", r->table.cell[row][c]);
        printf("\n");
    }
}

static int measure(char **arg)
{
    const struct fixture fixture = {(uint32_t)atoi(arg[2]), (uint32_t)atoi(arg[3]), arg[4],
                                    atof(arg[5]), atof(arg[6])};
    size_t count;
    struct fixture_measure m;
    struct fft_iq *iq = read_samples(arg[1], &count);
    struct line *line = fixture_line(&fixture, iq, count);
    struct measure_input in = fixture_input(line);
    fixture_measure_start(&m, arg[7], arg[8]);
    in.iq = iq;
    in.iq_count = m.ops->iq_samples ? m.ops->iq_samples(m.state, line) : 0;
    in.iq_count = in.iq_count < count ? in.iq_count : count;
    fixture_update(&m, &in);
    print_result(&m.result);
    fputs(m.result.reason, stderr);
    fixture_measure_finish(&m);
    line_destroy(line);
    free(iq);
    return m.err < 0;
}

int main(int argc, char **argv)
{
    if (argc != 9) {
        fprintf(stderr, "measure_file FILE FFT-SIZE HOP WINDOW CENTRE RATE MEASUREMENT OPTIONS\n");
        return 2;
    }
    return measure(argv);
}
