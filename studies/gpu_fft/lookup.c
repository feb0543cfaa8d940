/*
 * lookup.c - what GPU_FFT's author tried and abandoned: twiddle factors from tables, and Stockham's
 * order. The first runs in the emulator, as kernels/lookup.qasm; of the second, the reads are
 * counted in a model of the caches.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "emulate/qpu/cache_model.h"
#include "emulate/qpu/fft_measure.h"
#include "studies/gpu_fft/gpu_fft.h"

enum { TEXT = 24, LANES = 16, PAIR_BYTES = 2 * LANES * sizeof(float) };
enum { FINISH_WORDS = 7, MASTER_WORDS = 6 }; /* of uniforms after those of the last pass */

extern const struct qpu_kernel study_qpu_kernels[]; /* kernels/lookup.qasm, assembled */

/* ---- the tables ------------------------------------------------------------------------- */

static const struct qpu_plan_pass *last_pass(const struct qpu_plan *plan)
{
    return &plan->pass[plan->passes - 1];
}

/* Of what is read, and of the stages beyond 16 points. */
static uint32_t twiddles(const struct qpu_plan *plan)
{
    return 1 + last_pass(plan)->bits - 4;
}

static uint32_t lookup_bytes(const struct qpu_plan *plan)
{
    return QPU_PLAN_QPUS * twiddles(plan) * last_pass(plan)->steps * PAIR_BYTES;
}

/* Circles of a lane for k: fft/qpu/qpu_plan_tables.c. */
static double phase_of(const struct qpu_plan_pass *pass, uint32_t twiddle, uint32_t k,
                       uint32_t lane)
{
    const uint32_t reversed = (lane & 1) << 3 | (lane & 2) << 1 | (lane & 4) >> 1 | lane >> 3;
    const int bits = (int)(pass->done + 4 + twiddle);
    if (twiddle == 0)
        return ldexp((double)k * reversed, -bits);
    return ldexp(lane, -(int)(twiddle + 4)) + ldexp(k, -bits);
}

/* One twiddle of a QPU from its second step on. */
static void fill_table(float *to, const struct qpu_plan *plan, uint32_t twiddle, uint32_t q)
{
    const struct qpu_plan_pass *pass = last_pass(plan);
    for (uint32_t step = 1; step <= pass->steps; step++) {
        for (uint32_t lane = 0; lane < LANES; lane++, to++) {
            const double angle = 2 * M_PI * phase_of(pass, twiddle, q + step * QPU_PLAN_QPUS, lane);
            to[0] = (float)cos(angle);
            to[LANES] = (float)-sin(angle);
        }
        to += LANES;
    }
}

/* The address, where the program looks for it. */
static void put_address(const struct fft_run *run, uint32_t twiddle, uint32_t q, uint32_t bus)
{
    const struct qpu_plan *plan = &run->plan;
    if (twiddle == 0) {
        uint32_t *step =
            emulator_at(run->machine, run->layout.tables + PAIR_BYTES +
                                          qpu_plan_table_offset(plan, plan->passes - 1, q));
        for (uint32_t lane = 0; lane < LANES; lane++)
            step[lane] = bus + 4 * lane;
        return;
    }
    uint32_t *end = (uint32_t *)emulator_at(run->machine, run->uniforms[q]) +
                    plan->uniform_words[q] - FINISH_WORDS - (q == 0 ? MASTER_WORDS : 0);
    end[-2 * (int)(twiddles(plan) - twiddle)] = bus;
}

static int run_lookup(const uint8_t *bits, struct qpu_result *result)
{
    struct fft_run run;
    const struct qpu_task task = study_gpu_fft_task(bits, true);
    *result = (struct qpu_result){.noise = NAN};
    int err = qpu_plan_init_passes(&result->plan, &task, bits);
    const uint32_t own = result->plan.table_bytes;
    result->plan.table_bytes += lookup_bytes(&result->plan);
    err = err ? err : fft_run_init(&run, &result->plan, study_qpu_kernels);
    if (err)
        return bench_fail("the emulated QPUs", strerror(-err));
    uint32_t bus = run.layout.tables + own;
    for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++)
        for (uint32_t t = 0; t < twiddles(&result->plan); t++) {
            fill_table(emulator_at(run.machine, bus), &result->plan, t, q);
            put_address(&run, t, q, bus);
            bus += last_pass(&result->plan)->steps * PAIR_BYTES;
        }
    result->rms = fft_measure_cosine_ppm(&run, &emulator_modes[0].mode);
    result->report = run.report;
    err = isnan(result->rms) ? bench_fail("the emulated QPUs", run.report.error) : 0;
    fft_run_finish(&run);
    return err;
}

/* ---- the table -------------------------------------------------------------------------- */

static double times_read(const struct qpu_result *r)
{
    return (double)r->report.lines_read * 64 / ldexp(8, (int)r->plan.log2_n);
}

static int lookup_row(struct study *s, const uint8_t *bits)
{
    struct qpu_result here, single, table;
    const struct emulator_mode *mode = &emulator_modes[0].mode;
    char text[TEXT];
    int err = study_gpu_fft_structure(bits, QPU_TWIDDLES_WHOLE, mode, &here);
    err = err ? err : study_gpu_fft_structure(bits, QPU_TWIDDLES_SINGLE, mode, &single);
    err = err ? err : run_lookup(bits, &table);
    if (err)
        return err;
    const double stockham = cache_model_stockham(&here.plan);
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(study_gpu_fft_name(bits, text, sizeof text)),
                              CELL_NUMBER(1u << here.plan.log2_n, 10), CELL_NUMBER(here.rms, 3),
                              CELL_NUMBER(single.rms, 3), CELL_NUMBER(table.rms, 3),
                              CELL_NUMBER(1e-3 * (double)here.report.instructions, 4),
                              CELL_NUMBER(1e-3 * (double)table.report.instructions, 4),
                              CELL_NUMBER(times_read(&here), 3), CELL_NUMBER(times_read(&table), 3),
                              CELL_NUMBER(stockham, 3)});
    return 0;
}

int study_gpu_fft_lookup(struct study *s)
{
    static const char *const columns[] = {"structure",
                                          "n",
                                          "two floats, ppm",
                                          "single, ppm",
                                          "tables, ppm",
                                          "thousand instructions",
                                          "tables, thousand",
                                          "read, times the data",
                                          "tables, read",
                                          "Stockham, read, model",
                                          NULL};
    static const uint8_t structures[][QPU_PLAN_PASSES + 1] = {{4, 4},    {6, 6},    {4, 4, 4},
                                                              {5, 5, 4}, {6, 5, 5}, {6, 6, 6}};
    int err = 0;
    table_open(&s->tables, "lookup",
               "Tried and abandoned by GPU_FFT's author: twiddle factors from tables, and "
               "Stockham's order. Here the factors of the last\n"
               "pass come from recurrences of two floats, of single ones, or from tables. In other "
               "passes many steps share one. Memory is read in\n"
               "whole cache lines. Stockham's order needs no bit reversal, but each pass reads "
               "points that are far apart.",
               columns);
    for (size_t i = 0; !err && i < sizeof structures / sizeof structures[0]; i++)
        if (study_gpu_fft_task(structures[i], false).log2_n <= study_gpu_fft_largest(s))
            err = lookup_row(s, structures[i]);
    return err;
}
