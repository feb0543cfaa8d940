/* document.c - the figures of tables I and II. */
#include "studies/four_easy_ways/document.h"

#include <math.h>

enum { FIRST = 3 }; /* 2^3 points */

static const struct document_origin origin[] = {
    {0.190, 0.064, 0.010, 0.065, 0.013}, {0.018, 0.061, 0.010, 0.047, 0.013},
    {0.018, 0.062, 0.010, 0.065, 0.014}, {0.017, 0.116, 0.011, 0.073, 0.013},
    {0.019, 0.063, 0.010, 0.068, 0.015}, {0.018, 0.062, 0.011, 0.105, 0.014},
    {0.017, 0.122, 0.011, 0.069, 0.014}, {0.021, 0.065, 0.013, 0.056, 0.015},
    {0.021, 0.064, 0.016, 0.058, 0.017}, {0.021, 0.067, 0.023, 0.067, 0.023},
    {0.022, 0.075, 0.036, 0.065, 0.030}, {0.024, 0.144, 0.065, 0.066, 0.051},
    {0.030, 0.120, 0.135, 0.110, 0.082}, {0.040, 0.209, 0.296, 0.080, 0.189},
    {0.065, 0.335, 0.696, 0.072, 0.395}, {0.126, 0.829, 3.205, 0.075, 0.774},
    {0.238, 3.007, 9.538, 0.096, 2.186}, {0.442, 9.673, 18.40, 0.143, 4.611},
    {0.884, 23.36, 38.93, 0.260, 9.191}, {1.910, 46.70, 92.75, 0.396, 19.19},
    {4.014, 109.4, 187.7, 0.671, 48.69}, {7.550, 221.1, 442.7, 1.396, 99.10},
};

static const struct document_sp2 sp2[] = {
    {0.010, 0.013, 0.020}, {0.010, 0.053, 0.020}, {0.010, 0.013, 0.020}, {0.010, 0.013, 0.020},
    {0.010, 0.013, 0.027}, {0.010, 0.016, 0.023}, {0.010, 0.010, 0.020}, {0.010, 0.013, 0.023},
    {0.013, 0.010, 0.023}, {0.020, 0.020, 0.023}, {0.033, 0.030, 0.030}, {0.040, 0.043, 0.053},
    {0.070, 0.060, 0.083}, {0.140, 0.120, 0.143}, {0.280, 0.160, 0.283}, {0.580, 0.310, 0.683},
    {1.216, 0.610, 1.456}, {2.580, 1.276, 3.273}, {5.553, 3.663, 6.770}, {12.12, NAN, 15.553},
    {25.25, NAN, NAN},
};

/* The row of a power of two from 2^3, or `rows`. */
static uint32_t row_of(uint32_t n, uint32_t rows)
{
    const uint32_t log2 = n ? (uint32_t)__builtin_ctz(n) : 0;
    return n == 1U << log2 && log2 >= FIRST && log2 - FIRST < rows ? log2 - FIRST : rows;
}

struct document_origin document_origin(uint32_t n)
{
    enum { ROWS = sizeof origin / sizeof origin[0] };
    const uint32_t row = row_of(n, ROWS);
    return row < ROWS ? origin[row] : (struct document_origin){NAN, NAN, NAN, NAN, NAN};
}

struct document_sp2 document_sp2(uint32_t n)
{
    enum { ROWS = sizeof sp2 / sizeof sp2[0] };
    const uint32_t row = row_of(n, ROWS);
    return row < ROWS ? sp2[row] : (struct document_sp2){NAN, NAN, NAN};
}
