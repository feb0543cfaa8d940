/* test_cost.c - the cost of a base: the document's own figures, and a simulated cache. */
#include "tests/support/cmocka_all.h"

#include "fft/general.h"
#include "studies/four_easy_ways/derivation/cost.h"

/* The document's table III. */
static const struct measured {
    uint32_t base;
    double faults, fault_s, user_s;
} table[] = {
    {2, 779628, 9318, 0.28 * 15235},  {4, 411978, 5198, 0.35 * 9693},
    {8, 289973, 3649, 0.43 * 8381},   {16, 237271, 2903, 0.52 * 8890},
    {64, 195693, 2582, 0.66 * 16040},
};
enum { MEASURED = sizeof table / sizeof table[0] };

static void page_faults_follow_the_number_of_passes(void **state)
{
    (void)state;
    for (size_t i = 0; i < MEASURED; i++) {
        const struct cost cost = cost_of(&cost_sun_20, 1 << 24, table[i].base);
        assert_near(cost.faults / table[i].faults, 1, 0.10);
        assert_near(cost.fault_s / table[i].fault_s, 1, 0.15);
        assert_near(cost.user_s / table[i].user_s, 1, 0.10);
    }
}

static uint32_t cheapest(const struct cost_machine *m, uint32_t n)
{
    static const uint32_t bases[] = {2, 4, 8, 16, 64};
    return cost_best(m, n, bases, MEASURED);
}

/* Memory, fault time and the price of a term decide: more memory means a smaller base. */
static void the_machine_decides_the_best_base(void **state)
{
    struct cost_machine machine = cost_sun_20;
    (void)state;
    assert_int_equal(cheapest(&machine, 1 << 24), 8);
    machine.memory_bytes = 1e9;
    assert_int_equal(cheapest(&machine, 1 << 24), 4);
    machine.point_s = 0;
    machine.memory_bytes = 64e6;
    machine.fault_s *= 4;
    assert_int_equal(cheapest(&machine, 1 << 24), 16);
}

/* ---- caches ------------------------------------------------------------------------------ */

enum { POINT = 8 }; /* complex floats: 8 of them in a line */

/* 16 KiB of 8 ways: 256 lines, 2 KiB a way. */
static const struct cost_cache eight_ways = {16384, 64, 8, 0};

static void the_formula_of_misses_equals_a_simulated_cache(void **state)
{
    static const uint32_t bases[] = {2, 4, 8, 16, 64};
    (void)state;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        for (uint32_t ways = 1; ways <= 16; ways *= 4) {
            const struct cost_cache c = {16384, 64, ways, 0};
            const double formula = cost_misses(&c, POINT, 1 << 12, bases[i]);
            assert_near(cost_misses_simulated(&c, POINT, 1 << 12, bases[i]) / formula, 1, 0.1);
        }
}

static double misses_a_pass(const struct cost_cache *c, uint32_t n, uint32_t base)
{
    return cost_misses_simulated(c, POINT, n, base) / (log(n) / log(base));
}

/*
 * With as many streams as ways each line is fetched once; with more it is fetched for every point.
 */
static void more_streams_than_ways_miss_at_every_access(void **state)
{
    const struct cost_cache sixteen_ways = {16384, 64, 16, 0};
    (void)state;
    assert_near(misses_a_pass(&eight_ways, 1 << 12, 8), (1 << 12) / 8.0, 10);
    assert_true(misses_a_pass(&eight_ways, 1 << 12, 16) > 5 * (1 << 12) / 8.0);
    assert_near(misses_a_pass(&sixteen_ways, 1 << 12, 16), (1 << 12) / 8.0, 10);
}

/* At a distance that is no power of two the streams spread over the sets. */
static void a_length_that_is_no_power_of_two_has_no_such_misses(void **state)
{
    const uint32_t n = 15 * 15 * 15;
    (void)state;
    assert_true(misses_a_pass(&eight_ways, n, 15) < 2.0 * n / 8);
}

/* The document's conjecture: passes want a large base, associativity a small one. */
static void associativity_limits_the_best_base(void **state)
{
    static const uint32_t bases[] = {2, 4, 8, 16};
    struct cost_machine m = {.memory_bytes = 1e12,
                             .page_bytes = 4096,
                             .point_bytes = POINT,
                             .point_s = 20e-9,
                             .term_s = 1e-9,
                             .cache = {32768, 64, 8, 100e-9}};
    (void)state;
    assert_int_equal(cost_best(&m, 1 << 24, bases, 4), 8);
    m.cache.ways = 16;
    assert_int_equal(cost_best(&m, 1 << 24, bases, 4), 16);
    m.cache = (struct cost_cache){8192, 64, 2, 100e-9};
    assert_int_equal(cost_best(&m, 1 << 24, bases, 4), 2);
}

/* A TLB of 64 entries covers 64 pages. */
static void a_tlb_is_a_cache_of_pages(void **state)
{
    const struct cost_cache tlb = {64 * 4096, 4096, 64, 0}, small = {32 * 4096, 4096, 32, 0};
    const uint32_t n = 1 << 18;
    (void)state;
    assert_near(cost_misses(&tlb, POINT, n, 64), 3 * n * POINT / 4096.0, 1);
    assert_true(cost_misses(&small, POINT, n, 64) > 2.0 * n);
    assert_near(cost_misses_simulated(&small, POINT, n, 64) / cost_misses(&small, POINT, n, 64), 1,
                0.1);
}

/* A TLB of sets: 96 entries of 6 ways have 16 sets, so that pages 64 KiB apart share one. */
static void ways_of_a_tlb_limit_streams_at_large_distances(void **state)
{
    const struct cost_cache tlb = {96 * 4096, 4096, 6, 0};
    const uint32_t n = 1 << 18;
    (void)state;
    assert_true(misses_a_pass(&tlb, n, 4) < 2.0 * n * POINT / 4096);
    assert_true(misses_a_pass(&tlb, n, 8) > n / 4.0);
    static const uint32_t bases[] = {2, 8, 64};
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        assert_near(cost_misses_simulated(&tlb, POINT, n, bases[i]) /
                        cost_misses(&tlb, POINT, n, bases[i]),
                    1, 0.25);
}

/* The reversal writes to one page after the other. */
static void a_reversal_beyond_the_tlb_misses_at_every_point(void **state)
{
    const struct cost_cache tlb = {64 * 4096, 4096, 64, 0};
    (void)state;
    for (uint32_t bits = 12; bits <= 18; bits += 3)
        for (uint32_t base = 2; base <= 8; base += 6) {
            const double formula = cost_reversal_misses(&tlb, POINT, 1U << bits);
            assert_near(cost_reversal_misses_simulated(&tlb, POINT, 1U << bits, base) / formula, 1,
                        0.05);
        }
    assert_near(cost_reversal_misses(&tlb, POINT, 1 << 15), 64, 0);
    assert_near(cost_reversal_misses(&tlb, POINT, 1 << 18), 1 << 18, 0);
}

/* A walk over the pages of a cache takes 2 ns, and 5 ns where it misses. */
static void the_capacity_is_where_a_walk_becomes_slower(void **state)
{
    static const uint32_t sizes[] = {16, 32, 64, 128, 256};
    (void)state;
    assert_int_equal(cost_capacity(sizes, (const double[]){2, 2, 2.1, 4.8, 5}, 5, 1.5), 64);
    assert_int_equal(cost_capacity(sizes, (const double[]){2, 2, 2.1, 2, 2.2}, 5, 1.5), 256);
    assert_int_equal(cost_capacity(sizes, (const double[]){2, 4, 2.1, 2, 2.2}, 5, 1.5), 16);
}

/* With walks of 200 ns, the reversal costs as much as all passes, whatever the base is. */
static void walks_of_the_reversal_do_not_depend_on_the_base(void **state)
{
    struct cost_machine m = {.memory_bytes = 1e12,
                             .page_bytes = 4096,
                             .point_bytes = POINT,
                             .point_s = 20e-9,
                             .term_s = 1e-9,
                             .walked = {1024 * 4096, 4096, 1024, 200e-9}};
    const uint32_t n = 1 << 24;
    (void)state;
    assert_near(cost_of(&m, n, 4).tlb_s / n, 200e-9, 15e-9);
    assert_near(cost_of(&m, n, 64).tlb_s / n, 200e-9, 5e-9);
    m.walked.bytes = (uint64_t)n * POINT; /* huge pages reach all points */
    assert_near(cost_of(&m, n, 4).tlb_s / n, 0, 1e-9);
}

/*
 * An x86-64 server as fft-study measured it: 48 KiB of 12 ways, a TLB of 96 entries and 6 ways, one
 * of 1536 entries. There base 4 was the fastest at every one of these sizes.
 */
static const struct cost_machine server = {.memory_bytes = 1e12,
                                           .page_bytes = 4096,
                                           .point_bytes = POINT,
                                           .point_s = 5.2e-9,
                                           .term_s = 2.95e-9,
                                           .cache = {49152, 64, 12, 1.25e-9},
                                           .tlb = {96 * 4096, 4096, 6, 0.06e-9},
                                           .walked = {1536 * 4096, 4096, 1536, 9e-9}};

static void the_librarys_first_base_is_the_models_best(void **state)
{
    static const uint32_t bases[] = {2, 4, 8, 16, 32, 64, 128, 256};
    (void)state;
    for (uint32_t bits = 12; bits <= 24; bits += 4)
        assert_int_equal(cost_best(&server, 1U << bits, bases, 8), fft_general_bases[0]);
}

/* The TLB adds as much to every base, and so does not decide. */
static void the_tlb_of_a_server_does_not_decide_the_base(void **state)
{
    const uint32_t n = 1 << 24;
    (void)state;
    for (uint32_t base = 2; base <= 16; base *= 2)
        assert_near(cost_of(&server, n, base).tlb_s / n, cost_of(&server, n, 4).tlb_s / n, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_faults_follow_the_number_of_passes),
        cmocka_unit_test(the_machine_decides_the_best_base),
        cmocka_unit_test(the_formula_of_misses_equals_a_simulated_cache),
        cmocka_unit_test(more_streams_than_ways_miss_at_every_access),
        cmocka_unit_test(a_length_that_is_no_power_of_two_has_no_such_misses),
        cmocka_unit_test(associativity_limits_the_best_base),
        cmocka_unit_test(a_tlb_is_a_cache_of_pages),
        cmocka_unit_test(ways_of_a_tlb_limit_streams_at_large_distances),
        cmocka_unit_test(a_reversal_beyond_the_tlb_misses_at_every_point),
        cmocka_unit_test(the_capacity_is_where_a_walk_becomes_slower),
        cmocka_unit_test(walks_of_the_reversal_do_not_depend_on_the_base),
        cmocka_unit_test(the_librarys_first_base_is_the_models_best),
        cmocka_unit_test(the_tlb_of_a_server_does_not_decide_the_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
