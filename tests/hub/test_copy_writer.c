/* test_copy_writer.c - blocks of sensors on a hub's disk: once each, and within limits. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/archive/store/archive_find.h"
#include "daemon/base/reason.h"
#include "daemon/database/database.h"
#include "daemon/hub/copies/copy_writer.h"
#include "fft/fft.h"

enum { COLUMNS = 16, RADIOS = COPY_STORES_MAX + 8 };
static const uint64_t second_ns = 1000000000;
static const int64_t start_ns = INT64_C(1700000000000000000);

static char folder[64];
static struct archive_options options;
static struct copy_writer writer;
static struct copy_files files[RADIOS];
static struct copy_state states[RADIOS];
static uint64_t age_ns;

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fftd-copies-XXXXXX");
    assert_non_null(mkdtemp(folder));
    options = (struct archive_options){.folder = folder};
    writer = (struct copy_writer){.options = &options};
    assert_int_equal(age_clock_create(&writer.clock, folder, INT64_MIN, &age_clock_system), 0);
    memset(states, 0, sizeof states);
    age_ns = 86400 * second_ns;
    for (uint32_t i = 0; i < RADIOS; i++) {
        char name[16];
        snprintf(name, sizeof name, "r%u", i);
        files[i] = (struct copy_files){.owner = i + 1, .folder = copy_folder(folder, "lab", name)};
    }
    return 0;
}

static int tear_down(void **state)
{
    char command[100];
    (void)state;
    copy_writer_finish(&writer);
    age_clock_destroy(writer.clock);
    for (uint32_t i = 0; i < RADIOS; i++)
        copy_files_finish(&files[i]);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command); /* NOLINT(cert-env33-c): a folder of this test */
}

/* A block of a row of a second, so many seconds after the start. */
static struct text make_block(uint32_t second)
{
    static struct archive_rows rows;
    static float db[ARCHIVE_ROWS * COLUMNS];
    struct text block = {0};
    rows = (struct archive_rows){.layout = {1e6, 1000, COLUMNS, 1, FFT_DETECTOR_MEAN}, .count = 1};
    snprintf(rows.facts, sizeof rows.facts, "{}");
    rows.db[0] = db;
    rows.row[0] = (struct archive_row){.time_ns = start_ns + (int64_t)(second * second_ns),
                                       .duration_ns = (int64_t)second_ns,
                                       .lines = 1,
                                       .frames = 1};
    block_write(&block, &rows, second_ns, 0.5F);
    assert_false(block.failed);
    return block;
}

static enum copy_written add(uint32_t radio, uint32_t second)
{
    struct copy c = {.kept = {1, {{second_ns, age_ns}}}, .asked_ns = second_ns};
    struct block_head head;
    int fault;
    c.bytes = make_block(second);
    assert_int_equal(block_read_head((const uint8_t *)c.bytes.data, &head), 0);
    c.part.id = (struct block_id){head.start_ns, head.checksum};
    const enum copy_written done =
        copy_writer_add(&writer, &files[radio], &c, &states[radio], &fault);
    copy_finish(&c);
    return done;
}

static int count(uint32_t radio, const char *table)
{
    sqlite3 *db;
    char sql[64];
    int64_t number;
    assert_int_equal(archive_index_open_read(&db, files[radio].folder), 0);
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    assert_int_equal(database_read_number(db, sql, NULL, 0, -1, &number), 0);
    database_close(db);
    return (int)number;
}

static void a_block_is_written_once(void **state)
{
    struct copy_tier tier = {.known = false};
    (void)state;
    assert_true(copy_writer_find_last(&writer, &files[0], second_ns, &tier));
    assert_true(tier.known && !tier.has_last);
    assert_int_equal(add(0, 0), COPY_WRITTEN);
    assert_int_equal(add(0, 1), COPY_WRITTEN);
    assert_int_equal(add(0, 0), COPY_DUPLICATE);
    assert_int_equal(count(0, "block"), 2);
    assert_true(copy_writer_find_last(&writer, &files[0], second_ns, &tier));
    assert_true(tier.has_last && tier.last.start_ns == start_ns + (int64_t)second_ns);
    assert_true(states[0].oldest_ns == start_ns);
    assert_true(states[0].newest_ns == start_ns + 2 * (int64_t)second_ns);
}

/* Each time, the stores of the others are open. */
static void more_radios_than_open_files_are_written_into_one_segment_each(void **state)
{
    (void)state;
    for (uint32_t second = 0; second < 3; second++)
        for (uint32_t radio = 0; radio < RADIOS; radio++)
            assert_int_equal(add(radio, second), COPY_WRITTEN);
    for (uint32_t radio = 0; radio < RADIOS; radio++) {
        assert_int_equal(count(radio, "block"), 3);
        assert_int_equal(count(radio, "segment"), 1);
    }
}

static void a_full_disk_fails_and_the_block_can_be_written_later(void **state)
{
    (void)state;
    options.min_free = UINT64_MAX / 2;
    assert_int_equal(add(0, 0), COPY_FAILED);
    assert_non_null(strstr(writer.failure, "archive-min-free"));
    assert_non_null(strstr(writer.failure, files[0].folder));
    options.min_free = 0;
    assert_int_equal(add(0, 0), COPY_WRITTEN);
    assert_int_equal(count(0, "block"), 1);
}

static void rows_that_are_too_old_are_deleted(void **state)
{
    (void)state;
    age_ns = 160 * second_ns; /* a segment has a sixteenth: 10 s */
    for (uint32_t second = 0; second < 400; second++) {
        files[0].limits_at_ns = 0; /* they are applied every 10 s */
        assert_int_equal(add(0, second), COPY_WRITTEN);
    }
    const int left = count(0, "block");
    assert_true(left >= 160 && left <= 180);
    assert_true(states[0].oldest_ns >= start_ns + 220 * (int64_t)second_ns);
    assert_true(states[0].newest_ns == start_ns + 400 * (int64_t)second_ns);
}

/* As many seconds as an age: the clock of the sensor was years behind, ahead by hours, and right.
 */
static void a_sensor_whose_clock_is_wrong_loses_no_rows(void **state)
{
    static const uint32_t behind = 0,
                          right = 94608000; /* three years later, and in the past, too */
    (void)state;
    age_ns = 160 * second_ns;
    for (uint32_t i = 0; i < 60; i++) {
        files[0].limits_at_ns = 0;
        assert_int_equal(add(0, right + i), COPY_WRITTEN);
    }
    for (uint32_t i = 0; i < 20; i++) {
        files[0].limits_at_ns = 0;
        assert_int_equal(add(0, behind + i), COPY_WRITTEN);
    }
    for (uint32_t i = 60; i < 80; i++) {
        files[0].limits_at_ns = 0;
        assert_int_equal(add(0, right + i), COPY_WRITTEN);
    }
    assert_int_equal(count(0, "block"), 100);
}

static void a_refused_block_leaves_no_trace(void **state)
{
    struct copy c = {.kept = {1, {{second_ns, second_ns}}}, .asked_ns = second_ns};
    int fault = -1;
    (void)state;
    text_add_bytes(&c.bytes, "FSA1, and then nothing", 22);
    assert_int_equal(copy_writer_add(&writer, &files[0], &c, &states[0], &fault), COPY_REFUSED);
    assert_int_equal(fault, COPY_FAULT_BLOCK);
    assert_int_not_equal(access(files[0].folder, F_OK), 0);
    copy_finish(&c);
}

static void a_folder_that_another_one_writes_fails_with_its_name(void **state)
{
    struct archive_store *other;
    struct copy_tier tier = {.known = false};
    struct reason why = {0};
    (void)state;
    assert_int_equal(archive_store_open(&other, files[0].folder, &why), 0);
    assert_false(copy_writer_find_last(&writer, &files[0], second_ns, &tier));
    assert_non_null(strstr(writer.failure, files[0].folder));
    assert_int_equal(add(0, 0), COPY_FAILED);
    archive_store_close(other);
    assert_int_equal(add(0, 0), COPY_WRITTEN);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_block_is_written_once),
        TEST(more_radios_than_open_files_are_written_into_one_segment_each),
        TEST(a_full_disk_fails_and_the_block_can_be_written_later),
        TEST(rows_that_are_too_old_are_deleted),
        TEST(a_sensor_whose_clock_is_wrong_loses_no_rows),
        TEST(a_refused_block_leaves_no_trace),
        TEST(a_folder_that_another_one_writes_fails_with_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
