/*
 * fuzz_view.c - libFuzzer target: a browser's view of a line, and pictures folded from two lines.
 *
 * Columns are compared with the largest and the smallest of their bins, found bin by bin.
 */
#include <math.h>

#include "daemon/client/view.h"
#include "tests/fuzz/fuzz.h"

/* What an input sets, in this order. */
struct request {
    uint8_t log2_n, detector, fold;
    uint32_t columns;
    double low_hz, high_hz, center_hz, rate_hz;
};

static double plain(double value, double otherwise)
{
    return isfinite(value) && fabs(value) <= 1e15 ? value : otherwise;
}

static struct line *make_line(const struct request *r, struct input *in)
{
    const uint32_t n = 64U << r->log2_n % 7;
    struct line *line =
        line_create(&(struct line_shape){.n = n, .detectors = 1U << r->detector % FFT_DETECTORS});
    check(line != NULL);
    line->n = n;
    line->hop = n / 2;
    line->frames = 1;
    line->detectors = 1U << r->detector % FFT_DETECTORS;
    line->engine = "fuzz";
    line->gain_db = NAN;
    line->tuning.center_hz = plain(r->center_hz, 0);
    line->tuning.rate_hz = fmax(fabs(plain(r->rate_hz, 1e6)), 1);
    for (uint32_t k = 0; k < n; k++) {
        uint8_t level;
        take_bytes(in, &level, 1);
        line->detector[r->detector % FFT_DETECTORS][k] = (float)(level + k % 3) / 256;
    }
    line_reset_pyramids(line);
    return line;
}

static void check_grid(const struct view *v, const struct view_grid *g, const struct line *line)
{
    check(g->bins >= 1 && g->first + g->bins <= line->n);
    check(g->columns >= 1 && g->columns <= v->columns && g->columns <= g->bins);
    check(view_column_start(g, 0) == 0 && view_column_start(g, g->columns) == g->bins);
    check(isfinite(g->low_hz) && g->column_hz > 0);
}

static void check_columns(const struct view *v, const struct view_grid *g, const struct line *line,
                          const float *power)
{
    for (uint32_t i = 0; i < g->columns; i++) {
        const uint32_t from = view_column_start(g, i), to = view_column_start(g, i + 1);
        float largest = 0, least = INFINITY;
        check(from < to);
        for (uint32_t k = from; k < to; k++)
            largest = fmaxf(largest, line->detector[v->detector][g->first + k]);
        for (uint32_t k = from; k < to; k++)
            least = fminf(least, line->detector[v->detector][g->first + k]);
        check(power[i] >= least || v->reduction == REDUCTION_MEAN); /* a mean is rounded */
        check(power[i] == largest || v->reduction != REDUCTION_PEAK);
    }
}

static void check_picture(const struct view *v, const struct line *line, struct input *in,
                          const struct request *r)
{
    struct picture now, next;
    check(picture_init(&now, v->columns) == 0 && picture_init(&next, v->columns) == 0);
    picture_render(&now, v, line, 20);
    check_grid(v, &now.grid, line);
    check_columns(v, &now.grid, line, now.power);
    struct line *later = make_line(r, in);
    picture_render(&next, v, later, 20);
    check(picture_fits(&now, &next));
    if (r->fold & 1 && picture_needs_bins(&now))
        check(picture_keep_bins(&now, line) == 0);
    picture_fold(&now, &next, later);
    picture_update_columns(&now);
    for (uint32_t i = 0; i < now.header.columns; i++)
        check(isfinite((double)now.power[i]) && now.power[i] >= 0);
    check(picture_largest_column(&now) < now.header.columns);
    line_destroy(later);
    picture_finish(&now);
    picture_finish(&next);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    struct request r;
    take_bytes(&in, &r.log2_n, 1);
    take_bytes(&in, &r.detector, 1);
    take_bytes(&in, &r.fold, 1);
    take_bytes(&in, &r.columns, sizeof r.columns);
    take_bytes(&in, &r.low_hz, sizeof r.low_hz);
    take_bytes(&in, &r.high_hz, sizeof r.high_hz);
    take_bytes(&in, &r.center_hz, sizeof r.center_hz);
    take_bytes(&in, &r.rate_hz, sizeof r.rate_hz);
    const struct view v = {.low_hz = plain(r.low_hz, NAN),
                           .high_hz = plain(r.high_hz, NAN),
                           .columns = r.columns % WIRE_COLUMNS_MAX + 1,
                           .detector = r.detector % FFT_DETECTORS,
                           .reduction = (enum reduction)(r.fold / 2 % REDUCTIONS)};
    struct line *line = make_line(&r, &in);
    check_picture(&v, line, &in, &r);
    line_destroy(line);
    return 0;
}
