/* choices.c - what GPU_FFT does for some lengths only: its swizzle of lanes, its way of launching.
 */
#include <stdio.h>

#include "emulate/qpu/cache_model.h"
#include "studies/gpu_fft/gpu_fft.h"

enum { TEXT = 24 };

/* ---- the swizzle ------------------------------------------------------------------------ */

static int swizzle_row(struct study *s, const uint8_t *bits)
{
    struct qpu_plan plan;
    char n[TEXT];
    const struct qpu_task task = study_gpu_fft_task(bits, false);
    if (qpu_plan_init_passes(&plan, &task, bits) < 0)
        return BENCH_REPORTED;
    snprintf(n, sizeof n, "%u", 1u << plan.log2_n);
    const double plain = cache_model_misses(&plan, CACHE_MODEL_PLAIN, false);
    const double here = cache_model_misses(&plan, CACHE_MODEL_INTERLEAVED, false);
    const double best = cache_model_misses(&plan, CACHE_MODEL_INTERLEAVED, true);
    table_row(&s->tables, (struct cell[]){CELL_TEXT(n), CELL_NUMBER(plain, 4), CELL_NUMBER(here, 4),
                                          CELL_NUMBER(best, 4)});
    return 0;
}

int study_gpu_fft_swizzle(struct study *s)
{
    static const char *const columns[] = {"n", "plain", "interleaved", "any order of lanes", NULL};
    static const uint8_t structures[][QPU_PLAN_PASSES + 1] = {{5, 6}, {4, 4, 4}, {4, 4, 5}};
    int err = 0;
    table_open(&s->tables, "swizzle",
               "GPU_FFT exchanges lanes at 4096 points, so that lanes that share a cache line ask "
               "for it one after the other. Lines that the\n"
               "TMUs request in the first pass, for each point: in the orders of table cache, and "
               "the fewest that exchanging lanes of a request\n"
               "may achieve after interleaving: each line once.",
               columns);
    for (size_t i = 0; !err && i < sizeof structures / sizeof structures[0]; i++)
        err = swizzle_row(s, structures[i]);
    return err;
}

/* ---- the launch ------------------------------------------------------------------------- */

static const double mailbox_ms = .1, clocks_of_instruction = 4, qpu_hz = 250e6;
/* GPU_FFT pokes registers for up to this many points of all transforms of a launch. */
static const uint32_t register_points = 5 << 12;

static void launch_row(struct study *s, uint32_t log2_n, const struct qpu_result *result)
{
    const double run_ms =
        1e3 * (double)result->report.max_instructions * clocks_of_instruction / qpu_hz;
    const uint32_t points = 1u << log2_n;
    char n[TEXT];
    snprintf(n, sizeof n, "%u", points);
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(n), CELL_NUMBER(run_ms, 3),
                              CELL_NUMBER(run_ms + mailbox_ms, 3),
                              CELL_NUMBER(100 * mailbox_ms / (run_ms + mailbox_ms), 2),
                              CELL_TEXT(points <= register_points ? "registers" : "mailbox")});
}

int study_gpu_fft_launch(struct study *s)
{
    static const char *const columns[] = {
        "n", "registers, ms", "mailbox, ms", "mailbox's share, %", "GPU_FFT, one transform", NULL};
    const uint32_t largest = study_gpu_fft_largest(s), most = largest < 18 ? largest : 18;
    table_open(&s->tables, "launch",
               "A MODEL: the bound of table time, plus the 100 us that the document measured for "
               "a call of the mailbox. The program never gains\n"
               "by the mailbox. GPU_FFT changes to it because its wait for the registers occupies "
               "the ARM.",
               columns);
    for (uint32_t log2_n = GPU_FFT_MIN_LOG2; log2_n <= most; log2_n++) {
        const struct qpu_result *result = study_gpu_fft_length(log2_n);
        if (!result)
            return BENCH_REPORTED;
        launch_row(s, log2_n, result);
    }
    return 0;
}
