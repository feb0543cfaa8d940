/* test_engines.c - finds the engines of this build and runs them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/engine/test_engines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/cpu/base/cpu_isa.h"
#include "tests/support/engine/capabilities.h"
#include "tests/support/engine/host_device.h"

enum { POLL_TIMEOUT_MS = 60000, SEVERAL_THREADS = 3, MAX_ENGINES = 16 };

/* ---- supported plans -------------------------------------------------------------------- */

static const struct capabilities *row_of(const struct fft_engine *e)
{
    const struct capabilities *p = capabilities_of(fft_engine_name(e));
    if (!p)
        fail_msg("engine %s has no row in the conformance table (capabilities.c)",
                 fft_engine_name(e));
    return p;
}

/* True if the engine accepts a plan that its row omits; only -ENOTSUP may refuse it. */
static bool is_accepted(const struct fft_engine *e, int err, const char *why)
{
    if (err < 0 && err != -ENOTSUP)
        fail_msg("%s: neither accepted nor refused (%d: %s)", fft_engine_name(e), err, why);
    return err == 0;
}

bool test_engine_does(struct fft_engine *e, const struct fft_spectrum_config *plan)
{
    struct fft_spectrum *s;
    char why[200];
    if (capabilities_cover_spectrum(row_of(e), plan))
        return true;
    const int err = fft_spectrum_create(&s, e, plan, why, sizeof why);
    fft_spectrum_destroy(s);
    return is_accepted(e, err, why);
}

bool test_engine_transforms(struct fft_engine *e, const struct fft_transform_config *plan)
{
    struct fft_transform *t;
    char why[200];
    if (capabilities_cover_transform(row_of(e), plan))
        return true;
    const int err = fft_transform_create(&t, e, plan, why, sizeof why);
    fft_transform_destroy(t);
    return is_accepted(e, err, why);
}

/* ---- test engines ----------------------------------------------------------------------- */

bool test_engine_only_threads(void)
{
    return getenv("FFTD_TEST_ONLY_THREADS") != NULL;
}

static int visit_cpu(int (*visit)(struct test_engine *))
{
    int failures = 0;
    const struct cpu_isa *isa;
    if (test_engine_only_threads()) {
        size_t last = 0;
        while (cpu_isa_at(last + 1))
            last++;
        return visit(&(struct test_engine){"cpu", cpu_isa_at(last)->name, SEVERAL_THREADS, NULL});
    }
    for (size_t i = 0; (isa = cpu_isa_at(i)); i++) {
        if (!isa->available()) {
            print_message("SKIPPED: this processor has no %s\n", isa->title);
            continue;
        }
        struct test_engine one = {"cpu", isa->name, 1, NULL};
        struct test_engine several = {"cpu", isa->name, SEVERAL_THREADS, NULL};
        if (i == 0 || i % 2 || !sweeps_are_sparse())
            failures += visit(&one);
        if (i % 2 == 0 || !sweeps_are_sparse())
            failures += visit(&several);
    }
    return failures;
}

static bool is_forced(void)
{
    return getenv("FFTD_TEST_ENGINES") != NULL;
}

/* True without the engines of host_device.h. */
static bool is_narrowed(void)
{
    return is_forced() || test_engine_only_threads();
}

/* Lists at most `max_names` engines to test, as a user would write their names. */
static size_t list_engines(char names[][64], size_t max_names)
{
    const char *at = getenv("FFTD_TEST_ENGINES");
    size_t count = 0;
    for (; !at && fft_engine_list[count]; count++)
        snprintf(names[count], sizeof names[count], "%s", fft_engine_list[count]->name);
    while (at && *at && count < max_names) {
        const int length = (int)strcspn(at, ",");
        snprintf(names[count++], sizeof names[0], "%.*s", length, at);
        at += length + (at[length] == ',');
    }
    return count;
}

static int visit_one(int (*visit)(struct test_engine *), const char *name)
{
    struct test_engine plain = {.engine = name};
    return visit(&plain);
}

static int visit_device(int (*visit)(struct test_engine *), enum device_kind kind)
{
    const struct engine_ops *ops = device_ops(kind);
    struct test_engine device = {.engine = ops->name, .threads = 1, .ops = ops};
    return visit(&device);
}

int test_engine_each(int (*visit)(struct test_engine *))
{
    char names[MAX_ENGINES][64];
    const size_t count = list_engines(names, MAX_ENGINES);
    int failures = 0;
    for (size_t i = 0; i < count; i++)
        failures += strcmp(names[i], "cpu") == 0 ? visit_cpu(visit) : visit_one(visit, names[i]);
    return is_narrowed() ? failures : failures + visit_device(visit, DEVICE_LIMITED);
}

int test_engine_each_once(int (*visit)(struct test_engine *))
{
    char names[MAX_ENGINES][64];
    const size_t count = list_engines(names, MAX_ENGINES);
    int failures = 0;
    for (size_t i = 0; i < count; i++)
        failures += visit_one(visit, names[i]);
    return failures;
}

int test_engine_each_transformer(int (*visit)(struct test_engine *))
{
    int failures = test_engine_each(visit);
    for (unsigned kind = 0; kind < DEVICE_LIMITED && !is_narrowed(); kind++)
        failures += visit_device(visit, (enum device_kind)kind);
    return failures;
}

struct fft_engine *test_engine_open(void **state)
{
    const struct test_engine *tested = *state;
    const struct fft_engine_config config = {tested->engine, tested->threads, tested->isa,
                                             getenv("FFTD_TEST_OPTIONS")};
    const struct engine_ops *const list[] = {tested->ops, NULL};
    struct fft_engine *e = NULL;
    char why[400];
    const int err = fft_engine_open_from(tested->ops ? list : fft_engine_list, &config, &e,
                                         (struct fft_reason){why, sizeof why});

    if (err == -ENODEV && !is_forced()) {
        print_message("SKIPPED: %s\n", why);
        skip();
    }
    if (err < 0)
        fail_msg("%s", why);
    return e;
}

void skip_unless(struct fft_engine *e, bool can)
{
    if (can)
        return;
    print_message("SKIPPED: %s does not support it\n", fft_engine_name(e));
    fft_engine_close(e);
    skip();
}

float *test_window(enum fft_window_kind kind, uint32_t n)
{
    float *w = malloc(n * sizeof *w);
    struct fft_window window;
    assert_int_equal(fft_window_parse(fft_window_name(kind), &window), 0);
    fft_window_fill(&window, w, n, 1.0, NULL);
    return w;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 32;
}

void *test_noise(enum fft_iq_format format, uint64_t samples, uint64_t seed)
{
    const size_t bytes = (size_t)samples * fft_iq_bytes(format);
    unsigned char *raw = malloc(bytes);
    float *floats = (float *)(void *)raw;

    for (size_t i = 0; format != FFT_IQ_CF32 && i < bytes; i++)
        raw[i] = (unsigned char)(next_random(&seed) >> 16);
    for (size_t i = 0; format == FFT_IQ_CF32 && i < 2 * samples; i++)
        floats[i] = (float)((double)next_random(&seed) / 2147483648.0 - 1);
    return raw;
}

static void collect(struct fft_spectrum *s, struct fft_fold *into, uint64_t position)
{
    struct fft_partial p;
    assert_int_equal(fft_spectrum_poll(s, &p, POLL_TIMEOUT_MS), 1);
    assert_int_equal(p.position, position);
    fft_fold_add(into, &p);
    fft_spectrum_release(s);
}

struct fft_fold *test_run(struct fft_engine *e, const struct fft_spectrum_config *plan,
                          const void *raw, uint32_t frames)
{
    const uint64_t hop_bytes = plan->hop * fft_iq_bytes(plan->format);
    struct fft_spectrum *s;
    struct fft_fold *fold;
    char why[200];

    if (fft_spectrum_create(&s, e, plan, why, sizeof why) != 0)
        fail_msg("%s", why);
    assert_int_equal(fft_fold_create(&fold, plan), 0);

    uint32_t in_flight[FFT_SPECTRUM_MAX_DEPTH] = {0}, submitted = 0, collected = 0;
    for (uint32_t first = 0; first < frames;) {
        const uint32_t left = frames - first;
        const uint32_t count = left < plan->max_frames ? left : plan->max_frames;
        const int err =
            fft_spectrum_submit(s, (const char *)raw + first * hop_bytes, first, count, 0);
        if (err == -EAGAIN) {
            collect(s, fold, in_flight[collected++ % plan->depth]);
            continue;
        }
        assert_int_equal(err, 0);
        in_flight[submitted++ % plan->depth] = first;
        first += count;
    }
    while (collected < submitted)
        collect(s, fold, in_flight[collected++ % plan->depth]);
    fft_spectrum_destroy(s);
    return fold;
}
