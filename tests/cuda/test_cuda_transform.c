/*
 * test_cuda_transform.c - compares planned passes of transforms, their kernels compiled for the
 * CPU, with double precision: every form of every family, with more and fewer rows than a tile.
 *
 * Tolerance: relative error of each row in the L2 norm. Memory between and after the rows must not
 * change.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/transform_forms.h"
#include "kernels/cuda/transform_smooth_forms.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cuda/batch.h"
#include "tests/support/cuda/passes.h"
#include "tests/support/cuda/rows.h"
#include "tests/support/engine/test_engines.h"

static const double tolerance_of_roots = 1.5e-7;

/* A second axis of rows, with gaps between them. */
static struct engine_pass along_pass(uint32_t n, uint32_t rows)
{
    return (struct engine_pass){
        .n = n,
        .from = 1,
        .to = 1,
        .inverse = rows % 2,
        .rows = {{rows, n, n + 2}, {2, rows * n + 4, rows * (n + 2)}, {1, 0, 0}}};
}

/* A first axis with nothing between its rows, a second one with odd gaps. */
static struct engine_pass whole_pass(uint32_t n, uint32_t rows)
{
    struct engine_pass p = along_pass(n, rows);
    p.rows[0].to = n;
    p.rows[1] = (struct engine_rows){2, rows * n + 5, rows * n + 3};
    return p;
}

static struct engine_pass across_pass(uint32_t n, uint32_t rows)
{
    return (struct engine_pass){.n = n,
                                .from = rows + 3,
                                .to = rows,
                                .inverse = rows % 2,
                                .rows = {{2, (rows + 3) * n, rows * n}, {rows, 1, 1}, {1, 0, 0}}};
}

static void rows_of_every_length_along(void **state)
{
    (void)state;
    for (uint32_t n = 64; n <= 8192; n *= 2) {
        rows_conform(&cuda_h200, along_pass(n, n < 1024 ? 37 : 3), FAMILY_ALONG);
        rows_conform(&cuda_h200, along_pass(n, 2), FAMILY_ALONG);
    }
    struct cuda_facts one = cuda_h200;
    one.processors = 1; /* so that rows to come are asked for */
    rows_conform(&one, along_pass(8192, 5), FAMILY_ALONG);
    struct engine_pass odd = along_pass(16384, 2); /* not aligned for a bulk copy */
    odd.rows[1].from++;
    rows_conform(&cuda_h200, odd, FAMILY_ALONG);
}

static void long_rows_use_bulk_copies(void **state)
{
    (void)state;
    struct cuda_facts two = cuda_h200;
    two.processors = 2; /* so that a block has several rows */
    rows_conform(&two, along_pass(16384, 3), FAMILY_STAGED);
    rows_conform(&two, along_pass(16384, 1), FAMILY_STAGED);
}

static void rows_of_every_length_across(void **state)
{
    (void)state;
    for (uint32_t n = 64; n <= 4096; n *= 2) {
        rows_conform(&cuda_h200, across_pass(n, n < 1024 ? 37 : 5), FAMILY_ACROSS);
        if (n <= 2048)
            rows_conform(&cuda_t4, across_pass(n, 18), FAMILY_ACROSS);
    }
}

static void long_rows_go_through_two_kernels(void **state)
{
    (void)state;
    for (uint32_t n = 1 << 17; n <= 1 << 20; n *= 2)
        rows_conform(&cuda_h200, along_pass(n, 1), FAMILY_BRIDGE);
    rows_conform(&cuda_a100, along_pass(1 << 15, 3), FAMILY_BRIDGE);
    rows_conform(&cuda_a100, along_pass(1 << 16, 1), FAMILY_BRIDGE);
    rows_conform(&cuda_t4, along_pass(8192, 3), FAMILY_BRIDGE);
}

static void a_long_row_fits_into_a_cluster(void **state)
{
    (void)state;
    struct cuda_facts one = cuda_h200;
    one.processors = 1; /* so that rows to come are asked for */
    rows_conform(&one, along_pass(1 << 15, 3), FAMILY_CLUSTER);
    rows_conform(&cuda_h200, along_pass(1 << 16, 2), FAMILY_CLUSTER);
}

static void rows_without_a_form_use_mixed_radix(void **state)
{
    (void)state;
    struct engine_pass strided = along_pass(128, 3);
    strided.from = 2;
    strided.rows[0].from = 2 * 128;
    strided.rows[1].from = 3 * 2 * 128;
    rows_conform(&cuda_h200, strided, FAMILY_MIXED);
    struct engine_pass transposed = along_pass(128, 40); /* adjacent rows in the output only */
    transposed.to = 80;
    transposed.rows[0].to = 1;
    transposed.rows[1].to = 40;
    rows_conform(&cuda_h200, transposed, FAMILY_MIXED);
    rows_conform(&cuda_h200, along_pass(1008, 3), FAMILY_MIXED);
    rows_conform(&cuda_h200, along_pass(2401, 3), FAMILY_MIXED);
    rows_conform(&cuda_h200, along_pass(17496, 1), FAMILY_MIXED);
    rows_conform(&cuda_t4, along_pass(10000, 2), FAMILY_MIXED); /* no room for its form */
    rows_conform(&cuda_h200, along_pass(32, 40), FAMILY_MIXED);
}

#define LENGTH(n, ...) n,
static const uint32_t common[] = {SMOOTH_ALONG_FORMS(LENGTH, )};
static const uint32_t whole[] = {SMOOTH_WHOLE_FORMS(LENGTH, )};

static void common_lengths_along_have_a_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        rows_conform(&cuda_h200, along_pass(common[i], common[i] < 1000 ? 13 : 3),
                     FAMILY_SMOOTH_ALONG);
        rows_conform(&cuda_h200, along_pass(common[i], 2), FAMILY_SMOOTH_ALONG);
    }
    struct cuda_facts one = cuda_h200;
    one.processors = 1; /* so that rows to come are asked for, no whole units of 16 bytes */
    rows_conform(&one, along_pass(19683, 3), FAMILY_SMOOTH_ALONG);
    struct engine_pass in_place = along_pass(1200, 5);
    in_place.rows[0].to = in_place.rows[0].from;
    in_place.rows[1].to = in_place.rows[1].from;
    rows_conform(&cuda_h200, in_place, FAMILY_SMOOTH_ALONG);
}

static void conform_whole(uint32_t n, enum cuda_pass_family family)
{
    struct cuda_facts one = cuda_h200;
    struct engine_pass in_place = whole_pass(n, 3);
    one.processors = 1; /* so that rows to come are asked for */
    rows_conform(&cuda_h200, whole_pass(n, n < 1000 ? 13 : 3), family);
    rows_conform(&one, whole_pass(n, 2), family);
    in_place.rows[1].to = in_place.rows[1].from;
    rows_conform(&cuda_h200, in_place, family);
}

static void rows_with_nothing_between_them_move_as_whole_tiles(void **state)
{
    static const uint32_t lengths[] = {WHOLE_FORMS(LENGTH, )};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        conform_whole(lengths[i], FAMILY_WHOLE);
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        conform_whole(whole[i], FAMILY_SMOOTH_WHOLE);
    rows_conform(&cuda_a100, whole_pass(500, 3), FAMILY_SMOOTH_ALONG); /* no bulk copies */
}

/* The other axis has gaps between its rows. */
static void a_whole_tile_may_have_one_row_of_its_axis(void **state)
{
    const struct engine_pass planned = whole_pass(500, 3);
    struct engine_pass fewer = planned;
    enum { POINTS = 2 * 2000 };
    struct fft_iq *in = test_noise(FFT_IQ_CF32, POINTS, 1), *out = malloc(POINTS * sizeof *out);
    struct cuda_pass p;
    (void)state;
    fewer.rows[0].count = 1;
    assert_int_equal(cuda_pass_plan(&p, &cuda_h200, &planned), 0);
    assert_int_equal(p.kernel[0].family, FAMILY_SMOOTH_WHOLE);
    emulate_pass(&p, &fewer, in, out);
    rows_check(&fewer, in, out);
    free(out);
    free(in);
}

/* An impulse shows each root of unity as it is: its rounding errors do not average out. */
static void check_impulse(const struct cuda_facts *facts, enum cuda_pass_family family, uint32_t n,
                          uint32_t place)
{
    const struct engine_pass pass = {
        .n = n, .from = 1, .to = 1, .rows = {{1, n, n}, {1, 0, 0}, {1, 0, 0}}};
    struct fft_iq *in = calloc(n, sizeof *in), *out = malloc(n * sizeof *out);
    in[place].re = 1;
    rows_run(facts, &pass, family, in, out);
    rows_check_within(tolerance_of_roots, &pass, in, out);
    free(out);
    free(in);
}

static void check_roots(const struct cuda_facts *facts, enum cuda_pass_family family, uint32_t n)
{
    check_impulse(facts, family, n, 1);
    check_impulse(facts, family, n, n / 3);
    check_impulse(facts, family, n, n - 1);
}

static void roots_of_common_lengths_are_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        check_roots(&cuda_a100, FAMILY_SMOOTH_ALONG, common[i]);
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        check_roots(&cuda_h200, FAMILY_SMOOTH_WHOLE, whole[i]);
    /* Above the bound if all transforms of three had the same sine. */
    check_impulse(&cuda_a100, FAMILY_SMOOTH_ALONG, 19683, 17459);
}

static void common_lengths_across_have_a_form(void **state)
{
    static const uint32_t lengths[] = {SMOOTH_ACROSS_FORMS(LENGTH, )};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        rows_conform(&cuda_h200, across_pass(lengths[i], lengths[i] < 500 ? 37 : 11),
                     FAMILY_SMOOTH_ACROSS);
        rows_conform(&cuda_h200, across_pass(lengths[i], 8), FAMILY_SMOOTH_ACROSS);
    }
}

static void a_run_may_have_fewer_rows_than_its_plan(void **state)
{
    (void)state;
    const struct engine_pass planned = across_pass(64, 37);
    struct engine_pass fewer = planned;
    enum { POINTS = 2 * 40 * 64 };
    struct fft_iq *in = test_noise(FFT_IQ_CF32, POINTS, 1);
    struct fft_iq *out = malloc(POINTS * sizeof *out);
    fewer.rows[0].count = 1;
    memset(out, 0xff, POINTS * sizeof *out);
    rows_run(&cuda_h200, &fewer, FAMILY_ACROSS, in, out);
    rows_check(&fewer, in, out);
    assert_true(isnan(out[37 * 64].re));
    free(out);
    free(in);
}

/* One length of each family. */
static void results_are_scaled_once(void **state)
{
    static const struct {
        uint32_t n, rows;
        struct engine_pass (*make)(uint32_t n, uint32_t rows);
        enum cuda_pass_family family;
    } cases[] = {
        {256, 5, along_pass, FAMILY_ALONG},         {16384, 2, along_pass, FAMILY_STAGED},
        {128, 20, across_pass, FAMILY_ACROSS},      {1 << 17, 1, along_pass, FAMILY_BRIDGE},
        {1 << 15, 2, along_pass, FAMILY_CLUSTER},   {1008, 3, along_pass, FAMILY_MIXED},
        {1000, 3, along_pass, FAMILY_SMOOTH_ALONG}, {240, 18, across_pass, FAMILY_SMOOTH_ACROSS},
        {8192, 3, whole_pass, FAMILY_WHOLE},        {500, 7, whole_pass, FAMILY_SMOOTH_WHOLE}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct engine_pass pass = cases[i].make(cases[i].n, cases[i].rows);
        pass.scale = 1 / (float)cases[i].n;
        rows_conform(&cuda_h200, pass, cases[i].family);
    }
}

static uint32_t ahead_of(const struct cuda_facts *facts, uint32_t n)
{
    struct cuda_pass p;
    const struct engine_pass pass = along_pass(n, 1000);
    const struct cuda_pass_memory memory = {1 << 20, 2 << 20, 3 << 20, 4 << 20};
    struct cuda_launch l;
    assert_int_equal(cuda_pass_plan(&p, facts, &pass), 0);
    assert_true(cuda_pass_launch(&p, &memory, 1000, 0, &l));
    return l.args.pass.ahead;
}

static void rows_are_prefetched_where_few_blocks_share_a_multiprocessor(void **state)
{
    (void)state;
    assert_int_equal(ahead_of(&cuda_h200, 8192), 99);
    assert_int_equal(ahead_of(&cuda_h200, 65536), 12);
    assert_int_equal(ahead_of(&cuda_h200, 4096), 0);
    assert_int_equal(ahead_of(&cuda_a100, 8192), 0);
}

/* Rows that fill scratch more than once. */
static void long_rows_share_scratch_in_chunks(void **state)
{
    (void)state;
    struct cuda_pass p;
    const struct engine_pass pass = along_pass(1 << 20, 100);
    struct cuda_launch l;
    const struct cuda_pass_memory memory = {1 << 20, 2 << 20, 3 << 20, 4 << 20};
    uint64_t rows = 0;
    assert_int_equal(cuda_pass_plan(&p, &cuda_h200, &pass), 0);
    for (uint32_t i = 0; cuda_pass_launch(&p, &memory, 100, i, &l); i++) {
        assert_int_equal(l.args.pass.first, i / 2 * p.chunk_rows);
        rows += l.args.pass.rows * l.args.pass.block_rows / l.args.pass.axes[0].count;
    }
    assert_int_equal(rows, 2 * 200);
    assert_true(p.scratch_bytes < 200 * ((size_t)8 << 20));
}

/* Every launch fits the device, on chips of every generation. */
static void check_launches(const struct cuda_facts *facts, const struct engine_pass *pass)
{
    const struct cuda_pass_memory memory = {1 << 20, 2 << 20, 3 << 20, 4 << 20};
    const char *module, *name;
    struct cuda_pass p;
    struct cuda_launch l;
    uint32_t shared;
    if (cuda_pass_plan(&p, facts, pass) != 0) {
        /* 64 KiB are too little for such long strided rows: refused, not tried. */
        if (facts->shared_block <= 65536 && pass->n > 1 << 22 && (pass->from > 1 || pass->to > 1))
            return;
        fail_msg("capability %u has no kernels for n %u", facts->capability, pass->n);
    }
    for (uint32_t i = 0; cuda_pass_launch(&p, &memory, pass->rows[0].count, i, &l); i++) {
        bool announced = false;
        for (uint32_t k = 0; cuda_pass_kernel(&p, k, &module, &name, &shared); k++)
            announced |= strcmp(name, l.kernel) == 0 && l.shared <= shared;
        assert_true(announced);
        assert_in_range(l.shared, 0, facts->shared_block);
        assert_in_range(l.block, 1, facts->threads_processor < 1024 ? 512 : 1024);
        assert_in_range(l.cluster, 1,
                        facts->capability == 90  ? 16
                        : facts->capability > 90 ? 8
                                                 : 1);
        assert_true(facts->capability >= 90 || !strstr(l.kernel, "staged"));
    }
}

static void every_launch_fits_its_device(void **state)
{
    static const struct cuda_facts consumer = {86, 82, 101376, 102400, 1536, 6 << 20};
    static const struct cuda_facts blackwell = {120, 170, 101376, 102400, 1536, 96 << 20};
    const struct cuda_facts *devices[] = {&cuda_t4, &cuda_a100, &consumer, &cuda_h200, &blackwell};
    static const uint32_t odd[] = {1,    3,     100,   1000,   1536,   2401,    3125,    5040,
                                   9000, 19683, 30000, 117649, 390625, 1000000, 5764801, 10000000};
    (void)state;
    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        for (uint32_t i = 0; i < 25 + sizeof odd / sizeof odd[0]; i++) {
            const uint32_t n = i < 25 ? 1U << i : odd[i - 25];
            struct engine_pass pass = along_pass(n, 3);
            check_launches(devices[d], &pass);
            pass.kind = PASS_R2C;
            check_launches(devices[d], &pass);
            pass = across_pass(n, 18);
            check_launches(devices[d], &pass);
            pass.kind = PASS_C2R;
            check_launches(devices[d], &pass);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_every_length_along),
        cmocka_unit_test(long_rows_use_bulk_copies),
        cmocka_unit_test(rows_of_every_length_across),
        cmocka_unit_test(long_rows_go_through_two_kernels),
        cmocka_unit_test(a_long_row_fits_into_a_cluster),
        cmocka_unit_test(results_are_scaled_once),
        cmocka_unit_test(rows_without_a_form_use_mixed_radix),
        cmocka_unit_test(common_lengths_along_have_a_form),
        cmocka_unit_test(rows_with_nothing_between_them_move_as_whole_tiles),
        cmocka_unit_test(a_whole_tile_may_have_one_row_of_its_axis),
        cmocka_unit_test(roots_of_common_lengths_are_exact),
        cmocka_unit_test(common_lengths_across_have_a_form),
        cmocka_unit_test(a_run_may_have_fewer_rows_than_its_plan),
        cmocka_unit_test(rows_are_prefetched_where_few_blocks_share_a_multiprocessor),
        cmocka_unit_test(long_rows_share_scratch_in_chunks),
        cmocka_unit_test(every_launch_fits_its_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
