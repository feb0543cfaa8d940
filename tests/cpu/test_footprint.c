/* test_footprint.c - the memory that spectra take, as the kernel counts it, against their estimate.
 */
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fft/fft.h"

static double resident_bytes(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%*d %ld", &pages) != 1)
        abort();
    fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* In a process of its own, where no freed memory is used again. */
static double measure(const struct fft_engine_config *config, struct fft_spectrum_config plan)
{
    struct fft_engine *e = NULL;
    struct fft_spectrum *s = NULL;
    struct fft_fold *fold = NULL;
    struct fft_partial partial;
    const size_t samples = (size_t)(plan.max_frames - 1) * plan.hop + plan.n;
    float *window = malloc(plan.n * sizeof *window);
    void *raw = malloc(2 * samples);
    memset(raw, 0x80, 2 * samples);
    for (uint32_t i = 0; i < plan.n; i++)
        window[i] = 1.0F / (float)plan.n;
    plan.window = window;
    if (fft_engine_open(&e, config, NULL, 0) < 0)
        abort();
    const double before = resident_bytes();
    if (fft_spectrum_create(&s, e, &plan, NULL, 0) < 0 || fft_fold_create(&fold, &plan) < 0 ||
        fft_spectrum_submit(s, raw, 0, plan.max_frames, 0) < 0 ||
        fft_spectrum_poll(s, &partial, -1) != 1)
        abort();
    fft_fold_add(fold, &partial);
    return resident_bytes() - before;
}

static double measure_apart(const struct fft_engine_config *config,
                            const struct fft_spectrum_config *plan)
{
    int pipe_ends[2], status = 0;
    double bytes = 0;
    assert_int_equal(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        bytes = measure(config, *plan);
        _exit(write(pipe_ends[1], &bytes, sizeof bytes) != sizeof bytes);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read(pipe_ends[0], &bytes, sizeof bytes), sizeof bytes);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    return bytes;
}

static void a_spectrum_takes_the_memory_that_was_estimated(void **state)
{
    enum { ALL = (1 << FFT_DETECTORS) - 1 };
    static const struct {
        uint32_t n, hop, frames, threads;
        unsigned detectors;
    } cases[] = {
        {1024, 512, 47, 1, ALL},
        {16384, 1024, 60, 2, ALL},
        {65536, 32768, 16, 3, ALL},
        {65536, 65536, 100, 1, FFT_DETECTOR_MEAN},
        {524288, 262144, 8, 2, ALL},
        {1048576, 1048576, 2, 1, ALL},
        {1048576, 1048576, 2, 4, FFT_DETECTOR_MAX | FFT_DETECTOR_SAMPLE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fft_engine_config config = {.name = "cpu", .threads = cases[i].threads};
        const struct fft_spectrum_config plan = {.n = cases[i].n,
                                                 .hop = cases[i].hop,
                                                 .max_frames = cases[i].frames,
                                                 .depth = 3,
                                                 .format = FFT_IQ_CU8,
                                                 .detectors = cases[i].detectors};
        const double estimate = (double)fft_spectrum_bytes(&config, &plan);
        const double got = measure_apart(&config, &plan), slack = 3e6; /* stacks, huge pages */
        print_message("n %u, %u threads: %.1f MB estimated, %.1f MB taken\n", plan.n,
                      config.threads, estimate / 1e6, got / 1e6);
        assert_true(got < 1.05 * estimate + slack);
        assert_true(got > 0.85 * estimate - slack);
    }
}

static void an_unknown_instruction_set_has_no_estimate(void **state)
{
    const struct fft_engine_config config = {.name = "cpu", .isa = "mmx"};
    const struct fft_spectrum_config plan = {
        .n = 1024, .hop = 512, .max_frames = 4, .depth = 1, .detectors = FFT_DETECTOR_MEAN};
    (void)state;
    assert_int_equal(fft_spectrum_bytes(&config, &plan), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spectrum_takes_the_memory_that_was_estimated),
        cmocka_unit_test(an_unknown_instruction_set_has_no_estimate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
