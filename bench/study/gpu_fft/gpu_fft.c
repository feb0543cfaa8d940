/* gpu_fft.c - the tables of gpu-fft by length: all are of one run of each. */
#include "bench/study/gpu_fft/gpu_fft.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

enum { TEXT = 24 };
static const double clocks_of_instruction = 4, qpu_hz = 250e6;

static int print_machine(struct study *s)
{
    static const char *const columns[] = {"what", "here", NULL};
    table_open(
        &s->tables, "machine",
        "A. Holme, \"GPU_FFT\", release 3.0, and its manual, gpu_fft.txt: a Raspberry Pi 1.\n"
        "Nothing here has run on silicon. What is called \"GPU_FFT\" was counted by running "
        "its published programs in an emulator.",
        columns);
    table_row(&s->tables, (struct cell[]){CELL_TEXT("QPUs"), CELL_TEXT("the tests' emulator")});
    table_row(&s->tables, (struct cell[]){CELL_TEXT("program"), CELL_TEXT("kernels/qpu/fft.qasm")});
    return 0;
}

/* One row for each length. */
static int each_length(struct study *s,
                       void (*print)(struct study *s, const char *n, const struct gpu_fft *theirs,
                                     const struct qpu_result *ours))
{
    for (uint32_t log2_n = GPU_FFT_MIN_LOG2; log2_n <= study_gpu_fft_largest(s); log2_n++) {
        const struct qpu_result *ours = study_gpu_fft_length(log2_n);
        char n[TEXT];
        if (!ours)
            return -EIO;
        snprintf(n, sizeof n, "%u", 1u << log2_n);
        print(s, n, &gpu_fft[log2_n - GPU_FFT_MIN_LOG2], ours);
    }
    return 0;
}

static double points(const struct qpu_result *r)
{
    return ldexp(1, (int)r->plan.log2_n);
}

static double passes_of(const struct gpu_fft *g)
{
    double passes = 0;
    while (g->bits[(int)passes])
        passes++;
    return passes;
}

static void passes_row(struct study *s, const char *n, const struct gpu_fft *theirs,
                       const struct qpu_result *ours)
{
    char here[TEXT], there[TEXT];
    uint8_t bits[QPU_PLAN_PASSES + 1] = {0};
    for (uint32_t p = 0; p < ours->plan.passes; p++)
        bits[p] = (uint8_t)ours->plan.pass[p].bits;
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(n), CELL_TEXT(study_gpu_fft_name(bits, here, sizeof here)),
                              CELL_TEXT(study_gpu_fft_name(theirs->bits, there, sizeof there)),
                              CELL_NUMBER(ours->plan.passes, 1), CELL_NUMBER(passes_of(theirs), 1),
                              CELL_NUMBER((double)ours->report.stored_bytes / points(ours), 4),
                              CELL_NUMBER((double)ours->report.read_bytes / points(ours), 4)});
}

static int print_passes(struct study *s)
{
    static const char *const columns[] = {"n",
                                          "structure",
                                          "document, structure",
                                          "passes",
                                          "document, passes",
                                          "bytes stored a point",
                                          "bytes read a point",
                                          NULL};
    table_open(&s->tables, "passes",
               "\"Minimising the number of passes minimises SDRAM access.\" 4, 5, 6: blocks of 16, "
               "32, 64 points. \"128k and 256k could be\ndone as 6+6+5 and 6+6+6\": here they are. "
               "Bytes are counted; a pass reads and stores 8 a point, and reads run ahead.",
               columns);
    return each_length(s, passes_row);
}

static void accuracy_row(struct study *s, const char *n, const struct gpu_fft *theirs,
                         const struct qpu_result *ours)
{
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(n), CELL_NUMBER(ours->rms, 3), CELL_NUMBER(theirs->rms, 2),
                              CELL_NUMBER(ours->rms / theirs->rms, 2), CELL_NUMBER(ours->noise, 3),
                              CELL_NUMBER(theirs->noise, 2)});
}

static int print_accuracy(struct study *s)
{
    static const char *const columns[] = {"n",
                                          "rms, ppm",
                                          "document, rms, ppm",
                                          "of the document's",
                                          "random input, ppm",
                                          "GPU_FFT, random, ppm",
                                          NULL};
    table_open(&s->tables, "accuracy",
               "Relative rms errors. hello_fft's signal, half in bin 1 and half in the last, whose "
               "inverse transform is a cosine;\nand random input. Rounding is toward zero, as in "
               "silicon.",
               columns);
    return each_length(s, accuracy_row);
}

static void work_row(struct study *s, const char *n, const struct gpu_fft *theirs,
                     const struct qpu_result *ours)
{
    const double all = 1e-3 * (double)ours->report.instructions;
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(n), CELL_NUMBER(all, 4),
                              CELL_NUMBER(theirs->instructions, 5),
                              CELL_NUMBER(all / theirs->instructions, 2),
                              CELL_NUMBER((double)ours->report.instructions / points(ours), 3),
                              CELL_NUMBER((double)ours->report.max_instructions /
                                              (double)ours->report.instructions * QPU_PLAN_QPUS,
                                          3)});
}

static int print_work(struct study *s)
{
    static const char *const columns[] = {
        "n", "thousand", "GPU_FFT, thousand", "of GPU_FFT's", "a point", "busiest QPU of the mean",
        NULL};
    table_open(&s->tables, "work",
               "Instructions that eight QPUs issue for one transform, each on 16 lanes, stalls not "
               "counted.",
               columns);
    return each_length(s, work_row);
}

static double bound_ms(const struct qpu_result *r)
{
    return 1e3 * (double)r->report.max_instructions * clocks_of_instruction / qpu_hz;
}

static void time_row(struct study *s, const char *n, const struct gpu_fft *theirs,
                     const struct qpu_result *ours)
{
    const double bound = bound_ms(ours);
    table_row(&s->tables,
              (struct cell[]){
                  CELL_TEXT(n), CELL_NUMBER(bound, 3), CELL_NUMBER(theirs->bound_ms, 3),
                  CELL_NUMBER(theirs->one_ms, 3), CELL_NUMBER(theirs->one_ms / theirs->bound_ms, 3),
                  CELL_NUMBER(theirs->one_ms * bound / theirs->bound_ms, 3),
                  CELL_NUMBER(theirs->one_ms * ours->plan.passes / passes_of(theirs), 3),
                  CELL_NUMBER(theirs->ten_ms, 3), CELL_NUMBER(theirs->fftw_ms, 3)});
}

static int print_time(struct study *s)
{
    static const char *const columns[] = {"n",
                                          "bound, ms",
                                          "GPU_FFT, bound, ms",
                                          "document, ms",
                                          "of its bound",
                                          "model: issue, ms",
                                          "model: memory, ms",
                                          "document, 10 at once, ms",
                                          "document, FFTW, ms",
                                          NULL};
    table_open(
        &s->tables, "time",
        "A MODEL: nothing of ours was timed on a Raspberry Pi. The bound is the busiest QPU's "
        "instructions, four clocks each at 250 MHz;\nthe document's transforms take 1.4 to 3.8 "
        "times theirs. Ours would take the document's time in proportion to the bounds if\n"
        "instructions decide, to the passes if memory does.",
        columns);
    return each_length(s, time_row);
}

static void cache_row(struct study *s, const char *n, const struct gpu_fft *theirs,
                      const struct qpu_result *ours)
{
    const double hits = (double)ours->report.tmu_hits, misses = (double)ours->report.tmu_misses;
    (void)theirs;
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(n), CELL_NUMBER(hits / (hits + misses), 3),
                              CELL_NUMBER(misses / (points(ours) * ours->plan.passes), 3)});
}

static int print_cache(struct study *s)
{
    static const char *const columns[] = {"n", "hits", "misses a point and pass", NULL};
    table_open(
        &s->tables, "cache",
        "\"The TMU cache is directly-mapped, aliasing on 4k boundaries\": lines of 64 bytes "
        "that requests look for, in a model of it.\nA linear pass misses 0.125 a point. In the "
        "first pass of 4096 points and more every point misses twice, for either part:\nGPU_FFT "
        "exchanges lanes to ask for both at once (\"interleave\"); ours does not.",
        columns);
    return each_length(s, cache_row);
}

const struct study_document study_gpu_fft = {
    .name = "gpu-fft",
    .tables = {{"machine", print_machine},
               {"passes", print_passes},
               {"accuracy", print_accuracy},
               {"work", print_work},
               {"twiddles", study_gpu_fft_twiddles},
               {"order", study_gpu_fft_order},
               {"time", print_time},
               {"cache", print_cache},
               {"modes", study_gpu_fft_modes}},
};
