/*
 * test_mali_transpose.c - which points neighbouring work-items access, with the kernels compiled
 * for the CPU.
 *
 * A device joins the accesses of neighbours in dimension 0 if their points are adjacent. That is
 * what transpose_tile is for: transpose reads in runs, but writes down columns.
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fft/iq.h"

/* ---- a work-group without threads: each work-item runs up to the barrier, then all again ---- */

static uint32_t group[3], local[3];
static bool stops_at_barrier;

typedef unsigned uint;
typedef struct fft_iq float2;

static uint get_local_id(uint d)
{
    return local[d];
}

static uint get_group_id(uint d)
{
    return group[d];
}

#define get_global_id(d) (group[d] * (d < 2 ? TILE : 1) + local[d])
#define __kernel         static
#define __global
#define __local static
#define barrier(fence)                                                                             \
    do {                                                                                           \
        if (stops_at_barrier)                                                                      \
            return;                                                                                \
    } while (0)
#include "studies/mali/kernels/mali_transpose.cl"

enum { WIDTH = 40, HEIGHT = 25, POINTS = WIDTH * HEIGHT, GROUP = TILE * TILE };

typedef void kernel(const float2 *in, float2 *out, uint width, uint height);

/* Without a value, a point is NaN. */
static const struct arrays {
    float2 in[POINTS], none[POINTS];
} * arrays;
static float2 out[POINTS];

static void run_item(kernel *k, const float2 *in, uint32_t item)
{
    local[0] = item % TILE;
    local[1] = item / TILE;
    k(in, out, WIDTH, HEIGHT);
}

/* All items: item `reads` the image, or UINT32_MAX: all do. Only `writes` or all go on. */
static void run_group(kernel *k, uint32_t reads, uint32_t writes)
{
    for (int goes_on = 0; goes_on < 2; goes_on++) {
        stops_at_barrier = !goes_on;
        memset(out, 0xff, sizeof out);
        for (uint32_t i = 0; i < GROUP; i++)
            if (!goes_on || writes == UINT32_MAX || i == writes)
                run_item(k, reads == UINT32_MAX || i == reads ? arrays->in : arrays->none, i);
    }
}

/* The only point of `out` with a value; UINT32_MAX: the item is beyond the edge. */
static uint32_t only_point(void)
{
    uint32_t at = UINT32_MAX;
    for (uint32_t i = 0; i < POINTS; i++) {
        assert_true(isnan(out[i].re) || at == UINT32_MAX);
        at = isnan(out[i].re) ? at : i;
    }
    return at;
}

static uint32_t written_by(kernel *k, uint32_t item)
{
    run_group(k, UINT32_MAX, item);
    return only_point();
}

static uint32_t read_by(kernel *k, uint32_t item)
{
    run_group(k, item, UINT32_MAX);
    const uint32_t at = only_point();
    return at == UINT32_MAX ? at : (uint32_t)out[at].re;
}

/* The distances of the points of neighbours in dimension 0: 1 or `apart`, in the whole group. */
static void assert_apart(uint32_t (*point_of)(kernel *k, uint32_t item), kernel *k, uint32_t apart)
{
    uint32_t pairs = 0;
    for (uint32_t item = 1; item < GROUP; item++) {
        const uint32_t before = point_of(k, item - 1), here = point_of(k, item);
        if (item % TILE == 0 || before == UINT32_MAX || here == UINT32_MAX)
            continue;
        assert_int_equal(here - before, apart);
        pairs++;
    }
    assert_true(pairs >= GROUP / 4);
}

static void a_transpose_reads_rows_and_writes_columns(void **state)
{
    (void)state;
    assert_apart(read_by, transpose, 1);
    assert_apart(written_by, transpose, HEIGHT);
}

static void a_tile_is_read_and_written_in_rows(void **state)
{
    (void)state;
    assert_apart(read_by, transpose_tile, 1);
    assert_apart(written_by, transpose_tile, 1);
}

static void each_point_goes_to_its_place(void **state)
{
    (void)state;
    static kernel *const kernels[] = {transpose, transpose_tile};
    for (int k = 0; k < 2; k++)
        for (group[1] = 0; group[1] * TILE < HEIGHT; group[1]++)
            for (group[0] = 0; group[0] * TILE < WIDTH; group[0]++) {
                run_group(kernels[k], UINT32_MAX, UINT32_MAX);
                for (uint32_t i = 0; i < POINTS; i++)
                    assert_true(isnan(out[i].re) ||
                                (uint32_t)out[i].re == i % HEIGHT * WIDTH + i / HEIGHT);
            }
    group[0] = group[1] = 0;
}

int main(void)
{
    static struct arrays a;
    memset(a.none, 0xff, sizeof a.none);
    for (uint32_t i = 0; i < POINTS; i++)
        a.in[i] = (float2){(float)i, 0};
    arrays = &a;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_transpose_reads_rows_and_writes_columns),
        cmocka_unit_test(a_tile_is_read_and_written_in_rows),
        cmocka_unit_test(each_point_goes_to_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
