/* subject.c - finds the engines of this build and runs them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "subject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "fft/cpu/isa.h"

enum { PATIENCE_MS = 60000, SEVERAL_THREADS = 3 };

enum {
    ALL_FORMATS = 1 << IQ_CU8 | 1 << IQ_CS8 | 1 << IQ_CS16 | 1 << IQ_CF32,
    ALL_TRACES = TRACE_MEAN | TRACE_MAX | TRACE_MIN | TRACE_SAMPLE,
};

/* What each engine promised. */
static const struct promise {
    const char *engine;
    uint32_t min_n, max_n;
    unsigned formats, traces; /* bits */
    bool density;
} promises[] = {
    {"cpu", SPECTRUM_MIN_N, SPECTRUM_MAX_N, ALL_FORMATS, ALL_TRACES, true},
};

bool subject_must_do(const struct fft_engine *e, const struct spectrum_plan *plan)
{
    for (size_t i = 0; i < sizeof promises / sizeof promises[0]; i++) {
        const struct promise *p = &promises[i];
        if (strcmp(p->engine, fft_engine_name(e)) == 0)
            return plan->n >= p->min_n && plan->n <= p->max_n && (p->formats >> plan->format & 1) &&
                   !(plan->traces & ~p->traces) && (p->density || !plan->density.columns);
    }
    return true;
}

static int visit_cpu(int (*visit)(struct subject *))
{
    int failures = 0;
    const struct cpu_isa *isa;
    for (size_t i = 0; (isa = cpu_isa_at(i)); i++) {
        if (!isa->available()) {
            print_message("SKIPPED: this processor has no %s\n", isa->title);
            continue;
        }
        struct subject one = {"cpu", isa->name, 1, NULL};
        struct subject several = {"cpu", isa->name, SEVERAL_THREADS, NULL};
        failures += visit(&one) + visit(&several);
    }
    return failures;
}

int subject_each(int (*visit)(struct subject *))
{
    int failures = 0;
    for (size_t i = 0; engine_list[i]; i++) {
        struct subject plain = {.engine = engine_list[i]->name};
        failures += strcmp(plain.engine, "cpu") == 0 ? visit_cpu(visit) : visit(&plain);
    }
    return failures;
}

int subject_each_transformer(int (*visit)(struct subject *))
{
    int failures = subject_each(visit);
    for (unsigned kind = 0; kind < DEVICE_KINDS; kind++) {
        const struct engine_ops *ops = device_ops((enum device_kind)kind);
        struct subject device = {.engine = ops->name, .threads = 1, .ops = ops};
        failures += visit(&device);
    }
    return failures;
}

struct fft_engine *subject_open(void **state)
{
    const struct subject *subject = *state;
    const struct fft_engine_config config = {subject->engine, subject->threads, subject->isa};
    const struct engine_ops *const alone[] = {subject->ops, NULL};
    struct fft_engine *e = NULL;
    char why[200];
    const int err = engine_open_from(subject->ops ? alone : engine_list, &config, &e,
                                     (struct reason){why, sizeof why});

    if (err == -ENODEV) {
        print_message("SKIPPED: %s\n", why);
        skip();
    }
    if (err < 0)
        fail_msg("%s", why);
    return e;
}

float *test_window(enum window_kind kind, uint32_t n)
{
    float *w = malloc(n * sizeof *w);
    struct window window;
    assert_int_equal(window_parse(window_name(kind), &window), 0);
    window_fill(&window, w, n, 1.0, NULL);
    return w;
}

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 32;
}

void *test_noise(enum iq_format format, uint64_t samples, uint64_t seed)
{
    const size_t bytes = samples * iq_bytes(format);
    unsigned char *raw = malloc(bytes);
    float *floats = (float *)(void *)raw;

    for (size_t i = 0; format != IQ_CF32 && i < bytes; i++)
        raw[i] = (unsigned char)(next(&seed) >> 16);
    for (size_t i = 0; format == IQ_CF32 && i < 2 * samples; i++)
        floats[i] = (float)((double)next(&seed) / 2147483648.0 - 1);
    return raw;
}

static void collect(struct spectrum *s, struct fold *into, uint64_t position)
{
    struct partial p;
    assert_int_equal(spectrum_poll(s, &p, PATIENCE_MS), 1);
    assert_int_equal(p.position, position);
    fold_add(into, &p);
    spectrum_release(s);
}

struct fold *test_run(struct fft_engine *e, const struct spectrum_plan *plan, const void *raw,
                      uint32_t frames)
{
    const uint64_t hop_bytes = plan->hop * iq_bytes(plan->format);
    struct spectrum *s;
    struct fold *fold;
    char why[200];

    if (spectrum_create(&s, e, plan, why, sizeof why) != 0)
        fail_msg("%s", why);
    assert_int_equal(fold_create(&fold, plan), 0);

    uint32_t in_flight[SPECTRUM_MAX_DEPTH] = {0}, submitted = 0, collected = 0;
    for (uint32_t first = 0; first < frames;) {
        const uint32_t left = frames - first;
        const uint32_t count = left < plan->max_frames ? left : plan->max_frames;
        const int err = spectrum_submit(s, (const char *)raw + first * hop_bytes, first, count);
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
    spectrum_destroy(s);
    return fold;
}
