/* twiddles.c - the tables of twiddle precision, of the order of passes and of schedules. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "emulate/qpu/twiddle_model.h"
#include "studies/gpu_fft/gpu_fft.h"

enum { TEXT = 24, FIRST_LONG = 16, MODES_LOG2 = 16 };

static void bits_of(const struct qpu_plan *plan, uint8_t *bits)
{
    memset(bits, 0, QPU_PLAN_PASSES + 1);
    for (uint32_t p = 0; p < plan->passes; p++)
        bits[p] = (uint8_t)plan->pass[p].bits;
}

static int twiddles_row(struct study *s, uint32_t log2_n)
{
    const struct gpu_fft *published = &gpu_fft[log2_n - GPU_FFT_MIN_LOG2];
    const struct qpu_result *whole = study_gpu_fft_length(log2_n);
    struct qpu_result single;
    struct qpu_plan plan;
    uint8_t bits[QPU_PLAN_PASSES + 1];
    char n[TEXT];
    if (!whole)
        return BENCH_REPORTED;
    bits_of(&whole->plan, bits);
    const int err =
        study_gpu_fft_structure(bits, QPU_TWIDDLES_SINGLE, &emulator_modes[0].mode, &single);
    if (err)
        return err;
    const struct qpu_task task = study_gpu_fft_task(published->bits, true);
    qpu_plan_init_passes(&plan, &task, published->bits);
    const double model = twiddle_model_ppm(&plan, TWIDDLE_PER_STAGE);
    snprintf(n, sizeof n, "%u", 1u << log2_n);
    table_row(
        &s->tables,
        (struct cell[]){
            CELL_TEXT(n), CELL_NUMBER(twiddle_model_steps(&plan), 6), CELL_NUMBER(whole->rms, 3),
            CELL_NUMBER(single.rms, 3), CELL_NUMBER(single.rms / whole->rms, 3),
            CELL_NUMBER(twiddle_model_ppm(&whole->plan, TWIDDLE_PER_READ), 3),
            CELL_NUMBER(model, 3), CELL_NUMBER(published->rms_2, 3), CELL_NUMBER(published->rms, 2),
            CELL_NUMBER((isnan(published->rms_2) ? model : published->rms_2) / published->rms, 3)});
    return 0;
}

int study_gpu_fft_twiddles(struct study *s)
{
    static const char *const columns[] = {"n",
                                          "steps",
                                          "two floats, ppm",
                                          "single, ppm",
                                          "times worse",
                                          "model, ppm",
                                          "model a stage, ppm",
                                          "document, 2.0, ppm",
                                          "document, 3.0, ppm",
                                          "times worse there",
                                          NULL};
    const uint32_t last = study_gpu_fft_largest(s);
    int err = 0;
    table_open(&s->tables, "twiddles",
               "cos and sin as sums of two floats improve accuracy \"by almost three orders of "
               "magnitude in the longer transforms\".\n"
               "The manuals confirm factors of 240 and 480 at 1M and 2M. 4M is new in 3.0; a "
               "model of single recurrences, which\n"
               "reproduces release 2.0's errors from 256K to 2M, predicts 950. In GPU_FFT every "
               "butterfly stage has a twiddle that\n"
               "shrinks, rounded toward zero, in every step. Here four stages share one, so "
               "fewer errors add up and the gain is less.",
               columns);
    for (uint32_t log2_n = last < FIRST_LONG ? last : FIRST_LONG; !err && log2_n <= last; log2_n++)
        err = twiddles_row(s, log2_n);
    return err;
}

/* ---- the order of passes ------------------------------------------------------------------- */

static int order_row(struct study *s, const uint8_t *bits, double documented)
{
    const struct emulator_mode *mode = &emulator_modes[0].mode;
    struct qpu_result r, single;
    char text[TEXT];
    int err = study_gpu_fft_structure(bits, QPU_TWIDDLES_WHOLE, mode, &r);
    err = err ? err : study_gpu_fft_structure(bits, QPU_TWIDDLES_SINGLE, mode, &single);
    if (err)
        return err;
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(study_gpu_fft_name(bits, text, sizeof text)),
                              CELL_NUMBER(1u << r.plan.log2_n, 10), CELL_NUMBER(r.plan.passes, 1),
                              CELL_NUMBER(twiddle_model_steps(&r.plan), 6), CELL_NUMBER(r.rms, 4),
                              CELL_NUMBER(single.rms, 3), CELL_NUMBER(documented, 2),
                              CELL_NUMBER(1e-3 * (double)r.report.instructions, 4)});
    return 0;
}

int study_gpu_fft_order(struct study *s)
{
    static const char *const columns[] = {
        "structure", "n",           "passes",        "steps",
        "rms, ppm",  "single, ppm", "document, ppm", "thousand instructions",
        NULL};
    static const struct {
        uint8_t log2_n, bits[QPU_PLAN_PASSES + 1];
        double documented;
    } rows[] = {{12, {4, 4, 4}, .78},    {12, {6, 6}, NAN},    {17, {5, 4, 4, 4}, 1.3},
                {17, {5, 6, 6}, NAN},    {17, {6, 6, 5}, NAN}, {18, {5, 5, 4, 4}, NAN},
                {18, {5, 4, 4, 5}, 1.3}, {18, {6, 6, 6}, NAN}};
    int err = 0;
    table_open(&s->tables, "order",
               "\"5+4+4+5 has lower root-mean-square (rms) error than 5+5+4+4\": the last pass "
               "rotates its twiddles most often, and a\n"
               "longer last pass takes fewer steps. Single floats show the difference; with two, "
               "only the rounding of the data is left, and 5+5+4+4 has the lower error.",
               columns);
    for (size_t i = 0; !err && i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].log2_n <= study_gpu_fft_largest(s))
            err = order_row(s, rows[i].bits, rows[i].documented);
    return err;
}

/* ---- schedules ----------------------------------------------------------------------------- */

int study_gpu_fft_modes(struct study *s)
{
    static const char *const columns[] = {
        "mode", "n", "rms, ppm", "thousand instructions", "ms", "M instructions/s", NULL};
    const uint32_t last = study_gpu_fft_largest(s);
    struct qpu_plan plan;
    uint8_t bits[QPU_PLAN_PASSES + 1];
    table_open(&s->tables, "modes",
               "Every schedule of the emulated QPUs, with DMA at once or as late as possible: "
               "equal results; and the emulator's speed.",
               columns);
    qpu_plan_init(&plan,
                  &(struct qpu_task){.log2_n = last < MODES_LOG2 ? last : MODES_LOG2, .frames = 1});
    bits_of(&plan, bits);
    for (int m = 0; m < EMULATOR_MODES; m++) {
        struct qpu_result r;
        const int err =
            study_gpu_fft_structure(bits, QPU_TWIDDLES_WHOLE, &emulator_modes[m].mode, &r);
        if (err)
            return err;
        const double instructions = (double)r.report.instructions;
        table_row(&s->tables,
                  (struct cell[]){CELL_TEXT(emulator_modes[m].name),
                                  CELL_NUMBER(1u << plan.log2_n, 10), CELL_NUMBER(r.rms, 6),
                                  CELL_NUMBER(1e-3 * instructions, 4),
                                  CELL_NUMBER(1e3 * r.seconds, 3),
                                  CELL_NUMBER(1e-6 * instructions / r.seconds, 3)});
    }
    return 0;
}
