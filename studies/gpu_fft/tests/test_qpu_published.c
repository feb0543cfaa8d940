/*
 * test_qpu_published.c - runs published programs, which are proven on silicon, on the emulator.
 *
 * FFTD_QPU_HEX names the folder of A. Holme's GPU_FFT (release 3) with shader_256.hex to
 * shader_4096k.hex, which is not part of this project; a length whose file is not there is skipped.
 * The test makes uniforms and twiddles after the author's description. A transform has five
 * uniforms at the start and two at the end. The first pass reads the twiddles of its codelet, each
 * later one the step of its angle, the last one also its start, which each QPU has for itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/qpu/emulator.h"
#include "studies/gpu_fft/published.h"
#include "studies/gpu_fft/tests/hex_words.h"
#include "studies/gpu_fft/tests/packed_twiddles.h"
#include "tests/support/cmocka_all.h"

enum { QPUS = 8, LANES = 16, MAX_WORDS = 4096, MAX_VECTORS = 16, MAX_PASSES = 4 };
enum { VECTOR_BYTES = 8 * LANES, PAGE = 4096 };
enum { ALL_MODES_TO = 12, QUICK_TO = 16 }; /* log2 of lengths; the others with FFTD_QPU_FULL */

struct published {
    struct emulator *machine;
    uint32_t points, passes;
    uint32_t code, shared, unique, from, to;
    struct emulator_start start[QPUS];
    struct emulator_report report; /* of the last run */
};

static const struct gpu_fft *figures_of(int log2n)
{
    return &gpu_fft[log2n - GPU_FFT_MIN_LOG2];
}

/* NULL: there is no such file. */
static FILE *open_program(int log2n)
{
    char name[512];
    const int shift = log2n < 10 ? 0 : 10;
    snprintf(name, sizeof name, "%s/shader_%d%s.hex", getenv("FFTD_QPU_HEX"), 1 << (log2n - shift),
             shift ? "k" : "");
    return fopen(name, "r");
}

/* A pass steps by the product of the later passes' lengths, the last one by the number of QPUs. */
static void put_twiddles(struct published *p, const uint8_t *bits, double sign)
{
    float *shared = emulator_at(p->machine, p->shared);
    float *unique = emulator_at(p->machine, p->unique);
    const int last = bits[p->passes - 1];
    double step = 1;
    packed_twiddles_put(&shared, bits[0], 0, sign, false);
    for (uint32_t pass = 1; pass < p->passes; pass++) {
        step /= 1 << bits[pass - 1];
        const bool is_last = pass == p->passes - 1;
        packed_twiddles_put(&shared, bits[pass],
                            is_last ? (double)QPUS / p->points : ldexp(step, -bits[pass]), sign,
                            true);
    }
    for (int q = 0; q < QPUS; q++)
        packed_twiddles_put(&unique, last, (double)q / p->points, sign, false);
}

static void put_uniforms(struct published *p, int last_bits)
{
    const uint32_t unique_bytes = VECTOR_BYTES * (last_bits == 5 ? 2 : 1);
    for (uint32_t q = 0; q < QPUS; q++) {
        const uint32_t uniforms[] = {p->shared, p->unique + q * unique_bytes, q, p->from, p->to, 0,
                                     q == 0};
        const uint32_t at = emulator_alloc(p->machine, sizeof uniforms, 64);
        memcpy(emulator_at(p->machine, at), uniforms, sizeof uniforms);
        p->start[q] = (struct emulator_start){p->code, at, sizeof uniforms / 4};
    }
}

static void load(struct published *p, int log2n, FILE *file)
{
    static uint32_t words[MAX_WORDS];
    const uint8_t *bits = figures_of(log2n)->bits;
    const int count = hex_words_read(file, words, MAX_WORDS);
    if (count <= 0)
        fail_msg("the file for 2^%d points is no program: %d", log2n, count);
    *p = (struct published){.points = 1u << log2n};
    while (p->passes < MAX_PASSES && bits[p->passes])
        p->passes++;
    const uint32_t bytes = (8u << log2n) + PAGE, code_bytes = 4 * (uint32_t)count;
    p->machine = emulator_create(2 * bytes + (1 << 18));
    assert_non_null(p->machine);
    p->code = emulator_alloc(p->machine, code_bytes, PAGE);
    memcpy(emulator_at(p->machine, p->code), words, code_bytes);
    p->shared = emulator_alloc(p->machine, MAX_VECTORS * VECTOR_BYTES, PAGE);
    p->unique = emulator_alloc(p->machine, MAX_VECTORS * VECTOR_BYTES, PAGE);
    p->from = emulator_alloc(p->machine, bytes, PAGE);
    p->to = emulator_alloc(p->machine, bytes, PAGE);
    put_twiddles(p, bits, 1);
    put_uniforms(p, bits[p->passes - 1]);
}

/* hello_fft's signal, whose inverse transform is a cosine. After an odd number of passes the result
 * is in the other buffer. */
static double error_ppm(struct published *p, const struct emulator_named_mode *mode)
{
    const uint32_t n = p->points;
    float *data = emulator_at(p->machine, p->from);
    memset(data, 0, 8 * (size_t)n);
    data[2] = data[2 * ((size_t)n - 1)] = 0.5f;
    if (emulator_run(p->machine, p->start, QPUS, &mode->mode, &p->report))
        fail_msg("%u points, %s: %s", n, mode->name, p->report.error);
    data = emulator_at(p->machine, p->passes % 2 ? p->to : p->from);
    double signal = 0, error = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double want = cos(2 * M_PI * i / n), re = (double)data[2 * (size_t)i] - want;
        signal += want * want;
        error += re * re + (double)data[2 * i + 1] * (double)data[2 * i + 1];
    }
    return 1e6 * sqrt(error / signal);
}

/* Published errors are rounded to two digits. The count is another emulator's, in thousands. */
static void check(struct published *p, int log2n, double ppm)
{
    const struct gpu_fft *figures = figures_of(log2n);
    print_message("2^%d: %.3f ppm, published %.2f; %.1f thousand instructions\n", log2n, ppm,
                  figures->rms, (double)p->report.instructions / 1e3);
    assert_near(ppm, figures->rms, figures->rms < 1 ? .0051 : .051);
    assert_near((double)p->report.instructions / 1e3, figures->instructions,
                figures->instructions < 10 ? .051 : .51);
    assert_true(p->report.early_vpm_reads > 0); /* it relies on reads that wait */
}

static void the_folder_has_programs(void **state)
{
    (void)state;
    int count = 0;
    for (int i = 0; i < GPU_FFT_LENGTHS; i++) {
        FILE *file = open_program(GPU_FFT_MIN_LOG2 + i);
        count += file != NULL;
        if (file)
            fclose(file);
    }
    if (!count)
        fail_msg("FFTD_QPU_HEX: no shader_*.hex in %s", getenv("FFTD_QPU_HEX"));
}

static void a_published_program_has_the_published_error(void **state)
{
    const int log2n = *(const int *)*state;
    if (log2n > QUICK_TO && !getenv("FFTD_QPU_FULL")) {
        print_message("skipped: FFTD_QPU_FULL is not set\n");
        skip();
    }
    FILE *file = open_program(log2n);
    if (!file) {
        print_message("skipped: its file is not in FFTD_QPU_HEX\n");
        skip();
    }
    struct published p;
    load(&p, log2n, file);
    fclose(file);
    const double first = error_ppm(&p, &emulator_modes[0]);
    check(&p, log2n, first);
    for (int m = 1; log2n <= ALL_MODES_TO && m < EMULATOR_MODES; m++)
        assert_near(error_ppm(&p, &emulator_modes[m]), first, 1e-9);
    emulator_destroy(p.machine);
}

int main(void)
{
    if (!getenv("FFTD_QPU_HEX")) {
        puts("skipped: FFTD_QPU_HEX does not name the folder of GPU_FFT's shader_*.hex");
        return 77;
    }
    static int lengths[GPU_FFT_LENGTHS];
    struct CMUnitTest tests[1 + GPU_FFT_LENGTHS] = {cmocka_unit_test(the_folder_has_programs)};
    char names[GPU_FFT_LENGTHS][64];
    for (int i = 0; i < GPU_FFT_LENGTHS; i++) {
        lengths[i] = GPU_FFT_MIN_LOG2 + i;
        snprintf(names[i], sizeof names[i], "a_published_program_has_the_published_error_2^%d",
                 lengths[i]);
        tests[1 + i] = (struct CMUnitTest){.name = names[i],
                                           .test_func = a_published_program_has_the_published_error,
                                           .initial_state = &lengths[i]};
    }
    return cmocka_run_group_tests_name("published programs", tests, NULL, NULL);
}
