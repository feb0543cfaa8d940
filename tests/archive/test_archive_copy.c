/* test_archive_copy.c - an archive is copied block by block, as it was appended. */
#include "tests/archive/archive_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/archive/store/archive_copy.h"
#include "daemon/archive/store/archive_store.h"
#include "daemon/base/reason.h"
#include "daemon/database/database.h"

static const uint64_t tenth_ns = 100000000, second_ns = 1000000000;
static const struct archive_tier tier = {100000000, UINT64_C(3600) * 1000000000};

static struct archive_fixture fixture;
static char copy[80]; /* the folder of the copy */
static sqlite3 *db;   /* the index of the original */

static int set_up(void **state)
{
    (void)state;
    archive_fixture_init(&fixture);
    fixture.options.tiers = "10/s:1y,1/s:1y";
    snprintf(copy, sizeof copy, "%s-copy", fixture.folder);
    return 0;
}

static int tear_down(void **state)
{
    char command[200];
    (void)state;
    database_close(db);
    db = NULL;
    archive_fixture_remove(&fixture);
    snprintf(command, sizeof command, "rm -rf %s", copy);
    return system(command); /* NOLINT(cert-env33-c): a folder of this test */
}

/* A run of so many lines; `first`: number of the first, which decides its time. */
static void add_run(uint64_t first, uint32_t lines)
{
    fixture.next = first;
    archive_fixture_start(&fixture);
    archive_fixture_add_noise(&fixture, lines);
    assert_true(archive_fixture_stop(&fixture));
    database_close(db);
    assert_int_equal(archive_index_open_read(&db, fixture.folder), 0);
}

/* ---- the copy ---------------------------------------------------------------------------- */

static struct archive_store *open_copy(bool again)
{
    struct archive_store *s;
    struct reason why = {0};
    const int err =
        again ? archive_store_reopen(&s, copy, &why) : archive_store_open(&s, copy, &why);
    assert_int_equal(err, 0);
    archive_store_continue(s);
    return s;
}

static void append(struct archive_store *s, const struct archive_copy_block *b)
{
    struct text block = {0};
    text_add_bytes(&block, (const char *)b->bytes, b->size);
    assert_int_equal(archive_store_append(s, &tier, &block, 0), 0);
    text_finish(&block);
}

/* What a copy without other memory asks for. */
static struct archive_copy_query first_query(void)
{
    struct archive_store *s = open_copy(false);
    struct archive_copy_query q = {
        .db = db, .folder = fixture.folder, .period_ns = tenth_ns, .from_ns = INT64_MIN};
    q.has_after = archive_copy_newest(archive_store_database(s), copy, tenth_ns, &q.after) == 0;
    archive_store_close(s);
    return q;
}

/* Appends a block unless it is there. */
static bool take_block(const struct archive_copy_block *b)
{
    struct archive_store *s = open_copy(true);
    const struct block_id id = {b->head.start_ns, b->head.checksum};
    const int has = archive_copy_has(archive_store_database(s), copy, tenth_ns, id);
    if (has == 0)
        append(s, b);
    archive_store_close(s);
    return has == 0;
}

/* Copies until there is nothing more, with the store opened for each block. Returns the blocks. */
static uint32_t copy_all(uint32_t *gaps)
{
    struct archive_copy_block b = {0};
    struct archive_copy_query q = first_query();
    uint32_t blocks = 0;
    int err;
    while ((err = archive_copy_next(&q, &b)) == 0) {
        *gaps += b.gap;
        blocks += take_block(&b);
        q.has_after = true;
        q.after = (struct block_id){b.head.start_ns, b.head.checksum};
        q.after_place = b.place;
    }
    assert_int_equal(err, -ENODATA);
    archive_copy_finish(&b);
    return blocks;
}

/* ---- bytes ------------------------------------------------------------------------------- */

static void add_file(struct text *to, const char *folder, const char *name)
{
    char path[400], bytes[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
        text_add_bytes(to, bytes, n);
    fclose(f);
}

/* The segments of the finest tier one after another, by their names; their number. */
static int read_segments(struct text *to, const char *folder)
{
    struct dirent **all;
    int segments = 0;
    const int count = scandir(folder, &all, NULL, alphasort);
    assert_true(count >= 0);
    for (int i = 0; i < count; i++) {
        if (archive_store_period_of(all[i]->d_name) == tenth_ns) {
            add_file(to, folder, all[i]->d_name);
            segments++;
        }
        free(all[i]);
    }
    free(all);
    return segments;
}

static void assert_same_bytes(int segments)
{
    struct text one = {0}, other = {0};
    read_segments(&one, fixture.folder);
    assert_int_equal(read_segments(&other, copy), segments);
    assert_true(one.length > 0);
    assert_int_equal(one.length, other.length);
    assert_memory_equal(one.data, other.data, one.length);
    text_finish(&one);
    text_finish(&other);
}

/* ---- tests ------------------------------------------------------------------------------- */

static void a_copy_has_the_same_bytes_in_one_segment_however_often_it_is_opened(void **state)
{
    uint32_t gaps = 0;
    (void)state;
    add_run(0, 400);
    assert_int_equal(copy_all(&gaps), 7);
    assert_same_bytes(1);
    add_run(1000, 200);
    assert_int_equal(copy_all(&gaps), 4);
    assert_same_bytes(1);
    assert_int_equal(copy_all(&gaps), 0);
    assert_int_equal(gaps, 0);
}

static void runs_with_the_same_times_are_all_copied_and_stay_apart(void **state)
{
    uint32_t gaps = 0;
    (void)state;
    add_run(0, 300);
    assert_int_equal(copy_all(&gaps), 5);
    fixture.options.step_db = 1;
    add_run(0, 300);
    assert_int_equal(copy_all(&gaps), 5);
    assert_int_equal(gaps, 0);
    struct text other = {0};
    assert_int_equal(read_segments(&other, copy), 2);
    text_finish(&other);
}

/* A recording that is analysed twice: the blocks of the second run are there already. */
static void equal_blocks_are_copied_once_and_do_not_lead_back_to_the_first(void **state)
{
    uint32_t gaps = 0;
    (void)state;
    add_run(0, 300);
    add_run(0, 200);
    assert_int_equal(copy_all(&gaps), 6); /* the last block of the second run is shorter */
    assert_int_equal(copy_all(&gaps), 0);
    assert_int_equal(gaps, 0);
}

static void a_clock_that_is_set_back_loses_no_block(void **state)
{
    uint32_t gaps = 0;
    (void)state;
    add_run(100000, 100);
    assert_int_equal(copy_all(&gaps), 2);
    add_run(0, 100);
    assert_int_equal(copy_all(&gaps), 2);
    assert_int_equal(gaps, 0);
}

static void blocks_that_were_deleted_are_a_gap(void **state)
{
    char command[200];
    uint32_t gaps = 0;
    (void)state;
    add_run(0, 100);
    assert_int_equal(copy_all(&gaps), 2);
    add_run(1000, 100);
    snprintf(command, sizeof command, "rm %s/spectra_0.1s_*", fixture.folder);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): files of this test */
    add_run(2000, 100);
    assert_int_equal(copy_all(&gaps), 2);
    assert_int_equal(gaps, 1);
}

static void blocks_that_end_before_a_time_are_left_out(void **state)
{
    struct archive_copy_block b = {0};
    struct archive_copy_query q = {.folder = fixture.folder, .period_ns = tenth_ns};
    (void)state;
    add_run(0, 400);
    q.db = db;
    q.from_ns = fixture_start_ns + 30 * (int64_t)second_ns;
    assert_int_equal(archive_copy_next(&q, &b), 0);
    assert_true(b.head.end_ns > q.from_ns && b.head.start_ns <= q.from_ns);
    q.from_ns = fixture_start_ns + 300 * (int64_t)second_ns;
    assert_int_equal(archive_copy_next(&q, &b), -ENODATA);
    archive_copy_finish(&b);
}

static void a_damaged_block_is_left_out(void **state)
{
    struct archive_copy_block b = {0};
    struct archive_copy_query q = {
        .folder = fixture.folder, .period_ns = tenth_ns, .from_ns = INT64_MIN};
    char path[400];
    (void)state;
    add_run(0, 130);
    q.db = db;
    assert_int_equal(archive_copy_next(&q, &b), 0);
    const struct block_head first = b.head;
    struct dirent **all;
    const int count = scandir(fixture.folder, &all, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (archive_store_period_of(all[i]->d_name) == tenth_ns)
            snprintf(path, sizeof path, "%s/%s", fixture.folder, all[i]->d_name);
        free(all[i]);
    }
    free(all);
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, BLOCK_HEAD + 20, SEEK_SET);
    fputs("damage", f);
    fclose(f);
    assert_int_equal(archive_copy_next(&q, &b), 0);
    assert_true(b.head.start_ns > first.start_ns);
    archive_copy_finish(&b);
}

static void a_copy_knows_which_blocks_it_has(void **state)
{
    struct archive_copy_block b = {0};
    struct archive_copy_query q = {
        .folder = fixture.folder, .period_ns = tenth_ns, .from_ns = INT64_MIN};
    (void)state;
    add_run(0, 100);
    q.db = db;
    assert_int_equal(archive_copy_next(&q, &b), 0);
    struct block_id id = {b.head.start_ns, b.head.checksum};
    assert_int_equal(archive_copy_has(db, fixture.folder, tenth_ns, id), 1);
    assert_int_equal(archive_copy_has(db, fixture.folder, second_ns, id), 0);
    id.checksum++;
    assert_int_equal(archive_copy_has(db, fixture.folder, tenth_ns, id), 0);
    archive_copy_finish(&b);
}

/* Their order is that of time, also if the folder lists them in another one. */
static void a_lost_index_of_the_original_loses_no_block(void **state)
{
    char path[400];
    uint32_t gaps = 0;
    (void)state;
    for (uint64_t i = 0; i < 12; i++)
        add_run(10000 * i, 10);
    assert_int_equal(copy_all(&gaps), 12);
    add_run(200000, 10);
    snprintf(path, sizeof path, "%s/%s", fixture.folder, ARCHIVE_INDEX);
    assert_int_equal(unlink(path), 0);
    add_run(300000, 10);
    assert_int_equal(copy_all(&gaps), 2);
    assert_int_equal(gaps, 0);
    assert_same_bytes(14); /* runs of 10000 s, and a segment has a sixteenth of an hour */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_copy_has_the_same_bytes_in_one_segment_however_often_it_is_opened, set_up, tear_down),
        cmocka_unit_test_setup_teardown(runs_with_the_same_times_are_all_copied_and_stay_apart,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            equal_blocks_are_copied_once_and_do_not_lead_back_to_the_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_clock_that_is_set_back_loses_no_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blocks_that_were_deleted_are_a_gap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blocks_that_end_before_a_time_are_left_out, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_block_is_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_copy_knows_which_blocks_it_has, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_lost_index_of_the_original_loses_no_block, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
