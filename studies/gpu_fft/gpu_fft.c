/* gpu_fft.c - the tables by length, which share one run of each length. */
#include "studies/gpu_fft/gpu_fft.h"

#include <math.h>
#include <stdio.h>

#include "emulate/qpu/cache_model.h"

enum { TEXT = 24 };
static const double clocks_of_instruction = 4, qpu_hz = 250e6;

static int print_machine(struct study *s)
{
    static const char *const columns[] = {"what", "here", NULL};
    table_open(&s->tables, "machine",
               "A. Holme, \"GPU_FFT\", release 3.0, and its manual, gpu_fft.txt: a Raspberry Pi "
               "1.\n"
               "Nothing here ran on silicon. Figures called \"GPU_FFT\" were counted by running "
               "its published programs in an emulator.",
               columns);
    table_row(&s->tables, (struct cell[]){CELL_TEXT("QPUs"), CELL_TEXT("emulated")});
    table_row(&s->tables, (struct cell[]){CELL_TEXT("program"), CELL_TEXT("kernels/qpu/fft.qasm")});
    return 0;
}

/* Prints one row for each length. */
static int each_length(struct study *s, void (*print)(struct study *s, const char *n,
                                                      const struct gpu_fft *published,
                                                      const struct qpu_result *result))
{
    for (uint32_t log2_n = GPU_FFT_MIN_LOG2; log2_n <= study_gpu_fft_largest(s); log2_n++) {
        const struct qpu_result *result = study_gpu_fft_length(log2_n);
        char n[TEXT];
        if (!result)
            return BENCH_REPORTED;
        snprintf(n, sizeof n, "%u", 1u << log2_n);
        print(s, n, &gpu_fft[log2_n - GPU_FFT_MIN_LOG2], result);
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

static void passes_row(struct study *s, const char *n, const struct gpu_fft *published,
                       const struct qpu_result *result)
{
    char here[TEXT], there[TEXT];
    uint8_t bits[QPU_PLAN_PASSES + 1] = {0};
    for (uint32_t p = 0; p < result->plan.passes; p++)
        bits[p] = (uint8_t)result->plan.pass[p].bits;
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(n), CELL_TEXT(study_gpu_fft_name(bits, here, sizeof here)),
                              CELL_TEXT(study_gpu_fft_name(published->bits, there, sizeof there)),
                              CELL_NUMBER(result->plan.passes, 1),
                              CELL_NUMBER(passes_of(published), 1),
                              CELL_NUMBER((double)result->report.stored_bytes / points(result), 4),
                              CELL_NUMBER((double)result->report.read_bytes / points(result), 4)});
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
               "\"Minimising the number of passes minimises SDRAM access.\" 4, 5, 6: blocks of "
               "16, 32, 64 points. \"128k and 256k could be\n"
               "done as 6+6+5 and 6+6+6\", as they are here. Bytes are counted; a pass reads "
               "and stores 8 a point, and reads run ahead.",
               columns);
    return each_length(s, passes_row);
}

static void accuracy_row(struct study *s, const char *n, const struct gpu_fft *published,
                         const struct qpu_result *result)
{
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(n), CELL_NUMBER(result->rms, 3),
                              CELL_NUMBER(published->rms, 2),
                              CELL_NUMBER(result->rms / published->rms, 2),
                              CELL_NUMBER(result->noise, 3), CELL_NUMBER(published->noise, 2)});
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
               "Relative rms errors of two inputs: hello_fft's signal, half in bin 1 and half "
               "in the last bin, whose inverse transform\n"
               "is a cosine; and random input. The emulator rounds toward zero, as the silicon "
               "does.",
               columns);
    return each_length(s, accuracy_row);
}

static void work_row(struct study *s, const char *n, const struct gpu_fft *published,
                     const struct qpu_result *result)
{
    const double all = 1e-3 * (double)result->report.instructions;
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(n), CELL_NUMBER(all, 4),
                              CELL_NUMBER(published->instructions, 5),
                              CELL_NUMBER(all / published->instructions, 2),
                              CELL_NUMBER((double)result->report.instructions / points(result), 3),
                              CELL_NUMBER((double)result->report.max_instructions /
                                              (double)result->report.instructions * QPU_PLAN_QPUS,
                                          3)});
}

static int print_work(struct study *s)
{
    static const char *const columns[] = {
        "n", "thousand", "GPU_FFT, thousand", "of GPU_FFT's", "a point", "busiest QPU of the mean",
        NULL};
    table_open(&s->tables, "work",
               "Instructions that eight QPUs issue for one transform, each on 16 lanes; stalls "
               "are not counted.",
               columns);
    return each_length(s, work_row);
}

static double bound_ms(const struct qpu_result *r)
{
    return 1e3 * (double)r->report.max_instructions * clocks_of_instruction / qpu_hz;
}

/* Lines that the TMUs read from memory, in bytes, as a multiple of the data. */
static double times_read(const struct qpu_result *r)
{
    return (double)r->report.lines_read * 64 / (8 * points(r));
}

/* The same of GPU_FFT, by model: an interleaved first pass, and linear ones. NaN for lengths whose
 * tables count. */
static double gpu_fft_times_read(const struct gpu_fft *g, const struct qpu_result *r)
{
    const double first = cache_model_first_pass(&r->plan, CACHE_MODEL_INTERLEAVED);
    return r->plan.log2_n >= 13 ? first + passes_of(g) - 1 : (double)NAN;
}

/* The traffic as a multiple of GPU_FFT's: what is read, and a store of the data a pass. Without the
 * model of its reads: the passes. */
static double relative_traffic(const struct gpu_fft *g, const struct qpu_result *r)
{
    const double there = gpu_fft_times_read(g, r) + passes_of(g);
    return isnan(there) ? r->plan.passes / passes_of(g) : (times_read(r) + r->plan.passes) / there;
}

static void time_row(struct study *s, const char *n, const struct gpu_fft *published,
                     const struct qpu_result *result)
{
    const double bound = bound_ms(result);
    table_row(
        &s->tables,
        (struct cell[]){CELL_TEXT(n), CELL_NUMBER(bound, 3), CELL_NUMBER(published->bound_ms, 3),
                        CELL_NUMBER(published->one_ms, 3),
                        CELL_NUMBER(published->one_ms / published->bound_ms, 3),
                        CELL_NUMBER(published->one_ms * bound / published->bound_ms, 3),
                        CELL_NUMBER(published->one_ms * relative_traffic(published, result), 3),
                        CELL_NUMBER(published->ten_ms, 3), CELL_NUMBER(published->fftw_ms, 3)});
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
        "A MODEL: this program was not timed on a Raspberry Pi. The bound is the busiest QPU's "
        "instructions, four clocks each at 250 MHz;\nthe document's transforms take 1.4 to 3.8 "
        "times theirs. This program would take the document's time in proportion to the bounds if\n"
        "instructions decide, to the bytes moved in whole cache lines (table cache) if memory "
        "does.",
        columns);
    return each_length(s, time_row);
}

static void cache_row(struct study *s, const char *n, const struct gpu_fft *published,
                      const struct qpu_result *result)
{
    const double hits = (double)result->report.tmu_hits, misses = (double)result->report.tmu_misses;
    const double read = times_read(result);
    struct qpu_plan plan = result->plan;
    const double first = cache_model_first_pass(&plan, CACHE_MODEL_INTERLEAVED);
    const double plain = cache_model_first_pass(&plan, CACHE_MODEL_PLAIN);
    plan.windowed = true;
    const double first_windowed = cache_model_first_pass(&plan, CACHE_MODEL_INTERLEAVED);
    const double plain_windowed = cache_model_first_pass(&plan, CACHE_MODEL_PLAIN);
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT(n), CELL_NUMBER(hits / (hits + misses), 3),
                              CELL_NUMBER(misses / (points(result) * result->plan.passes), 3),
                              CELL_NUMBER(read, 3), CELL_NUMBER(read - first + plain, 3),
                              CELL_NUMBER(read - first + first_windowed, 3),
                              CELL_NUMBER(read - first + plain_windowed, 3),
                              CELL_NUMBER(gpu_fft_times_read(published, result), 3)});
}

static int print_cache(struct study *s)
{
    static const char *const columns[] = {"n",
                                          "hits",
                                          "misses a point and pass",
                                          "read, times the data",
                                          "not interleaved",
                                          "windowed",
                                          "windowed, not interleaved",
                                          "GPU_FFT, model",
                                          NULL};
    table_open(
        &s->tables, "cache",
        "\"The TMU cache is directly-mapped, aliasing on 4k boundaries\": lines of 64 bytes, "
        "in a model of the TMU caches and of the\n"
        "L2 cache behind them. A linear pass reads the data once. In the first pass of 8192 "
        "points or more each point has a line of\n"
        "its own, 8 times the data, and twice that if its two parts are requested one after "
        "the other. Like GPU_FFT, this program\n"
        "requests both at once (\"interleave\"). It reads the window in the order of the "
        "points; point by point is 8 times the data, too.",
        columns);
    return each_length(s, cache_row);
}

const struct study_document study_gpu_fft = {
    .name = "gpu-fft",
    .title = "A. Holme, GPU_FFT; here in an emulator of the QPUs",
    .tables = {{"machine", print_machine},
               {"passes", print_passes},
               {"accuracy", print_accuracy},
               {"work", print_work},
               {"twiddles", study_gpu_fft_twiddles},
               {"order", study_gpu_fft_order},
               {"time", print_time},
               {"cache", print_cache},
               {"swizzle", study_gpu_fft_swizzle},
               {"launch", study_gpu_fft_launch},
               {"lookup", study_gpu_fft_lookup},
               {"modes", study_gpu_fft_modes},
               {"counters", study_gpu_fft_counters},
               {"picture", study_gpu_fft_picture}},
};
