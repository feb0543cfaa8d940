/* test_admission.c - the memory that a plan is counted with. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/dsp/admission.h"
#include "fft/engine.h"

enum { N = 1 << 16 };

static uint64_t bytes_with(uint32_t measure_bin_bytes, uint32_t active_n)
{
    const struct stream stream = {
        .format = FFT_IQ_CF32, .full_scale = 1, .tuning = {.rate_hz = 1e6}};
    struct settings wanted = {.n = N, .overlap = 50, .average = 10};
    struct admission a = {.engine = {.name = "cpu", .threads = 1},
                          .detectors = FFT_DETECTOR_MEAN,
                          .measure_bin_bytes = measure_bin_bytes};
    a.active = (struct line_shape){.n = active_n, .detectors = FFT_DETECTOR_MEAN};
    assert_int_equal(fft_window_parse("hann", &wanted.window), 0);
    return admission_bytes(&a, &wanted, &stream);
}

/* Ten averages have a float and a double for each bin: 120 bytes. */
static void the_traces_of_measurements_count_for_each_bin(void **state)
{
    (void)state;
    assert_int_equal(bytes_with(120, 0) - bytes_with(0, 0), 120 * N);
    assert_int_equal(bytes_with(120, N / 2) - bytes_with(0, N / 2), 120 * N);
}

static void traces_that_are_there_already_do_not_count(void **state)
{
    (void)state;
    assert_int_equal(bytes_with(120, N), bytes_with(0, N));
}

/* Each keeps 64 bits for a cell of the density, and a level and its pyramid for each bin. */
static void measurements_of_percentiles_count_with_their_density(void **state)
{
    (void)state;
    const struct stream stream = {
        .format = FFT_IQ_CF32, .full_scale = 1, .tuning = {.rate_hz = 1e6}};
    struct settings wanted = {.n = N, .overlap = 50, .average = 10, .density = {801, 201, 0, 0.5F}};
    struct admission a = {.engine = {.name = "cpu", .threads = 1}, .detectors = FFT_DETECTOR_MEAN};
    assert_int_equal(fft_window_parse("hann", &wanted.window), 0);
    wanted.density_wanted = true;
    const uint64_t without = admission_bytes(&a, &wanted, &stream);
    a.measure_percentiles = 10;
    const uint64_t each = (admission_bytes(&a, &wanted, &stream) - without) / 10;
    const uint64_t least = 801 * 201 * 8 + N * 4 * 2;
    assert_in_range(each, least, least + 4096); /* alignment and the line's description */
}

/* A configuration without a server, in which the archive takes more than all else. */
static void the_archive_counts_whole(void **state)
{
    (void)state;
    const struct stream stream = {
        .format = FFT_IQ_CF32, .full_scale = 1, .tuning = {.rate_hz = 1e6}};
    struct settings wanted = {.n = N, .overlap = 50, .average = 10};
    struct admission a = {.engine = {.name = "cpu", .threads = 1}, .detectors = FFT_DETECTOR_MEAN};
    struct reason why = {0};
    assert_int_equal(fft_window_parse("hann", &wanted.window), 0);
    const uint64_t without = admission_bytes(&a, &wanted, &stream);
    a.archive_bytes = 22 << 20;
    assert_int_equal(admission_bytes(&a, &wanted, &stream) - without, 22 << 20);
    assert_int_equal(admission_check(&a, &wanted, &stream, &why), 0);
    a.archive_bytes = UINT64_C(1) << 60;
    assert_int_equal(admission_check(&a, &wanted, &stream, &why), -ENOMEM);
    assert_non_null(strstr(why.sentence, "MiB of memory"));
}

static size_t three_megabytes(const struct fft_engine *e, const struct fft_spectrum_config *plan)
{
    (void)e;
    assert_int_equal(plan->n, N);
    return 3000000;
}

/* What an engine for a device pins comes on top: the CPU engine may have to replace it. */
static void the_host_memory_of_a_device_counts(void **state)
{
    (void)state;
    const struct engine_ops ops = {.device_bytes = three_megabytes};
    const struct fft_engine engine = {.ops = &ops};
    const struct stream stream = {
        .format = FFT_IQ_CF32, .full_scale = 1, .tuning = {.rate_hz = 1e6}};
    struct settings wanted = {.n = N, .overlap = 50, .average = 10};
    struct admission a = {.engine = {.name = "cpu", .threads = 1}, .detectors = FFT_DETECTOR_MEAN};
    assert_int_equal(fft_window_parse("hann", &wanted.window), 0);
    const uint64_t without = admission_bytes(&a, &wanted, &stream);
    a.device = &engine;
    assert_int_equal(admission_bytes(&a, &wanted, &stream) - without, 3000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_traces_of_measurements_count_for_each_bin),
        cmocka_unit_test(measurements_of_percentiles_count_with_their_density),
        cmocka_unit_test(the_archive_counts_whole),
        cmocka_unit_test(the_host_memory_of_a_device_counts),
        cmocka_unit_test(traces_that_are_there_already_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
