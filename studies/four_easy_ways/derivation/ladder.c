/* ladder.c - the forms of one pass of a radix 2 transform, each a rewriting of the previous one. */
#include "studies/four_easy_ways/derivation/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct complex64 add(struct complex64 a, struct complex64 b)
{
    return (struct complex64){a.re + b.re, a.im + b.im};
}

static struct complex64 sub(struct complex64 a, struct complex64 b)
{
    return (struct complex64){a.re - b.re, a.im - b.im};
}

static struct complex64 mul(struct complex64 a, struct complex64 b)
{
    return (struct complex64){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* ---- one: a matrix ------------------------------------------------------------------------ */

/* B = [I, W; I, -W], W = diag(weight). */
static struct complex64 entry(const struct stage *s, uint32_t row, uint32_t col)
{
    const uint32_t half = s->block / 2;
    if (row % half != col % half)
        return (struct complex64){0, 0};
    if (col < half)
        return (struct complex64){1, 0};
    const struct complex64 w = s->weight[col - half];
    return row < half ? w : (struct complex64){-w.re, -w.im};
}

static void dense_matrix(const struct stage *s)
{
    for (uint32_t c = 0; c < s->columns; c++)
        for (uint32_t row = 0; row < s->block; row++) {
            struct complex64 sum = {0, 0};
            for (uint32_t k = 0; k < s->block; k++)
                sum = add(sum, mul(entry(s, row, k), s->x[c * s->block + k]));
            s->xx[c * s->block + row] = sum;
        }
}

/* ---- two: its two entries a row, the array as a vector -------------------------------------- */

/* Treats the array as a matrix of `block` rows, stored column by column. */
static struct complex64 *at(const struct stage *s, struct complex64 *x, uint32_t row, uint32_t col)
{
    return &x[(size_t)s->block * col + row];
}

static void two_dimensions(const struct stage *s)
{
    const uint32_t half = s->block / 2;
    for (uint32_t col = 0; col < s->columns; col++)
        for (uint32_t row = 0; row < s->block; row++)
            if (row < half)
                *at(s, s->xx, row, col) =
                    add(*at(s, s->x, row, col), mul(s->weight[row], *at(s, s->x, row + half, col)));
            else
                *at(s, s->xx, row, col) = sub(*at(s, s->x, row - half, col),
                                              mul(s->weight[row - half], *at(s, s->x, row, col)));
}

static void as_a_vector(const struct stage *s)
{
    const uint32_t block = s->block, half = block / 2;
    for (uint32_t col = 0; col < s->columns; col++)
        for (uint32_t row = 0; row < block; row++)
            if (row < half)
                s->xx[block * col + row] = add(s->x[block * col + row],
                                               mul(s->weight[row], s->x[block * col + row + half]));
            else
                s->xx[block * col + row] = sub(s->x[block * col + row - half],
                                               mul(s->weight[row - half], s->x[block * col + row]));
}

static void by_strides(const struct stage *s)
{
    const uint32_t half = s->block / 2;
    for (uint32_t col = 0; col < s->n; col += s->block)
        for (uint32_t row = 0; row < s->block; row++)
            if (row < half)
                s->xx[col + row] =
                    add(s->x[col + row], mul(s->weight[row], s->x[col + row + half]));
            else
                s->xx[col + row] =
                    sub(s->x[col + row - half], mul(s->weight[row - half], s->x[col + row]));
}

/* ---- three: pairs instead of a condition, then one product, then no second array ------------ */

/* As block/2 x 2 x columns: the middle index says which half. */
static struct complex64 *in_half(const struct stage *s, struct complex64 *x, uint32_t row,
                                 uint32_t group, uint32_t col)
{
    return &x[((size_t)col * 2 + group) * (s->block / 2) + row];
}

static void retiled(const struct stage *s)
{
    for (uint32_t col = 0; col < s->columns; col++)
        for (uint32_t row = 0; row < s->block / 2; row++)
            for (uint32_t group = 0; group < 2; group++)
                if (group == 0)
                    *in_half(s, s->xx, row, group, col) =
                        add(*in_half(s, s->x, row, group, col),
                            mul(s->weight[row], *in_half(s, s->x, row, group + 1, col)));
                else
                    *in_half(s, s->xx, row, group, col) =
                        sub(*in_half(s, s->x, row, group - 1, col),
                            mul(s->weight[row], *in_half(s, s->x, row, group, col)));
}

static void unrolled(const struct stage *s)
{
    for (uint32_t col = 0; col < s->columns; col++)
        for (uint32_t row = 0; row < s->block / 2; row++) {
            *in_half(s, s->xx, row, 0, col) =
                add(*in_half(s, s->x, row, 0, col),
                    mul(s->weight[row], *in_half(s, s->x, row, 1, col)));
            *in_half(s, s->xx, row, 1, col) =
                sub(*in_half(s, s->x, row, 0, col),
                    mul(s->weight[row], *in_half(s, s->x, row, 1, col)));
        }
}

static void unrolled_vector(const struct stage *s)
{
    const uint32_t half = s->block / 2;
    for (uint32_t col = 0; col < s->n; col += s->block)
        for (uint32_t row = 0; row < half; row++) {
            s->xx[col + row] = add(s->x[col + row], mul(s->weight[row], s->x[col + row + half]));
            s->xx[col + row + half] =
                sub(s->x[col + row], mul(s->weight[row], s->x[col + row + half]));
        }
}

static void one_product(const struct stage *s)
{
    const uint32_t half = s->block / 2;
    for (uint32_t col = 0; col < s->n; col += s->block)
        for (uint32_t row = 0; row < half; row++) {
            const struct complex64 c = mul(s->weight[row], s->x[col + row + half]);
            s->xx[col + row] = add(s->x[col + row], c);
            s->xx[col + row + half] = sub(s->x[col + row], c);
        }
}

static void in_place(const struct stage *s)
{
    const uint32_t half = s->block / 2;
    for (uint32_t col = 0; col < s->n; col += s->block)
        for (uint32_t row = 0; row < half; row++) {
            const struct complex64 c = mul(s->weight[row], s->x[col + row + half]);
            const struct complex64 d = s->x[col + row];
            s->x[col + row] = add(d, c);
            s->x[col + row + half] = sub(d, c);
        }
}

/* ---- the document's programs: weights inside the loop over the passes ----------------------- */

/* weight(row) = EXP((2*pi*i*row)/L) */
static void printed_weights(const struct stage *s)
{
    for (uint32_t row = 0; row < s->block / 2; row++) {
        const double angle = 2 * M_PI * row / s->block;
        s->weight[row] = (struct complex64){cos(angle), sin(angle)};
    }
}

static void figure_9(const struct stage *s)
{
    printed_weights(s);
    one_product(s);
}

static void figure_10(const struct stage *s)
{
    printed_weights(s);
    in_place(s);
}

const struct ladder_step ladder[LADDER_STEPS] = {
    {"1 dense matrix", dense_matrix, false, false, 64},
    {"2 two entries a row", two_dimensions, false, false, 0},
    {"3 data in a vector", as_a_vector, false, false, 0},
    {"4 striding", by_strides, false, false, 0},
    {"5 retiled", retiled, false, false, 0},
    {"6 unrolled", unrolled, false, false, 0},
    {"7 unrolled, vector", unrolled_vector, false, false, 0},
    {"8 one product", one_product, false, false, 0},
    {"9 as printed", figure_9, false, true, 0},
    {"10 as printed", figure_10, true, true, 0},
    {"10, weights given", in_place, true, false, 0},
};

/* ---- around the passes ---------------------------------------------------------------------- */

static void swap(struct complex64 *x, uint32_t i, uint32_t j)
{
    const struct complex64 t = x[i];
    x[i] = x[j];
    x[j] = t;
}

void reverse_by_bits(struct complex64 *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = 0;
        for (uint32_t bit = 1; bit < n; bit *= 2)
            j = 2 * j + (i & bit ? 1 : 0);
        if (i < j)
            swap(x, i, j);
    }
}

void reverse_by_counting(struct complex64 *x, uint32_t n)
{
    for (uint32_t i = 0, j = 0; i < n; i++) {
        if (i < j)
            swap(x, i, j);
        uint32_t bit = n / 2; /* add 1 at the top, carry downwards */
        for (; j & bit; bit /= 2)
            j -= bit;
        j += bit;
    }
}

static struct complex64 root(uint32_t row, uint32_t block)
{
    const double angle = -2 * M_PI * row / block;
    return (struct complex64){cos(angle), sin(angle)};
}

void weights_by_sincos(struct complex64 *weight, uint32_t block)
{
    for (uint32_t row = 0; row < block / 2; row++)
        weight[row] = root(row, block);
}

void weights_by_doubling(struct complex64 *weight, uint32_t block)
{
    for (uint32_t row = block / 2; row-- > 0;)
        weight[row] = row % 2 || row == 0 ? root(row, block) : weight[row / 2];
}

void ladder_fft(const struct ladder_step *step, struct complex64 *x, uint32_t n)
{
    struct complex64 *xx = malloc(n * sizeof *xx), *weight = malloc(n * sizeof *weight);

    reverse_by_counting(x, n);
    for (uint32_t block = 2; block <= n; block *= 2) {
        weights_by_doubling(weight, block);
        step->stage(&(struct stage){n, block, n / block, x, xx, weight});
        if (!step->in_place)
            memcpy(x, xx, n * sizeof *x);
    }
    free(weight);
    free(xx);
}
