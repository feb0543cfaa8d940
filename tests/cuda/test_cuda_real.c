/*
 * test_cuda_real.c - compares planned real rows, their kernels compiled for the CPU, with double
 * precision: even and odd lengths, any strides, in place, and rows too long for a block.
 *
 * Tolerance: relative error of each row in the L2 norm. Memory between and after the rows must not
 * change.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/transform_real_forms.h"
#include "reference/reference.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cuda/batch.h"
#include "tests/support/cuda/passes.h"
#include "tests/support/engine/test_engines.h"

static const double tolerance = 2.5e-7;
enum { GUARD = 64, ROWS = 3 }; /* floats after an array; rows of a pass, twice */

struct side {
    bool real;
    size_t elements, floats; /* floats of the array, guard included */
    float *at;
};

static struct side side_of(const struct engine_pass *p, bool to)
{
    struct side s = {.real = (p->kind == PASS_R2C) != to};
    const uint32_t points = s.real ? p->n : p->n / 2 + 1;
    s.elements = (points - 1) * (to ? p->to : p->from) + 1;
    for (int i = 0; i < 3; i++)
        s.elements += (p->rows[i].count - 1) * (to ? p->rows[i].to : p->rows[i].from);
    s.floats = s.elements * (s.real ? 1 : 2) + GUARD;
    s.at = aligned_alloc(256, (s.floats * sizeof(float) + 255) / 256 * 256);
    memset(s.at, 0xff, s.floats * sizeof(float));
    return s;
}

/* Element j of row (a, b). */
static float *element(const struct engine_pass *p, const struct side *s, bool to, size_t j,
                      uint32_t a, uint32_t b)
{
    const size_t at = to ? j * p->to + a * p->rows[0].to + b * p->rows[1].to
                         : j * p->from + a * p->rows[0].from + b * p->rows[1].from;
    return s->at + at * (s->real ? 1 : 2);
}

/* Real noise and its whole spectrum. */
static void noise_row(const struct engine_pass *p, uint32_t seed, float *reals,
                      struct complex64 *spectrum)
{
    float *noise = test_noise(FFT_IQ_CF32, p->n, seed + p->n);
    for (uint32_t j = 0; j < p->n; j++) {
        reals[j] = noise[j];
        spectrum[j] = (struct complex64){(double)noise[j], 0};
    }
    reference_dft(spectrum, p->n, false);
    free(noise);
}

static void fill_row(const struct engine_pass *p, const struct side *in, uint32_t a, uint32_t b,
                     const float *reals, const struct complex64 *spectrum)
{
    for (uint32_t j = 0; in->real && j < p->n; j++)
        *element(p, in, false, j, a, b) = reals[j];
    for (uint32_t k = 0; !in->real && k <= p->n / 2; k++) {
        float *x = element(p, in, false, k, a, b);
        x[0] = (float)spectrum[k].re;
        x[1] = (float)spectrum[k].im;
    }
}

static double error_of_row(const struct engine_pass *p, const struct side *out, uint32_t a,
                           uint32_t b, const float *reals, const struct complex64 *spectrum)
{
    double off = 0, all = 0;
    for (uint32_t j = 0; out->real && j < p->n; j++) {
        const double want = (double)reals[j] * p->n; /* unscaled */
        off += pow((double)*element(p, out, true, j, a, b) - want, 2);
        all += want * want;
    }
    for (uint32_t k = 0; !out->real && k <= p->n / 2; k++) {
        const float *x = element(p, out, true, k, a, b);
        off += pow((double)x[0] - spectrum[k].re, 2) + pow((double)x[1] - spectrum[k].im, 2);
        all += pow(spectrum[k].re, 2) + pow(spectrum[k].im, 2);
    }
    return sqrt(off / all);
}

/* shrunk: with the least possible scratch. Returns the number of launches. */
static uint32_t run(const struct cuda_facts *facts, const struct engine_pass *pass, bool shrunk,
                    const float *in, float *out)
{
    struct cuda_pass p;
    assert_int_equal(cuda_pass_plan(&p, facts, pass), 0);
    while (shrunk && cuda_pass_shrink(&p))
        ;
    return emulate_pass(&p, pass, in, out);
}

static uint32_t written(const struct side *s)
{
    uint32_t count = 0;
    for (size_t i = 0; i < s->floats; i++)
        count += isnan(s->at[i]) ? 0 : 1;
    return count;
}

static uint32_t conform(const struct cuda_facts *facts, const struct engine_pass *pass, bool shrunk,
                        bool in_place)
{
    const uint32_t rows = pass->rows[0].count * pass->rows[1].count, n = pass->n;
    struct side in = side_of(pass, false), out = side_of(pass, true);
    struct complex64 *spectra = malloc((size_t)rows * n * sizeof *spectra);
    float *reals = malloc((size_t)rows * n * sizeof *reals), *before;
    if (in_place) {
        assert_true(in.floats <= out.floats + 2);
        free(in.at);
        in.at = out.at;
    }
    for (uint32_t i = 0; i < rows; i++) {
        noise_row(pass, i, reals + (size_t)i * n, spectra + (size_t)i * n);
        fill_row(pass, &in, i % pass->rows[0].count, i / pass->rows[0].count, reals + (size_t)i * n,
                 spectra + (size_t)i * n);
    }
    before = malloc(in.floats * sizeof *before);
    if (!in_place)
        memcpy(before, in.at, in.floats * sizeof *before);
    const uint32_t launches = run(facts, pass, shrunk, in.at, out.at);
    for (uint32_t i = 0; i < rows; i++) {
        const double error =
            error_of_row(pass, &out, i % pass->rows[0].count, i / pass->rows[0].count,
                         reals + (size_t)i * n, spectra + (size_t)i * n);
        if (!(error <= tolerance))
            fail_msg("kind %d, n %u, row %u: error %g", pass->kind, n, i, error);
    }
    if (!in_place) {
        assert_memory_equal(in.at, before, in.floats * sizeof *before);
        assert_int_equal(written(&out), rows * (out.real ? n : 2 * (n / 2 + 1)));
        free(in.at);
    }
    free(before);
    free(reals);
    free(spectra);
    free(out.at);
    return launches;
}

/* Rows in sequence with gaps between them; points of the real side are `stride` apart. */
static struct engine_pass pass_of(enum pass_kind kind, uint32_t n, uint32_t rows, uint32_t stride)
{
    const size_t real = (size_t)n * stride + 1, bins = n / 2 + 3;
    struct engine_pass p = {.kind = kind, .n = n, .inverse = kind == PASS_C2R, .from = 1, .to = 1};
    const bool to_bins = kind == PASS_R2C;
    p.from = to_bins ? stride : 1;
    p.to = to_bins ? 1 : stride;
    p.rows[0] = (struct engine_rows){rows, to_bins ? real : bins, to_bins ? bins : real};
    p.rows[1] = (struct engine_rows){2, rows * p.rows[0].from + 5, rows * p.rows[0].to + 3};
    p.rows[2] = (struct engine_rows){1, 0, 0};
    return p;
}

/* Rows padded to 2 (n/2 + 1) floats, at a multiple of 8 bytes. */
static struct engine_pass in_place_pass(enum pass_kind kind, uint32_t n)
{
    const size_t bins = n / 2 + 1;
    struct engine_pass p = pass_of(kind, n, ROWS, 1);
    p.rows[0].from = p.rows[0].to = bins;
    p.rows[1].from = p.rows[1].to = ROWS * bins;
    for (int i = 0; i < 2; i++)
        *(kind == PASS_R2C ? &p.rows[i].from : &p.rows[i].to) *= 2;
    return p;
}

static const uint32_t lengths[] = {1,   2,   3,   4,   5,    6,    7,    8,    9,    10,   12,  14,
                                   16,  18,  27,  32,  45,   48,   50,   98,   100,  128,  243, 256,
                                   360, 512, 625, 686, 1000, 1024, 1536, 2401, 3000, 4096, 5040};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static void rows_of_any_length_are_one_launch(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * LENGTHS; i++) {
        const enum pass_kind kind = i % 2 ? PASS_C2R : PASS_R2C;
        const struct engine_pass pass = pass_of(kind, lengths[i / 2], ROWS, 1);
        assert_int_equal(conform(&cuda_h200, &pass, false, false), 1);
    }
}

static void reals_may_have_any_stride(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * LENGTHS; i += 3) {
        const enum pass_kind kind = i % 2 ? PASS_C2R : PASS_R2C;
        struct engine_pass pass = pass_of(kind, lengths[i / 2], ROWS, 3);
        assert_int_equal(conform(&cuda_h200, &pass, false, false), 1);
        /* Adjacent rows: 2 ROWS of them between two points of one. */
        struct engine_rows *r = pass.rows;
        pass.from = pass.to = r[0].count * r[1].count;
        r[0].from = r[0].to = 1;
        r[1].from = r[1].to = r[0].count;
        assert_int_equal(conform(&cuda_h200, &pass, false, false), 1);
    }
}

static void a_real_row_may_become_its_bins_in_place(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * LENGTHS; i += 3) {
        const struct engine_pass pass = in_place_pass(i % 2 ? PASS_C2R : PASS_R2C, lengths[i / 2]);
        conform(&cuda_h200, &pass, false, true);
        conform(&cuda_t4, &pass, false, true);
    }
}

#define CASE(n, e, r0, r1, r2, r3, rows, blocks, kind) {kind, n},

static const char *kernel_of(const struct engine_pass *pass, uint32_t index)
{
    struct cuda_pass plan;
    const char *module, *name = NULL;
    uint32_t shared;
    assert_int_equal(cuda_pass_plan(&plan, &cuda_h200, pass), 0);
    assert_true(cuda_pass_kernel(&plan, index, &module, &name, &shared));
    return name;
}

/* 2^k reals in pairs have kernels of their own, in tiles of which the last is not full. */
static void pairs_of_reals_have_their_own_kernels(void **state)
{
    (void)state;
    for (uint32_t n = 128; n <= 32768; n *= 2) {
        char part[32], join[32];
        struct engine_pass pass = pass_of(PASS_R2C, n, n < 1024 ? 19 : 3, 1);
        snprintf(part, sizeof part, "transform_part_%u", n / 2);
        snprintf(join, sizeof join, "transform_join_%u", n / 2);
        assert_string_not_equal(kernel_of(&pass, 0), part); /* rows at odd places */
        pass.rows[0].from += 1;
        pass.rows[1].from = pass.rows[0].count * pass.rows[0].from + 6;
        assert_string_equal(kernel_of(&pass, 0), part);
        assert_int_equal(conform(&cuda_h200, &pass, false, false), 1);
        const struct engine_pass back = in_place_pass(PASS_C2R, n);
        assert_string_equal(kernel_of(&back, 0), join);
        assert_int_equal(conform(&cuda_h200, &back, false, false), 1);
    }
}

/* Nothing between the rows of the first axis, odd gaps between those of the second. */
static void pairs_with_nothing_between_rows_move_as_whole_tiles(void **state)
{
    static const struct {
        enum pass_kind kind;
        uint32_t points;
    } cases[] = {PART_WHOLE_FORMS(CASE, PASS_R2C) JOIN_WHOLE_FORMS(CASE, PASS_C2R)};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t n = 2 * cases[i].points, bins = n / 2 + 1, rows = n < 1024 ? 19 : 3;
        const bool part = cases[i].kind == PASS_R2C;
        struct engine_pass pass = pass_of(cases[i].kind, n, rows, 1);
        char name[40];
        snprintf(name, sizeof name, "transform_%s_whole_%u", part ? "part" : "join", n / 2);
        pass.rows[0] = (struct engine_rows){rows, part ? n : bins, part ? bins : n};
        pass.rows[1] = (struct engine_rows){2, rows * pass.rows[0].from + (part ? 6 : 3),
                                            rows * pass.rows[0].to + (part ? 3 : 6)};
        assert_string_equal(kernel_of(&pass, 0), name);
        assert_int_equal(conform(&cuda_h200, &pass, false, false), 1);
        conform(&cuda_a100, &pass, false, false); /* no bulk copies */
    }
}

/*
 * Too long for a block: even and odd lengths, with one or two complex kernels, and also one row at
 * a time.
 */
static void long_real_rows_are_gathered(void **state)
{
    static const struct {
        const struct cuda_facts *facts;
        uint32_t n, launches;
    } cases[] = {{&cuda_t4, 16384, 4}, {&cuda_h200, 32768, 3}, {&cuda_h200, 65536, 3},
                 {&cuda_t4, 19683, 4}, {&cuda_h200, 19683, 3}, {&cuda_h200, 30000, 4}};
    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const enum pass_kind kind = i % 2 ? PASS_C2R : PASS_R2C, other = PASS_R2C + PASS_C2R - kind;
        const struct engine_pass pass = pass_of(kind, cases[i].n, 1, 1 + i % 3);
        const struct engine_pass placed = in_place_pass(other, cases[i].n);
        assert_int_equal(conform(cases[i].facts, &pass, false, false), cases[i].launches);
        assert_int_equal(conform(cases[i].facts, &pass, true, false), 2 * cases[i].launches);
        conform(cases[i].facts, &placed, true, true);
    }
}

/* Long rows of pairs: the complex kernels read and write the reals themselves, some rows at a time.
 */
static void long_pairs_are_not_gathered(void **state)
{
    static const struct {
        const struct cuda_facts *facts;
        uint32_t n, launches;
    } cases[] = {{&cuda_t4, 16384, 3}, {&cuda_h200, 30000, 3}};
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t n = cases[i / 2].n, launches = cases[i / 2].launches;
        struct engine_pass pass = pass_of(i % 2 ? PASS_C2R : PASS_R2C, n, 3, 1);
        *(i % 2 ? &pass.rows[0].to : &pass.rows[0].from) += 1;
        pass.rows[1] = (struct engine_rows){1, 0, 0};
        assert_int_equal(conform(cases[i / 2].facts, &pass, false, false), launches);
        assert_int_equal(conform(cases[i / 2].facts, &pass, true, false), 3 * launches);
        pass = in_place_pass(i % 2 ? PASS_C2R : PASS_R2C, n);
        pass.rows[1] = (struct engine_rows){1, 0, 0};
        conform(cases[i / 2].facts, &pass, true, true);
    }
}

/* Pairs whose complex rows take two kernels are two launches, also with little scratch. */
static void pairs_in_two_kernels_cross_memory_twice(void **state)
{
    (void)state;
    for (uint32_t n = 65536; n <= 1048576; n *= 2) {
        const struct cuda_facts *facts = n < 262144 ? &cuda_a100 : &cuda_h200;
        for (uint32_t i = 0; i < 2; i++) {
            struct engine_pass pass = pass_of(i ? PASS_C2R : PASS_R2C, n, 2, 1);
            *(i ? &pass.rows[0].to : &pass.rows[0].from) += 1;
            pass.rows[1] = (struct engine_rows){1, 0, 0};
            assert_int_equal(conform(facts, &pass, false, false), 2);
            pass = in_place_pass(i ? PASS_C2R : PASS_R2C, n);
            pass.rows[1] = (struct engine_rows){1, 0, 0};
            assert_int_equal(conform(facts, &pass, true, true), 2 * ROWS);
        }
    }
}

/* Of 4M reals: only half of the rows in a tile that makes bins are adjacent, so it has many. */
static void bins_come_from_the_shorter_rows(void **state)
{
    struct engine_pass pass = pass_of(PASS_R2C, 4194304, 2, 1);
    (void)state;
    pass.rows[0].from += 1;
    pass.rows[1] = (struct engine_rows){1, 0, 0};
    assert_string_equal(kernel_of(&pass, 0), "transform_across_2048x8");
    assert_string_equal(kernel_of(&pass, 1), "transform_part_rows_1024");
    pass = pass_of(PASS_R2C, 1048576, 2, 1);
    pass.rows[0].from += 1;
    pass.rows[1] = (struct engine_rows){1, 0, 0};
    assert_string_equal(kernel_of(&pass, 1), "transform_part_rows_1024");
    pass = in_place_pass(PASS_C2R, 4194304);
    pass.rows[1] = (struct engine_rows){1, 0, 0};
    assert_string_equal(kernel_of(&pass, 0), "transform_join_columns_1024");
    assert_string_equal(kernel_of(&pass, 1), "transform_bridge_2048x4");
}

/* Pairs in the rows of a cluster are one launch without scratch. */
static void pairs_in_a_cluster_cross_memory_once(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t n = i < 2 ? 65536 : 131072;
        struct engine_pass pass = pass_of(i % 2 ? PASS_C2R : PASS_R2C, n, 3, 1);
        struct cuda_pass plan;
        *(i % 2 ? &pass.rows[0].to : &pass.rows[0].from) += 1;
        pass.rows[1] = (struct engine_rows){1, 0, 0};
        assert_int_equal(cuda_pass_plan(&plan, &cuda_h200, &pass), 0);
        assert_int_equal(plan.scratch_bytes, 0);
        assert_int_equal(conform(&cuda_h200, &pass, false, false), 1);
        pass = in_place_pass(i % 2 ? PASS_C2R : PASS_R2C, n);
        pass.rows[1] = (struct engine_rows){1, 0, 0};
        assert_int_equal(conform(&cuda_h200, &pass, false, true), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_any_length_are_one_launch),
        cmocka_unit_test(reals_may_have_any_stride),
        cmocka_unit_test(a_real_row_may_become_its_bins_in_place),
        cmocka_unit_test(pairs_of_reals_have_their_own_kernels),
        cmocka_unit_test(pairs_with_nothing_between_rows_move_as_whole_tiles),
        cmocka_unit_test(long_real_rows_are_gathered),
        cmocka_unit_test(long_pairs_are_not_gathered),
        cmocka_unit_test(pairs_in_two_kernels_cross_memory_twice),
        cmocka_unit_test(bins_come_from_the_shorter_rows),
        cmocka_unit_test(pairs_in_a_cluster_cross_memory_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
