/*
 * test_qpu_published.c - runs a published program, which is proven on silicon, on the emulator.
 *
 * FFTD_QPU_HEX names the file shader_256.hex of A. Holme's GPU_FFT (release 2 or 3), which is not
 * part of this project. The test makes its uniforms and twiddles after its author's description. A
 * transform has five uniforms at the start and two at the end. Twiddle e = 2^t + l of a packed
 * vector rotates stage t of a codelet, in the second pass by (k + 16 l) / 2^(t + 5) of a circle.
 * QPU q starts with k = q, which increases by eight.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/qpu/emulator.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/qpu/hex_words.h"

enum { POINTS = 256, QPUS = 8, LANES = 16, MAX_WORDS = 4096, BUFFER_BYTES = 8192 };

struct published {
    struct emulator *machine;
    uint32_t code, shared, from, to;
    struct emulator_start start[QPUS];
    uint64_t early_vpm_reads; /* of the last run */
};

static uint32_t read_program(const char *name, uint32_t *words)
{
    FILE *file = fopen(name, "r");
    if (!file)
        fail_msg("cannot open %s", name);
    const int count = hex_words_read(file, words, MAX_WORDS);
    fclose(file);
    if (count <= 0)
        fail_msg("%s is no program: %d", name, count);
    return (uint32_t)count;
}

/* The stage that element e of a packed vector belongs to; element 0 is unused. */
static int stage_of(int e)
{
    return e < 2 ? 0 : e < 4 ? 1 : e < 8 ? 2 : 3;
}

static void put_phasor(float *to, int e, double phase, double sign)
{
    to[2 * e] = (float)cos(2 * M_PI * phase);
    to[2 * e + 1] = (float)(sign * sin(2 * M_PI * phase));
}

/* Interleaved complex vectors. shared: the first pass, and the steps of the second. unique: the
 * starts of the second, by QPU. */
static void make_twiddles(float *shared, float *unique, double sign)
{
    for (int e = 1; e < LANES; e++) {
        const int t = stage_of(e), l = e - (1 << t);
        put_phasor(shared, e, ldexp(l, -t - 1), sign);
        const double step = ldexp(QPUS, -t - 5), half = sin(M_PI * step);
        shared[2 * (LANES + e)] = (float)(2 * half * half);
        shared[2 * (LANES + e) + 1] = (float)(sign * sin(2 * M_PI * step));
        for (int q = 0; q < QPUS; q++)
            put_phasor(unique + 2 * LANES * q, e, ldexp(q + 16 * l, -t - 5), sign);
    }
}

static void load(struct published *p, double sign)
{
    static uint32_t words[MAX_WORDS];
    const uint32_t count = read_program(getenv("FFTD_QPU_HEX"), words);
    p->machine = emulator_create(1 << 18);
    assert_non_null(p->machine);
    p->code = emulator_alloc(p->machine, 4 * count, 4096);
    memcpy(emulator_at(p->machine, p->code), words, 4 * count);
    p->shared = emulator_alloc(p->machine, 8 * LANES * 2, 4096);
    const uint32_t unique = emulator_alloc(p->machine, 8 * LANES * QPUS, 4096);
    make_twiddles(emulator_at(p->machine, p->shared), emulator_at(p->machine, unique), sign);
    p->from = emulator_alloc(p->machine, BUFFER_BYTES, 4096);
    p->to = emulator_alloc(p->machine, BUFFER_BYTES, 4096);
    for (uint32_t q = 0; q < QPUS; q++) {
        const uint32_t uniforms[] = {p->shared, unique + q * 8 * LANES, q, p->from, p->to, 0,
                                     q == 0};
        const uint32_t at = emulator_alloc(p->machine, sizeof uniforms, 64);
        memcpy(emulator_at(p->machine, at), uniforms, sizeof uniforms);
        p->start[q] = (struct emulator_start){p->code, at, sizeof uniforms / 4};
    }
}

/* hello_fft's signal, whose inverse transform is a cosine. */
static double error_ppm(struct published *p, const struct emulator_named_mode *mode)
{
    float *data = emulator_at(p->machine, p->from);
    struct emulator_report report;
    memset(data, 0, BUFFER_BYTES);
    data[2] = data[2 * (POINTS - 1)] = 0.5f;
    if (emulator_run(p->machine, p->start, QPUS, &mode->mode, &report))
        fail_msg("%s: %s", mode->name, report.error);
    p->early_vpm_reads = report.early_vpm_reads;
    double signal = 0, error = 0;
    for (int i = 0; i < POINTS; i++) {
        const double want = cos(2 * M_PI * i / POINTS), re = (double)data[2 * i] - want;
        signal += want * want;
        error += re * re + (double)data[2 * i + 1] * (double)data[2 * i + 1];
    }
    return 1e6 * sqrt(error / signal);
}

static void a_published_program_transforms_in_every_mode(void **state)
{
    (void)state;
    struct published p = {.machine = NULL};
    load(&p, 1);
    const double first = error_ppm(&p, &emulator_modes[0]);
    print_message("%.3f ppm\n", first);
    assert_near(first, .33, .1);        /* published for GPU_FFT 3.0 at 256 points */
    assert_true(p.early_vpm_reads > 0); /* it relies on reads that wait */
    for (int m = 1; m < EMULATOR_MODES; m++)
        assert_near(error_ppm(&p, &emulator_modes[m]), first, 1e-9);
    emulator_destroy(p.machine);
}

int main(void)
{
    if (!getenv("FFTD_QPU_HEX")) {
        puts("skipped: FFTD_QPU_HEX does not name GPU_FFT's shader_256.hex");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_published_program_transforms_in_every_mode),
    };
    return cmocka_run_group_tests_name("a published program", tests, NULL, NULL);
}
