/* hit_code.c - estimates the share of each level, and codes its hits. */
#include "daemon/wire/hit_code.h"

#include <stdlib.h>

#include "daemon/wire/range_coder.h"

struct hit_code {
    struct range_coder coder;
    struct range_table row, first, other; /* first row; hits of it, less 1; hits of other rows */
    uint32_t levels, row_before;
    double frames;
    double *fast, *slow; /* [levels]: averages of hits, of some 2 columns and of some 8 */
    double *share;       /* [levels]: estimated, in any unit */
    double *below;       /* [levels]: sum of the shares of this row and those below */
};

/* What a row is given that no column has hit. */
static const double never_hit = 0.125;

static bool is_exact(const struct density *d)
{
    const size_t levels = d->shape.levels;
    for (size_t c = 0; c < d->shape.columns; c++) {
        double sum = 0;
        for (size_t r = 0; r < levels; r++)
            sum += d->hits[c * levels + r];
        if (sum < d->frames || sum > d->frames)
            return false;
    }
    return d->frames >= 1 && d->frames <= RANGE_NUMBER_MAX;
}

/* All products are by powers of two: every processor computes the same. */
static void estimate(struct hit_code *h, uint32_t first)
{
    double below = 0;
    for (uint32_t r = h->levels; r-- > first;) {
        const double above = r > 0 ? h->fast[r - 1] + h->slow[r - 1] : 0;
        const double next = r + 1 < h->levels ? h->fast[r + 1] + h->slow[r + 1] : 0;
        h->share[r] = above + 2 * (h->fast[r] + h->slow[r]) + next + never_hit;
        below += h->share[r];
        h->below[r] = below;
    }
}

/* log2 of the hits expected in half octaves from 1/256 on, by lines between powers of two. */
static uint32_t expect(const struct hit_code *h, uint32_t row, double left)
{
    enum { AT_MAX = (RANGE_BUCKETS - 2) * RANGE_PARTS - 1 };
    const double expected = left * h->share[row] / h->below[row] * 256;
    const uint32_t value = expected < INT32_MAX - 1 ? (uint32_t)expected + 1 : INT32_MAX;
    const uint32_t exponent = 31 - (uint32_t)__builtin_clz(value);
    const uint32_t at = 32 * exponent + (value << (31 - exponent) >> 26) % 32;
    return at < AT_MAX ? at : AT_MAX;
}

static void put_column(struct hit_code *h, const double *hits)
{
    uint32_t first = 0;
    while (hits[first] < 1)
        first++;
    range_coder_put(&h->coder, &h->row, 0,
                    range_coder_interleave((int32_t)first - (int32_t)h->row_before));
    h->row_before = first;
    estimate(h, first);
    double left = h->frames;
    for (uint32_t r = first; r + 1 < h->levels && left > 0; r++) {
        const uint32_t at = expect(h, r, left), count = (uint32_t)hits[r];
        if (r == first)
            range_coder_put(&h->coder, &h->first, at, count - 1);
        else
            range_coder_put(&h->coder, &h->other, at, count);
        left -= hits[r];
    }
    for (uint32_t r = 0; r < h->levels; r++) {
        h->fast[r] = (h->fast[r] + hits[r]) / 2;
        h->slow[r] += (hits[r] - h->slow[r]) / 8;
    }
}

static struct hit_code *create(const struct density *d)
{
    const size_t levels = d->shape.levels;
    struct hit_code *h = calloc(1, sizeof *h + 4 * levels * sizeof(double));
    if (!h)
        return NULL;
    h->levels = (uint32_t)levels;
    h->frames = d->frames;
    h->fast = (double *)(h + 1);
    h->slow = h->fast + levels;
    h->share = h->slow + levels;
    h->below = h->share + levels;
    range_coder_init_table(&h->row);
    range_coder_init_table(&h->first);
    range_coder_init_table(&h->other);
    return h;
}

size_t hit_code_write(const struct density *d, uint8_t *into, size_t capacity)
{
    struct hit_code *h = capacity > 0 && is_exact(d) ? create(d) : NULL;
    if (!h)
        return 0;
    range_coder_init(&h->coder, into, capacity);
    for (size_t c = 0; c < d->shape.columns; c++)
        put_column(h, d->hits + c * h->levels);
    const size_t size = range_coder_finish(&h->coder);
    free(h);
    return size;
}
