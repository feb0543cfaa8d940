/*
 * test_qpu_faults.c - tests that the emulator detects faults. Each test injects faults into the FFT
 * program, one at a time. Every fault must end a run or change a result in at least one mode.
 *
 * A missing synchronisation may go unnoticed until it fails on silicon. So the test removes every
 * synchronising instruction that a transform executes.
 */
#include <stdlib.h>
#include <string.h>

#include "emulate/qpu/fft_run.h"
#include "fft/qpu/qpu_isa.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/engine/test_engines.h"

struct setup {
    struct fft_run run;
    struct fft_iq *noise; /* [n], of the first frame; the other frames have it rotated */
    char *want;           /* [result_bytes] */
    uint32_t instructions;
};

static size_t bytes_of(const struct setup *b)
{
    return sizeof(struct fft_iq) << b->run.plan.log2_n;
}

/* The part of the result to compare: frame 0 of bins, powers and sums; all columns. */
static size_t result_bytes(const struct setup *b)
{
    const struct qpu_plan *plan = &b->run.plan;
    const size_t frames = plan->output == QPU_COLUMNS ? plan->frames : 1;
    const bool complex = plan->output == QPU_BINS || plan->output == QPU_COLUMNS;
    return frames * (complex ? bytes_of(b) : bytes_of(b) / 2);
}

static int go(struct setup *b, const struct emulator_mode *mode)
{
    const struct qpu_plan *plan = &b->run.plan;
    for (uint32_t f = 0; f < plan->frames; f++) {
        struct fft_iq *in = fft_run_input(&b->run, f);
        const size_t first = f * sizeof *in * 16, rest = bytes_of(b) - first;
        memcpy(in, (char *)b->noise + first, rest);
        memcpy((char *)in + rest, b->noise, first);
    }
    memset(emulator_at(b->run.machine, b->run.layout.to), 0, plan->frames * plan->frame_bytes);
    return fft_run_go(&b->run, mode);
}

/* True if the run ends with an error or with a wrong result. */
static bool fails_in(struct setup *b, const struct emulator_mode *mode)
{
    return go(b, mode) || memcmp(fft_run_output(&b->run, 0), b->want, result_bytes(b)) != 0;
}

static bool is_caught(struct setup *b)
{
    for (int m = 0; m < EMULATOR_MODES; m++)
        if (fails_in(b, &emulator_modes[m].mode))
            return true;
    return false;
}

struct shape {
    uint8_t bits[4];
    uint32_t frames;
    enum qpu_output output;
};

static void start(struct setup *b, const struct shape *shape)
{
    const uint8_t *bits = shape->bits;
    const struct qpu_task task = {.log2_n = (uint32_t)bits[0] + bits[1] + bits[2],
                                  .frames = shape->frames,
                                  .windowed = shape->output == QPU_SUM,
                                  .output = shape->output};
    const struct qpu_kernel *kernel = qpu_kernel_find("fft");
    struct qpu_plan plan;
    assert_int_equal(qpu_plan_init_passes(&plan, &task, bits), 0);
    assert_int_equal(fft_run_init(&b->run, &plan, kernel), 0);
    b->instructions = kernel->instructions;
    b->noise = test_noise(FFT_IQ_CF32, 1u << plan.log2_n, 1);
    float *window = calloc(1u << plan.log2_n, sizeof *window);
    assert_non_null(window);
    for (uint32_t i = 0; i < 1u << plan.log2_n; i++)
        window[i] = 1 + (float)(i % 97) / 128;
    if (task.windowed)
        fft_run_window(&b->run, window);
    free(window);
    b->want = malloc(result_bytes(b));
    assert_non_null(b->want);
    if (go(b, &emulator_modes[0].mode))
        fail_msg("%s", b->run.report.error);
    memcpy(b->want, fft_run_output(&b->run, 0), result_bytes(b));
    emulator_limit(b->run.machine, 4 * b->run.report.instructions); /* a fault may cause a loop */
    assert_false(is_caught(b));                                     /* the program without faults */
}

static void finish(struct setup *b)
{
    free(b->noise);
    free(b->want);
    fft_run_finish(&b->run);
}

static bool *executed(const struct setup *b)
{
    bool *ran = calloc(b->instructions, sizeof *ran);
    assert_non_null(ran);
    for (uint32_t i = 0; i < b->instructions; i++)
        ran[i] = emulator_ran(b->run.machine, b->run.layout.code + 8 * i);
    return ran;
}

static uint64_t get(const uint32_t *code, uint32_t i)
{
    return (uint64_t)code[2 * i + 1] << 32 | code[2 * i];
}

static void set(uint32_t *code, uint32_t i, uint64_t word)
{
    code[2 * i] = (uint32_t)word;
    code[2 * i + 1] = (uint32_t)(word >> 32);
}

static bool synchronises(uint64_t word)
{
    struct qpu_instr in;
    if (qpu_decode(word, &in))
        return false;
    if (in.kind == QPU_KIND_SEMA)
        return true;
    if (in.kind != QPU_KIND_ALU)
        return false;
    const bool waits = in.raddr_b == QPU_R_B_VPM_ST_WAIT && in.sig != QPU_SIG_SMALL_IMM;
    return waits || in.raddr_a == QPU_R_VPM;
}

/* Together they use every codelet in every pass, for at least four steps: with fewer, the first
 * wait for a store would have no store to wait for. Powers are stored every other step. */
static const struct shape shapes[] = {
    {{4, 4, 4}, 1, QPU_BINS},  {{5, 5}, 1, QPU_BINS},     {{6, 6}, 1, QPU_BINS},
    {{4, 5, 4}, 1, QPU_BINS},  {{5, 4, 5}, 1, QPU_BINS},  {{4, 6, 4}, 1, QPU_BINS},
    {{4, 4, 4}, 2, QPU_SUM},   {{6, 5}, 2, QPU_SUM},      {{5, 6}, 2, QPU_SUM},
    {{4, 5}, 16, QPU_COLUMNS}, {{4, 4}, 16, QPU_COLUMNS}, {{4, 6}, 16, QPU_COLUMNS},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0], QUICK_SHAPES = SHAPES - 2 };

/* With FFTD_QPU_FULL also the shapes that take half a minute. */
static int shape_count(void)
{
    return getenv("FFTD_QPU_FULL") ? SHAPES : QUICK_SHAPES;
}

/* Clears the instructions that a plain transform of the same blocks executes; `shapes` covers
 * those. */
static void exclude_plain(bool *ran, const struct shape *shape)
{
    struct setup plain;
    if (shape->output == QPU_BINS)
        return;
    start(&plain, &(struct shape){{shape->bits[0], shape->bits[1], shape->bits[2]}, 1, QPU_BINS});
    bool *plain_ran = executed(&plain);
    for (uint32_t i = 0; i < plain.instructions; i++)
        ran[i] = ran[i] && !plain_ran[i];
    free(plain_ran);
    finish(&plain);
}

static void every_wait_and_semaphore_is_needed(void **state)
{
    (void)state;
    const struct qpu_instr nothing = qpu_nop();
    for (int s = 0; s < shape_count(); s++) {
        struct setup b;
        start(&b, &shapes[s]);
        bool *ran = executed(&b);
        exclude_plain(ran, &shapes[s]);
        uint32_t *code = fft_run_code(&b.run), removed = 0;
        for (uint32_t i = 0; i < b.instructions; i++) {
            const uint64_t word = get(code, i);
            if (!ran[i] || !synchronises(word))
                continue;
            set(code, i, qpu_encode(&nothing));
            if (!is_caught(&b))
                fail_msg("shape %d: no run fails without instruction %u", s, i);
            set(code, i, word);
            removed++;
        }
        assert_true(removed > 40);
        free(ran);
        finish(&b);
    }
}

/* Swaps adjacent instructions. Pairs that depend on each other are detected; most do not. */
static void check_order(const struct shape *shape, uint32_t every)
{
    struct setup b;
    start(&b, shape);
    bool *ran = executed(&b);
    uint32_t *code = fft_run_code(&b.run), tried = 0, caught = 0;
    for (uint32_t i = 0; i + 1 < b.instructions; i += every) {
        const uint64_t one = get(code, i), two = get(code, i + 1);
        if (!ran[i] || !ran[i + 1] || one == two)
            continue;
        set(code, i, two);
        set(code, i + 1, one);
        tried++;
        caught += is_caught(&b);
        set(code, i, one);
        set(code, i + 1, two);
    }
    print_message("%u of %u swapped pairs are detected\n", caught, tried);
    assert_true(tried > 10 && caught > tried / 3);
    free(ran);
    finish(&b);
}

static void instructions_in_wrong_order_are_detected(void **state)
{
    (void)state;
    check_order(&(struct shape){{5, 4}, 1, QPU_BINS}, 5);
    check_order(&(struct shape){{5, 5}, 2, QPU_SUM}, 7);
    check_order(&(struct shape){{4, 5}, 16, QPU_COLUMNS}, 29);
}

static bool is_caught_with(struct setup *b, uint32_t *word, uint32_t more)
{
    *word += more;
    const bool caught = is_caught(b);
    *word -= more;
    return caught;
}

/* False for uniforms without effect: a slave's number, the unused words at the end, the odd steps'
 * store setup if there is one pair of steps, the stride of single rows if one transfer stores them
 * all. For columns, true in the last pass only. */
static bool matters(const struct setup *b, const uint32_t *words, uint32_t i, uint32_t q)
{
    const struct qpu_plan *plan = &b->run.plan;
    const uint32_t left = plan->uniform_words[q] - i;
    if (plan->output == QPU_COLUMNS && left > (q ? 22 : 28))
        return false;
    return i >= q && left > 7 && !(i > 0 && words[i - 1] >> 28 == 0xc);
}

/* Addresses, strides, shifts, counts and setups that are slightly too large are detected. */
static void wrong_uniforms_are_detected(void **state)
{
    (void)state;
    static const struct shape held[] = {
        {{5, 5}, 1, QPU_BINS},     {{6, 6}, 1, QPU_BINS}, {{6, 4}, 2, QPU_SUM},
        {{6, 5}, 2, QPU_SUM},      {{5, 6}, 2, QPU_SUM},  {{6, 4}, 16, QPU_COLUMNS},
        {{4, 6}, 16, QPU_COLUMNS},
    };
    for (size_t s = 0; s < sizeof held / sizeof held[0]; s++) {
        struct setup b;
        start(&b, &held[s]);
        for (uint32_t q = 0; q < 2; q++) {
            uint32_t *words = emulator_at(b.run.machine, b.run.uniforms[q]);
            for (uint32_t i = 0; i < b.run.plan.uniform_words[q]; i++)
                if (matters(&b, words, i, q) && !is_caught_with(&b, &words[i], 64) &&
                    !is_caught_with(&b, &words[i], 1))
                    fail_msg("shape %zu: no run fails with another uniform %u of qpu %u, 0x%08x", s,
                             i, q, words[i]);
        }
        finish(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_wait_and_semaphore_is_needed),
        cmocka_unit_test(instructions_in_wrong_order_are_detected),
        cmocka_unit_test(wrong_uniforms_are_detected),
    };
    return cmocka_run_group_tests_name("faults injected into FFTs", tests, NULL, NULL);
}
