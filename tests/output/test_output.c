/*
 * test_output.c - rows reach files and pipes; readers that stall or leave harm nobody.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/reason.h"
#include "tests/output/output_fixture.h"

static void every_line_is_a_row_in_replay(void **state)
{
    (void)state;
    struct line_ring *r = output_fixture_lines_of(FFT_DETECTOR_MAX);
    struct output *o = output_fixture_start(r, true, 1, output_fixture_number_row);
    for (uint64_t i = 0; i < 500; i++)
        output_fixture_publish(r, i, 1);
    line_ring_close(r);
    struct output_state report;
    output_fixture_wait_for_end(o, &report);
    assert_int_equal(report.error, 0);
    assert_int_equal(report.rows, 500);
    assert_int_equal(report.folded + report.missed, 0);
    output_destroy(o);

    FILE *file = fopen(output_fixture_path, "r");
    unsigned long long number = 0;
    unsigned merged = 0;
    for (uint64_t i = 0; i < 500; i++) {
        assert_int_equal(fscanf(file, "%llu %u %*g %*g %*u %*u", &number, &merged), 2);
        assert_int_equal(number, i);
        assert_int_equal(merged, 1);
    }
    assert_int_equal(fscanf(file, "%llu", &number), EOF);
    fclose(file);
    unlink(output_fixture_path);
    line_ring_destroy(r);
}

/* An output whose row 1 does not fit into the pipe any more: further lines have to wait. */
static struct output *start_stalled(struct line_ring *r, unsigned detector, int *reader)
{
    assert_int_equal(mkfifo(output_fixture_path, 0600), 0);
    *reader = open(output_fixture_path, O_RDONLY | O_NONBLOCK);
    struct output *o = output_fixture_start(r, false, detector, output_fixture_long_row);
    output_fixture_publish(r, 0, detector);
    output_fixture_wait_for_rows(o, 1);
    output_fixture_publish(r, 1, detector);
    output_fixture_wait_for_rows(o, 2); /* 40 KiB a row */
    return o;
}

struct seen {
    unsigned long long number, first, count, total; /* of the last row; all lines */
    unsigned merged;
    float level[2];
};

static struct seen read_all(int reader)
{
    struct seen seen = {0};
    char text[128];
    assert_int_equal(fcntl(reader, F_SETFL, 0), 0);
    FILE *file = fdopen(reader, "r");
    while (fgets(text, sizeof text, file)) {
        if (sscanf(text, "%llu %u %g %g %llu %llu", &seen.number, &seen.merged, &seen.level[0],
                   &seen.level[1], &seen.first, &seen.count) == 6)
            seen.total += seen.merged;
    }
    fclose(file);
    return seen;
}

/* Level 0 of a line is its number i, level 1 is 100 - i; it has i + 1 frames. */
static double folded_level(unsigned detector, unsigned first, unsigned last)
{
    double sum = 0, frames = 0;
    for (unsigned i = first; i <= last; i++) {
        sum += i * (i + 1.0);
        frames += i + 1.0;
    }
    const double levels[] = {sum / frames, last, first, last};
    return levels[detector];
}

/* A pipe that nobody reads for a while: rows must be folded, and add up. */
static void a_stalled_reader_gets_folded_rows(unsigned detector)
{
    enum { LINES = 60 };
    struct line_ring *r = output_fixture_lines_of(1U << detector);
    int reader = -1;
    struct output *o = start_stalled(r, detector, &reader);
    for (uint64_t i = 2; i < LINES; i++) {
        output_fixture_publish(r, i, detector);
        uv_sleep(2);
    }
    line_ring_close(r);
    const struct seen seen = read_all(reader);
    struct output_state report;
    output_fixture_wait_for_end(o, &report);
    assert_int_equal(seen.total, LINES);
    assert_int_equal(seen.number, LINES - 1);
    assert_true(report.folded > LINES / 2);
    assert_int_equal(report.rows + report.folded, LINES);
    const unsigned first = LINES - seen.merged, opposite = detector == 1   ? 2
                                                           : detector == 2 ? 1
                                                                           : detector;
    assert_near(seen.level[0], folded_level(detector, first, LINES - 1), 0.001);
    assert_near(seen.level[1], 100 - folded_level(opposite, first, LINES - 1), 0.001);
    assert_int_equal(seen.first, 100 * first);
    assert_int_equal(seen.count, 100 * (seen.merged - 1) + 110);
    output_destroy(o);
    unlink(output_fixture_path);
    line_ring_destroy(r);
}

static void a_stalled_reader_gets_folded_rows_of_mean(void **state)
{
    (void)state;
    a_stalled_reader_gets_folded_rows(0);
}

static void a_stalled_reader_gets_folded_rows_of_max(void **state)
{
    (void)state;
    a_stalled_reader_gets_folded_rows(1);
}

static void a_stalled_reader_gets_folded_rows_of_min(void **state)
{
    (void)state;
    a_stalled_reader_gets_folded_rows(2);
}

static void a_stalled_reader_gets_folded_rows_of_samples(void **state)
{
    (void)state;
    a_stalled_reader_gets_folded_rows(3);
}

/* A pipe that is full when the radio is tuned, and again when its stream begins anew. */
static void lines_of_different_streams_are_never_folded(void **state)
{
    (void)state;
    struct line_ring *r = output_fixture_lines_of(FFT_DETECTOR_MAX);
    int reader = -1;
    struct output *o = start_stalled(r, 1, &reader);
    for (uint64_t i = 2; i < 17; i++) {
        output_fixture_next.center_hz = i < 7 ? 0 : 5e6;
        output_fixture_next.epoch = i < 12 ? 0 : 1;
        output_fixture_publish(r, i, 1);
    }
    line_ring_close(r);
    const struct seen seen = read_all(reader);
    struct output_state report;
    output_fixture_wait_for_end(o, &report);
    assert_int_equal(seen.number, 16);
    assert_true(seen.merged <= 5); /* 12 to 16 */
    assert_int_equal(seen.total + report.missed, 17);
    output_destroy(o);
    unlink(output_fixture_path);
    line_ring_destroy(r);
    output_fixture_next.center_hz = 0;
    output_fixture_next.epoch = 0;
}

static void a_reader_that_leaves_ends_the_output_cleanly(void **state)
{
    (void)state;
    struct line_ring *r = output_fixture_lines_of(FFT_DETECTOR_MAX);
    assert_int_equal(mkfifo(output_fixture_path, 0600), 0);
    const int reader = open(output_fixture_path, O_RDONLY | O_NONBLOCK);
    struct output *o = output_fixture_start(r, true, 1, output_fixture_number_row);
    output_fixture_publish(r, 0, 1);
    output_fixture_wait_for_rows(o, 1);
    close(reader);
    output_fixture_publish(r, 1, 1);
    output_fixture_publish(r, 2, 1);
    struct output_state report;
    output_fixture_wait_for_end(o, &report);
    assert_int_equal(report.error, -EPIPE);
    for (uint64_t i = 3; i < 200; i++)
        output_fixture_publish(r, i, 1); /* nobody waits for it any more */
    output_destroy(o);
    unlink(output_fixture_path);
    line_ring_destroy(r);
}

static void a_fifo_may_get_its_reader_later_or_never(void **state)
{
    (void)state;
    struct line_ring *r = output_fixture_lines_of(FFT_DETECTOR_MAX);
    assert_int_equal(mkfifo(output_fixture_path, 0600), 0);
    struct output *o = output_fixture_start(r, true, 1, output_fixture_number_row);
    for (uint64_t i = 0; i < 5; i++)
        output_fixture_publish(r, i, 1);
    FILE *file = fopen(output_fixture_path, "r");
    for (unsigned long long i = 0, number = 99; i < 5; i++) {
        assert_int_equal(fscanf(file, "%llu %*u %*g %*g %*u %*u", &number), 1);
        assert_int_equal(number, i);
    }
    fclose(file);
    output_destroy(o);

    o = output_fixture_start(r, false, 1, output_fixture_number_row);
    output_fixture_publish(r, 5, 1);
    output_fixture_wait_for_rows(o, 1);
    output_destroy(o); /* does not wait for a reader either */
    unlink(output_fixture_path);
    line_ring_destroy(r);
}

static void a_path_that_cannot_be_opened_is_named(void **state)
{
    (void)state;
    struct line_ring *r = output_fixture_lines_of(FFT_DETECTOR_MAX);
    struct output *o = NULL;
    struct reason why = {0};
    const struct output_config config = {
        .file = {.path = "/nonexistent/rows.csv"}, .row = row_csv, .detector_index = 1, .lines = r};
    assert_int_equal(output_start(&o, &config, &why), -ENOENT);
    assert_null(o);
    assert_non_null(strstr(why.sentence, "/nonexistent/rows.csv"));
    line_ring_destroy(r);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    char keep[sizeof output_fixture_path];
    memcpy(keep, output_fixture_path, sizeof keep);
    strcpy(output_fixture_path, "/dev/full");
    struct line_ring *r = output_fixture_lines_of(FFT_DETECTOR_MAX);
    struct output *o = output_fixture_start(r, true, 1, output_fixture_number_row);
    output_fixture_publish(r, 0, 1);
    struct output_state report;
    output_fixture_wait_for_end(o, &report);
    assert_int_equal(report.error, -ENOSPC);
    output_destroy(o);
    memcpy(output_fixture_path, keep, sizeof keep);
    line_ring_destroy(r);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    if (!output_fixture_init())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_is_a_row_in_replay),
        cmocka_unit_test(a_path_that_cannot_be_opened_is_named),
        cmocka_unit_test(a_full_disk_is_an_error),
    };
    const struct CMUnitTest pipes[] = {
        cmocka_unit_test(a_stalled_reader_gets_folded_rows_of_mean),
        cmocka_unit_test(a_stalled_reader_gets_folded_rows_of_max),
        cmocka_unit_test(a_stalled_reader_gets_folded_rows_of_min),
        cmocka_unit_test(a_stalled_reader_gets_folded_rows_of_samples),
        cmocka_unit_test(lines_of_different_streams_are_never_folded),
        cmocka_unit_test(a_fifo_may_get_its_reader_later_or_never),
        cmocka_unit_test(a_reader_that_leaves_ends_the_output_cleanly),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    failed += cmocka_run_group_tests(pipes, NULL, NULL);
    output_fixture_finish();
    return failed;
}
