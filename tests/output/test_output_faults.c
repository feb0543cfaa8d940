/*
 * test_output_faults.c - full disks, limits of size and readers that leave, in real time: an output
 * recovers, and its file has whole rows only.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "tests/output/output_fixture.h"

enum { ROW_TAIL = 41000 }; /* of output_fixture_long_row, after its first line */

struct rows {
    uint64_t whole, lines; /* rows; lines in them */
    uint64_t last;         /* number of the last line */
    bool broken;           /* something that is not a whole row */
};

/* Checks each byte of the rows of output_fixture_long_row. The last row may be cut if `cut`. */
static struct rows read_rows(FILE *file, bool cut)
{
    struct rows rows = {0};
    char text[128];
    while (fgets(text, sizeof text, file)) {
        unsigned long long number;
        unsigned merged;
        size_t tail = 0;
        if (sscanf(text, "%llu %u %*g %*g %*u %*u", &number, &merged) != 2 ||
            (rows.whole > 0 && number <= rows.last))
            rows.broken = true;
        while (tail < ROW_TAIL && fgets(text, sizeof text, file) && text[0] == '.')
            tail += strlen(text);
        if (tail != ROW_TAIL)
            rows.broken = rows.broken || !cut || !feof(file);
        else
            rows.whole++;
        rows.lines += merged;
        rows.last = number;
    }
    return rows;
}

static struct rows read_path(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const struct rows rows = read_rows(file, false);
    fclose(file);
    return rows;
}

/* Every line is in a row of the file, or dropped, or missed. */
static void assert_all_accounted(const struct rows *rows, const struct output_state *state,
                                 uint64_t lines)
{
    assert_false(rows->broken);
    assert_int_equal(rows->whole, state->rows);
    assert_int_equal(rows->lines + state->dropped + state->missed, lines);
    assert_true(state->dropped > 0);
}

/* Fills the file until `error`, lets it fail for some lines, then calls mend and continues. */
static void recovers(int error, void (*mend)(void))
{
    struct line_ring *r = output_fixture_lines_of(FFT_DETECTOR_MAX);
    struct output *o = output_fixture_start(r, false, 1, output_fixture_long_row);
    struct output_state state;
    uint64_t number = 0;
    output_fixture_publish_until(o, r, &number, error);
    output_state(o, &state);
    assert_string_equal(output_state_name(&state), "retrying");
    for (int i = 0; i < 50; i++) {
        output_fixture_publish(r, number++, 1);
        uv_sleep(10);
    }
    assert_false(read_path(output_fixture_path).broken);
    mend();
    output_fixture_publish_until(o, r, &number, 0);
    for (int i = 0; i < 5; i++)
        output_fixture_publish(r, number++, 1);
    line_ring_close(r);
    output_fixture_wait_for_end(o, &state);
    assert_int_equal(state.error, 0);
    const struct rows rows = read_path(output_fixture_path);
    assert_all_accounted(&rows, &state, number);
    assert_int_equal(rows.last, number - 1);
    output_destroy(o);
    line_ring_destroy(r);
    unlink(output_fixture_path);
}

static void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void lift_limit(void)
{
    limit_file_size(RLIM_INFINITY);
}

static void file_at_its_limit_of_size_continues_when_the_limit_is_lifted(void **state)
{
    (void)state;
    limit_file_size(3 * ROW_TAIL);
    recovers(-EFBIG, lift_limit);
}

static char disk[64], filler[80];

static void free_disk(void)
{
    assert_int_equal(unlink(filler), 0);
}

static void fill_disk(void)
{
    static const char block[4096];
    FILE *file = fopen(filler, "w");
    assert_non_null(file);
    for (int i = 0; i < 200; i++)
        assert_int_equal(fwrite(block, sizeof block, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

static void file_on_a_full_disk_continues_when_there_is_room(void **state)
{
    (void)state;
    char keep[sizeof output_fixture_path];
    memcpy(keep, output_fixture_path, sizeof keep);
    snprintf(disk, sizeof disk, "/tmp/fftd-disk-XXXXXX");
    assert_non_null(mkdtemp(disk));
    if (mount("none", disk, "tmpfs", 0, "size=1m") < 0) {
        rmdir(disk);
        print_message("skipped: cannot mount a small tmpfs: %s\n", strerror(errno));
        skip();
    }
    snprintf(filler, sizeof filler, "%s/filler", disk);
    fill_disk();
    snprintf(output_fixture_path, sizeof output_fixture_path, "%.40s/rows", disk);
    recovers(-ENOSPC, free_disk);
    memcpy(output_fixture_path, keep, sizeof keep);
    assert_int_equal(umount(disk), 0);
    rmdir(disk);
}

/* Nothing can be cut back in a device: the rest of the row would follow. */
static void full_device_is_tried_until_the_end_and_fails_there(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    char keep[sizeof output_fixture_path];
    memcpy(keep, output_fixture_path, sizeof keep);
    strcpy(output_fixture_path, "/dev/full");
    struct line_ring *r = output_fixture_lines_of(FFT_DETECTOR_MAX);
    struct output *o = output_fixture_start(r, false, 1, output_fixture_number_row);
    struct output_state report;
    uint64_t number = 0;
    output_fixture_publish_until(o, r, &number, -ENOSPC);
    for (int i = 0; i < 50; i++) {
        output_fixture_publish(r, number++, 1);
        uv_sleep(10);
    }
    output_state(o, &report);
    assert_false(report.ended);
    assert_int_equal(report.error, -ENOSPC);
    line_ring_close(r);
    output_fixture_wait_for_end(o, &report);
    assert_int_equal(report.error, -ENOSPC);
    assert_string_equal(output_state_name(&report), "failed");
    assert_int_equal(report.dropped + report.rows + report.folded + report.missed, number);
    output_destroy(o);
    line_ring_destroy(r);
    memcpy(output_fixture_path, keep, sizeof keep);
}

/* In replay nothing is dropped: the output ends, and the file keeps its whole rows. */
static void replay_ends_at_a_limit_of_size_with_whole_rows(void **state)
{
    (void)state;
    limit_file_size(3 * ROW_TAIL);
    struct line_ring *r = output_fixture_lines_of(FFT_DETECTOR_MAX);
    struct output *o = output_fixture_start(r, true, 1, output_fixture_long_row);
    struct output_state report;
    for (uint64_t i = 0; i < 5; i++)
        output_fixture_publish(r, i, 1);
    output_fixture_wait_for_end(o, &report);
    lift_limit();
    assert_int_equal(report.error, -EFBIG);
    const struct rows rows = read_path(output_fixture_path);
    assert_false(rows.broken);
    assert_int_equal(rows.whole, 2);
    output_destroy(o);
    line_ring_destroy(r);
    unlink(output_fixture_path);
}

/* The first reader leaves in the middle of a row; the next one gets whole rows. */
static void fifo_gets_whole_rows_from_its_next_reader_on(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(output_fixture_path, 0600), 0);
    const int first = open(output_fixture_path, O_RDONLY | O_NONBLOCK);
    struct line_ring *r = output_fixture_lines_of(FFT_DETECTOR_MAX);
    struct output *o = output_fixture_start(r, false, 1, output_fixture_long_row);
    struct output_state report;
    uint64_t number = 0;
    output_fixture_publish(r, number++, 1);
    output_fixture_publish(r, number++, 1);
    output_fixture_wait_for_rows(o, 2); /* row 1 does not fit into the pipe */
    close(first);
    output_fixture_publish_until(o, r, &number, -EPIPE);
    for (int i = 0; i < 20; i++) {
        output_fixture_publish(r, number++, 1);
        uv_sleep(10);
    }
    FILE *second = fopen(output_fixture_path, "r");
    assert_non_null(second);
    line_ring_close(r);
    const struct rows rows = read_rows(second, false);
    fclose(second);
    output_fixture_wait_for_end(o, &report);
    assert_int_equal(report.error, 0);
    assert_false(rows.broken);
    assert_true(rows.whole >= 1);
    assert_true(report.dropped >= 20);
    output_destroy(o);
    line_ring_destroy(r);
    unlink(output_fixture_path);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (!output_fixture_init())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_at_its_limit_of_size_continues_when_the_limit_is_lifted),
        cmocka_unit_test(file_on_a_full_disk_continues_when_there_is_room),
        cmocka_unit_test(full_device_is_tried_until_the_end_and_fails_there),
        cmocka_unit_test(replay_ends_at_a_limit_of_size_with_whole_rows),
        cmocka_unit_test(fifo_gets_whole_rows_from_its_next_reader_on),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    output_fixture_finish();
    return failed;
}
