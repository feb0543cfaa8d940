/*
 * test_engine.c - selecting an engine: names, order, self-test, refusals and their reasons.
 *
 * The engines here are fakes: copies of the cpu engine under other names, some of them broken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fft/cpu/engine_cpu.h"

static int opened, closed, started, finished;

static int count_open(struct fft_engine *e, struct fft_reason why)
{
    opened++;
    e->device[0] = '\0'; /* the cpu engine accepts no device */
    return cpu_engine_ops.open(e, why);
}

static void count_close(struct fft_engine *e)
{
    closed++;
    cpu_engine_ops.close(e);
}

static int count_init(struct fft_spectrum *s)
{
    started++;
    return cpu_engine_ops.spectrum_init(s);
}

static void count_finish(struct fft_spectrum *s)
{
    finished++;
    cpu_engine_ops.spectrum_finish(s);
}

static int open_absent(struct fft_engine *e, struct fft_reason why)
{
    (void)e;
    opened++;
    fft_reason_set(why, "no such card");
    return -ENODEV;
}

static int open_device(struct fft_engine *e, struct fft_reason why)
{
    opened++;
    if (strcmp(e->device, "1:left") != 0) {
        fft_reason_set(why, "wrong device");
        return -EINVAL;
    }
    e->device[0] = '\0';
    return cpu_engine_ops.open(e, why);
}

/* Gives a wrong result: one bin is off by a thousandth. */
static int poll_wrong(struct fft_spectrum *s, struct batch *b, int timeout_ms)
{
    static float corrupted[1024]; /* the self-test's size */
    const int done = cpu_engine_ops.poll(s, b, timeout_ms);
    if (done == 1) {
        memcpy(corrupted, b->partial.sum, sizeof corrupted);
        corrupted[0] *= 1.001F;
        b->partial.sum = corrupted;
    }
    return done;
}

static int poll_lost(struct fft_spectrum *s, struct batch *b, int timeout_ms)
{
    (void)s;
    (void)b;
    (void)timeout_ms;
    return -EIO;
}

static int can_nothing_above_1024(const struct fft_engine *e,
                                  const struct fft_spectrum_config *plan, struct fft_reason why)
{
    (void)e;
    if (plan->n <= 1024)
        return 0;
    fft_reason_set(why, "n is too large for this toy");
    return -ENOTSUP;
}

static int init_without_memory(struct fft_spectrum *s)
{
    started++;
    return s->config.n > 1024 ? -ENOMEM : cpu_engine_ops.spectrum_init(s);
}

/* Copies of the cpu engine that count calls; most replace one more function. */
static struct engine_ops good, absent, wrong, lost, chooser, small, poor, asked;

static void make_fakes(void)
{
    good = cpu_engine_ops;
    good.name = "good";
    good.open = count_open;
    good.close = count_close;
    good.spectrum_init = count_init;
    good.spectrum_finish = count_finish;
    absent = wrong = lost = chooser = small = poor = asked = good;
    absent.name = "absent";
    absent.open = open_absent;
    wrong.name = "wrong";
    wrong.poll = poll_wrong;
    lost.name = "lost";
    lost.poll = poll_lost;
    chooser.name = "chooser";
    chooser.open = open_device;
    small.name = "small";
    small.can = can_nothing_above_1024;
    poor.name = "poor";
    poor.spectrum_init = init_without_memory;
    asked.name = "asked";
    asked.by_name_only = true;
}

/* Opens `name` from a list. An engine that opens and then fails must be closed again. */
static struct fft_engine *open_from(const struct engine_ops *const *list, const char *name,
                                    int want, const char *reason)
{
    const struct fft_engine_config config = {.name = name, .threads = 1};
    struct fft_engine *e = NULL;
    char why[300] = "untouched";

    opened = closed = started = finished = 0;
    const int err = fft_engine_open_from(list, &config, &e, (struct fft_reason){why, sizeof why});
    assert_int_equal(err, want);
    assert_string_equal(why, reason);
    assert_int_equal(opened - closed, err == 0);
    assert_int_equal(started, finished);
    assert_true((e != NULL) == (err == 0));
    return e;
}

static void auto_opens_the_first_working_engine(void **state)
{
    const struct engine_ops *const list[] = {&absent, &lost, &good, &small, NULL};
    (void)state;
    struct fft_engine *e =
        open_from(list, "auto", 0, "absent: no such card; lost: self-test failed: no result (-5)");
    assert_string_equal(fft_engine_name(e), "good");
    fft_engine_close(e);

    e = open_from(list, NULL, 0, "absent: no such card; lost: self-test failed: no result (-5)");
    assert_string_equal(fft_engine_name(e), "good");
    fft_engine_close(e);
}

static void engines_marked_by_name_only_open_only_by_name(void **state)
{
    const struct engine_ops *const list[] = {&asked, &absent, &asked, &good, NULL};
    (void)state;
    struct fft_engine *e = open_from(list, "auto", 0, "absent: no such card");
    assert_string_equal(fft_engine_name(e), "good");
    fft_engine_close(e);

    e = open_from(list, "asked", 0, "");
    assert_string_equal(fft_engine_name(e), "asked");
    fft_engine_close(e);
}

static void an_engine_is_found_by_its_name(void **state)
{
    const struct engine_ops *const list[] = {&absent, &good, &small, NULL};
    (void)state;
    struct fft_engine *e = open_from(list, "small", 0, "");
    assert_string_equal(fft_engine_name(e), "small");
    fft_engine_close(e);
    open_from(list, "absent", -ENODEV, "absent: no such card");
}

static void unknown_names_are_refused(void **state)
{
    const struct engine_ops *const list[] = {&good, &small, NULL};
    (void)state;
    open_from(list, "goo", -ENOENT, "no engine is called \"goo\": this build has good, small");
    open_from(list, "goods", -ENOENT, "no engine is called \"goods\": this build has good, small");
    open_from(list, "", -ENOENT, "no engine is called \"\": this build has good, small");
    assert_int_equal(opened, 0);
}

static void an_engine_that_this_build_lacks_is_known(void **state)
{
    (void)state;
    for (const struct engine_absence *a = fft_engines_absent; a->name; a++) {
        const struct fft_engine_config config = {.name = a->name};
        struct fft_engine *e = NULL;
        char why[200] = "", want[200];
        assert_int_equal(fft_engine_open(&e, &config, why, sizeof why), -ENOENT);
        snprintf(want, sizeof want, "this program %s", a->why);
        assert_string_equal(why, want);
    }
}

static void a_wrong_result_fails_the_self_test(void **state)
{
    const struct engine_ops *const list[] = {&wrong, NULL};
    const struct fft_engine_config config = {.name = "wrong", .threads = 1};
    struct fft_engine *e;
    char why[300];
    (void)state;
    assert_int_equal(fft_engine_open_from(list, &config, &e, (struct fft_reason){why, sizeof why}),
                     -EIO);
    assert_non_null(strstr(why, "wrong: self-test failed: bin 0 reads "));
    assert_null(e);
}

static void the_device_follows_the_engine_name(void **state)
{
    const struct engine_ops *const list[] = {&chooser, NULL};
    (void)state;
    fft_engine_close(open_from(list, "chooser:1:left", 0, ""));
    opened = closed = 0;
    const struct fft_engine_config config = {.name = "chooser:2"};
    struct fft_engine *e;
    char why[100];
    assert_int_equal(fft_engine_open_from(list, &config, &e, (struct fft_reason){why, sizeof why}),
                     -EINVAL);
    assert_string_equal(why, "chooser: wrong device");
    assert_int_equal(closed, 1);
}

static const float ones[4096] = {1};

static int create_large_spectrum(const struct engine_ops *ops, char *why, size_t size)
{
    const struct engine_ops *const list[] = {ops, NULL};
    const struct fft_spectrum_config plan = {.n = 4096,
                                             .hop = 4096,
                                             .max_frames = 1,
                                             .depth = 1,
                                             .format = FFT_IQ_CS16,
                                             .window = ones,
                                             .detectors = FFT_DETECTOR_MEAN};
    struct fft_engine *e = open_from(list, "auto", 0, "");
    struct fft_spectrum *s = (struct fft_spectrum *)&plan;
    const int err = fft_spectrum_create(&s, e, &plan, why, size);
    assert_null(s);
    assert_int_equal(started, finished);
    fft_engine_close(e);
    return err;
}

static void an_unsupported_plan_is_refused_with_the_engines_reason(void **state)
{
    char why[100];
    (void)state;
    assert_int_equal(create_large_spectrum(&small, why, sizeof why), -ENOTSUP);
    assert_string_equal(why, "n is too large for this toy");
}

static void a_failed_spectrum_is_cleaned_up(void **state)
{
    char why[100];
    (void)state;
    assert_int_equal(create_large_spectrum(&poor, why, sizeof why), -ENOMEM);
    assert_string_equal(why, "poor: n = 4096: Cannot allocate memory");
}

static void a_reason_is_truncated_to_its_buffer(void **state)
{
    const struct engine_ops *const list[] = {&absent, &absent, NULL};
    const struct fft_engine_config config = {.name = "auto"};
    struct fft_engine *e;
    char why[12];
    (void)state;
    assert_int_equal(fft_engine_open_from(list, &config, &e, (struct fft_reason){why, sizeof why}),
                     -ENODEV);
    assert_string_equal(why, "absent: no ");
    assert_int_equal(fft_engine_open_from(list, &config, &e, (struct fft_reason){NULL, 0}),
                     -ENODEV);
}

/* The instruction sets of the CPU engine, the widest first. */
#if defined __x86_64__
#define INSTRUCTION_SETS "avx512, avx2, sse2"
#elif defined __aarch64__
#define INSTRUCTION_SETS "neon"
#elif defined __arm__
#define INSTRUCTION_SETS "neon, generic"
#else
#define INSTRUCTION_SETS "generic"
#endif

static void the_cpu_engine_describes_itself_and_refuses_bad_options(void **state)
{
    static const struct {
        struct fft_engine_config config;
        int err;
        const char *why;
    } bad[] = {
        {{.name = "cpu", .threads = 1, .isa = "mmx"},
         -EINVAL,
         "cpu: no instruction set \"mmx\": this build has " INSTRUCTION_SETS},
        {{.name = "cpu:0", .threads = 1},
         -EINVAL,
         "cpu: the cpu engine has no devices to choose from (\"0\")"},
        {{.name = "cpu", .threads = 1000}, -EINVAL, "cpu: 1000 threads are more than 256"},
    };
    char why[200];
    struct fft_engine *e;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(fft_engine_open(&e, &bad[i].config, why, sizeof why), bad[i].err);
        assert_string_equal(why, bad[i].why);
    }
    const struct fft_engine_config config = {.name = "cpu", .threads = 2, .isa = "auto"};
    assert_int_equal(fft_engine_open(&e, &config, why, sizeof why), 0);
    assert_non_null(strstr(fft_engine_describe(e), ", 2 threads"));
    assert_int_equal(strncmp(fft_engine_describe(e), "cpu: ", 5), 0);
    fft_engine_close(e);
}

static void visit(void *user, const char *name, int err, const char *text)
{
    if (strcmp(name, "cpu") == 0 && err == 0 && strncmp(text, "cpu: ", 5) == 0)
        ++*(int *)user;
}

static void every_engine_is_visited(void **state)
{
    int cpus = 0;
    (void)state;
    fft_engine_each(visit, &cpus);
    assert_int_equal(cpus, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_opens_the_first_working_engine),
        cmocka_unit_test(engines_marked_by_name_only_open_only_by_name),
        cmocka_unit_test(an_engine_is_found_by_its_name),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(an_engine_that_this_build_lacks_is_known),
        cmocka_unit_test(a_wrong_result_fails_the_self_test),
        cmocka_unit_test(the_device_follows_the_engine_name),
        cmocka_unit_test(an_unsupported_plan_is_refused_with_the_engines_reason),
        cmocka_unit_test(a_failed_spectrum_is_cleaned_up),
        cmocka_unit_test(a_reason_is_truncated_to_its_buffer),
        cmocka_unit_test(the_cpu_engine_describes_itself_and_refuses_bad_options),
        cmocka_unit_test(every_engine_is_visited),
    };
    make_fakes();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
