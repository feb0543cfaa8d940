/* test_cpu_density.c - the levels and hits of a density, with every instruction set of the machine.
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/cpu/base/cpu_isa.h"
#include "fft/cpu/spectrum/cpu_density_map.h"
#include "tests/support/sweep.h"

static const struct fft_density ranges[] = {
    {1, 201, 0, 128.0F / 201}, {1, 201, 10, 1},      {1, 256, 0, 0.5F},      {1, 61, -20, 0.1F},
    {1, 4096, 3.3F, 0.02F},    {1, 257, -100, 0.3F}, {1, 1, 0, 1},           {1, 2, -30, 1e-3F},
    {1, 100, 0, 12},           {1, 30, 0, 1e-6F},    {1, 4096, 0, 0.00001F}, {1, 200, 1500, 2},
};

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

/* From 10^-30 to 100, which few levels cover as a whole. */
static float any_power(uint32_t *state)
{
    return powf(10, (float)next(state) / (1 << 24) * 32 - 30);
}

/* The definition in fft.h. */
static uint32_t true_row(const struct fft_density *d, float power)
{
    const long double top = (long double)d->top_db, step = (long double)d->step_db;
    const long double row = floorl((top - 10 * log10l((long double)power)) / step);
    return row < 0 ? 0 : row > d->levels - 1 ? d->levels - 1 : (uint32_t)row;
}

/* One frame of a density, computed with one instruction set. */
struct frame {
    const struct cpu_isa *isa;
    struct density_map map;
    float *powers;
    void *scratch, *levels;
};

static void init_frame(struct frame *f, const struct cpu_isa *isa, const struct fft_density *d,
                       uint32_t n)
{
    *f = (struct frame){.isa = isa};
    assert_int_equal(cpu_density_map_init(&f->map, d, n), 0);
    f->powers = cpu_memory_take(n * sizeof *f->powers);
    f->scratch = cpu_memory_take(cpu_density_scratch_bytes(&f->map));
    f->levels = cpu_memory_take(cpu_density_levels_bytes(&f->map));
    assert_true(f->powers && f->scratch && f->levels);
}

static void finish_frame(struct frame *f)
{
    cpu_memory_free(f->powers);
    cpu_memory_free(f->scratch);
    cpu_memory_free(f->levels);
    cpu_density_map_finish(&f->map);
}

static uint32_t level_at(const struct frame *f, uint32_t column, uint32_t frame)
{
    const size_t at = cpu_density_level_at(&f->map, column, frame);
    return f->map.wide ? ((const uint16_t *)f->levels)[at] : ((const uint8_t *)f->levels)[at];
}

static void check_rows(const struct cpu_isa *isa, const struct fft_density *range,
                       const float *powers, uint32_t n)
{
    struct fft_density d = *range;
    struct frame f;
    d.columns = n;
    init_frame(&f, isa, &d, n);
    memcpy(f.powers, powers, n * sizeof *powers);
    f.isa->density(&f.map, f.powers, f.scratch, f.levels);
    for (uint32_t i = 0; i < n; i++)
        if (level_at(&f, i, 0) != true_row(&d, powers[i]))
            fail_msg("%s, %u levels of %g dB from %g dB: %a is in row %u, not %u", isa->name,
                     d.levels, (double)d.step_db, (double)d.top_db, (double)powers[i],
                     true_row(&d, powers[i]), level_at(&f, i, 0));
    finish_frame(&f);
}

/* Four floats about each level, and other powers. */
static void every_power_is_in_the_row_that_holds_its_level(void **state)
{
    enum { N = 32768 };
    static float powers[N];
    (void)state;
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        const struct fft_density *d = &ranges[k];
        uint32_t seed = 7;
        for (uint32_t i = 0; i < N; i++)
            powers[i] = any_power(&seed);
        for (uint32_t r = 0; r < d->levels; r++) {
            const double level_db = (double)d->top_db - r * (double)d->step_db;
            float power = (float)pow(10, level_db / 10);
            if (level_db < -370 || level_db > 380) /* no power of a spectrum */
                continue;
            power = nextafterf(nextafterf(power, 0), 0);
            for (uint32_t i = 0; i < 4; i++, power = nextafterf(power, INFINITY))
                powers[4 * r + i] = power;
        }
        for (size_t i = 0; cpu_isa_at(i); i++)
            if (cpu_isa_at(i)->available())
                check_rows(cpu_isa_at(i), d, powers, N);
    }
}

static void silence_is_in_the_last_row(void **state)
{
    static const float powers[1024];
    (void)state;
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; cpu_isa_at(i); i++)
            if (cpu_isa_at(i)->available())
                check_rows(cpu_isa_at(i), &ranges[k], powers, 1024);
}

/* ---- columns ---------------------------------------------------------------------------- */

static void check_columns(const struct cpu_isa *isa, const struct fft_density *d, uint32_t n,
                          struct kernel_order order)
{
    const uint32_t leaf = n / order.rows / order.inner;
    float *peaks = calloc(d->columns, sizeof *peaks);
    uint32_t seed = n + d->columns;
    struct frame f;

    init_frame(&f, isa, d, n);
    f.map.order = order;
    assert_non_null(peaks);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = i / leaf / order.inner, c = i / leaf % order.inner, k = i % leaf;
        const uint64_t bin = row + order.rows * (c + order.inner * k);
        const uint64_t column = bin * d->columns / n;
        f.powers[i] = any_power(&seed);
        peaks[column] = fmaxf(peaks[column], f.powers[i]);
    }
    isa->density(&f.map, f.powers, f.scratch, f.levels);
    for (uint32_t c = 0; c < d->columns; c++)
        if (level_at(&f, c, 0) != true_row(d, peaks[c]))
            fail_msg("%s, n %u, order %u %u: column %u of %u has row %u, not %u", isa->name, n,
                     order.rows, order.inner, c, d->columns, level_at(&f, c, 0),
                     true_row(d, peaks[c]));
    free(peaks);
    finish_frame(&f);
}

static void a_columns_row_is_that_of_its_peak(void **state)
{
    static const struct {
        uint32_t n;
        struct kernel_order order;
    } shapes[] = {{64, {1, 1}},    {128, {2, 1}},   {1024, {4, 1}},     {1024, {16, 1}},
                  {4096, {16, 1}}, {8192, {32, 4}}, {65536, {128, 16}}, {4096, {1, 8}}};
    static const uint32_t columns[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 500, 512, 801, 1000, 2401};
    static const uint32_t levels[] = {201, 700};
    unsigned index = 0;
    (void)state;
    for (size_t i = 0; cpu_isa_at(i); i++)
        for (size_t s = 0; cpu_isa_at(i)->available() && s < sizeof shapes / sizeof shapes[0]; s++)
            for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
                for (size_t l = 0; l < 2 && columns[c] <= shapes[s].n; l++) {
                    if (!sweep_takes(index++, 3))
                        continue;
                    const struct fft_density d = {columns[c], levels[l], 0, 0.7F};
                    check_columns(cpu_isa_at(i), &d, shapes[s].n, shapes[s].order);
                }
}

/* ---- hits ------------------------------------------------------------------------------- */

/* A column's levels are `spread` rows from one that depends on it, but some are in any row. */
static void fill_levels(struct frame *f, uint32_t frames, uint32_t spread)
{
    enum { SOME = 150 }; /* one of so many, where all frames are filled */
    uint32_t seed = spread + frames;
    for (uint32_t c = 0; c < f->map.columns; c++)
        for (uint32_t i = 0; i < frames; i++) {
            const bool any = frames == DENSITY_FRAMES && next(&seed) % SOME == 0;
            const uint32_t at_most = any ? f->map.levels : spread;
            const uint32_t row = (c * 37 + next(&seed) % at_most) % f->map.levels;
            const size_t at = cpu_density_level_at(&f->map, c, i);
            if (f->map.wide)
                ((uint16_t *)f->levels)[at] = (uint16_t)row;
            else
                ((uint8_t *)f->levels)[at] = (uint8_t)row;
        }
}

static void check_hits(const struct cpu_isa *isa, const struct fft_density *d, uint32_t frames,
                       uint32_t spread, uint32_t *reversed)
{
    const size_t cells = (size_t)d->columns * d->levels;
    uint32_t *want = calloc(cells, sizeof *want);
    uint32_t *got = calloc(cells + CPU_DENSITY_SPARE, sizeof *got);
    struct frame f;

    init_frame(&f, isa, d, d->columns);
    assert_true(want && got);
    fill_levels(&f, frames, spread);
    f.map.column_of = reversed;
    for (uint32_t c = 0; c < d->columns; c++)
        for (uint32_t i = 0; i < frames; i++)
            want[(reversed ? reversed[c] : c) * d->levels + level_at(&f, c, i)] += 2;
    isa->count(&f.map, f.levels, frames, got);
    isa->count(&f.map, f.levels, frames, got); /* adds to what is there */
    if (memcmp(got, want, cells * sizeof *want) != 0)
        fail_msg("%s: wrong hits of %u frames in %u x %u cells, levels %u apart", isa->name, frames,
                 d->columns, d->levels, spread);
    for (size_t i = 0; i < CPU_DENSITY_SPARE; i++)
        assert_int_equal(got[cells + i], 0);
    f.map.column_of = NULL;
    finish_frame(&f);
    free(want);
    free(got);
}

static void every_frame_is_one_hit_in_each_column(void **state)
{
    static const uint32_t frames[] = {1, 2, 15, 16, 17, 64, 100, DENSITY_FRAMES};
    static const uint32_t spreads[] = {1, 20, 64, 65, 250};
    static const struct fft_density shapes[] = {
        {801, 201, 0, 1}, {128, 256, 0, 1}, {130, 61, 0, 1}, {64, 1, 0, 1}, {70, 1000, 0, 1}};
    uint32_t reversed[801];
    unsigned index = 0;
    (void)state;
    for (size_t i = 0; cpu_isa_at(i); i++)
        for (size_t s = 0; cpu_isa_at(i)->available() && s < sizeof shapes / sizeof shapes[0]; s++)
            for (size_t k = 0; k < sizeof frames / sizeof frames[0]; k++)
                for (size_t j = 0; j < sizeof spreads / sizeof spreads[0]; j++) {
                    if (!sweep_takes(index++, 3))
                        continue;
                    for (uint32_t c = 0; c < shapes[s].columns; c++)
                        reversed[c] = shapes[s].columns - 1 - c;
                    check_hits(cpu_isa_at(i), &shapes[s], frames[k], spreads[j],
                               k % 2 ? reversed : NULL);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_power_is_in_the_row_that_holds_its_level),
        cmocka_unit_test(silence_is_in_the_last_row),
        cmocka_unit_test(a_columns_row_is_that_of_its_peak),
        cmocka_unit_test(every_frame_is_one_hit_in_each_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
