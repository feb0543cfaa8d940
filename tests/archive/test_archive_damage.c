/*
 * test_archive_damage.c - an archive with an index, or with segments, that somebody else wrote. The
 * index that fftd made before is the truth: test_archive_store.c compares it with the files.
 */
#include "tests/archive/archive_fixture.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/archive/store/archive_store.h"
#include "daemon/database/database.h"

static int set_up(void **state)
{
    static struct archive_fixture fixture;
    archive_fixture_init(&fixture);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    archive_fixture_remove(*state);
    return 0;
}

struct contents {
    int64_t segments, blocks, bytes;
};

static struct contents read_index(const struct archive_fixture *r)
{
    sqlite3 *db;
    struct contents c = {0};
    assert_int_equal(archive_index_open_read(&db, r->folder), 0);
    assert_int_equal(
        database_read_number(db, "SELECT count(*) FROM segment", NULL, 0, -1, &c.segments), 0);
    assert_int_equal(database_read_number(db, "SELECT count(*) FROM block", NULL, 0, -1, &c.blocks),
                     0);
    assert_int_equal(
        database_read_number(db, "SELECT sum(bytes) FROM segment", NULL, 0, -1, &c.bytes), 0);
    database_close(db);
    assert_true(c.blocks > 0);
    return c;
}

static void assert_contents(const struct archive_fixture *r, const struct contents *expected)
{
    const struct contents c = read_index(r);
    assert_int_equal(c.segments, expected->segments);
    assert_int_equal(c.blocks, expected->blocks);
    assert_int_equal(c.bytes, expected->bytes);
}

/* Starts and stops without a line: repairs. */
static void reopen(struct archive_fixture *r)
{
    archive_fixture_start(r);
    assert_true(archive_fixture_stop(r));
}

static void alter_index(const struct archive_fixture *r, const char *sql)
{
    char path[128];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/%s", r->folder, ARCHIVE_INDEX);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* Names that lead out of the folder, wrong types, a trigger, other tables. */
static void an_index_that_somebody_else_wrote_is_made_again(void **state)
{
    static const char *const altered[] = {
        "UPDATE segment SET name = 'spectra_1s_/../../../tmp/x.fsa' WHERE id = 1",
        "INSERT INTO segment VALUES (99, x'00', 1000000000, 5, 1, 2)",
        "INSERT INTO segment VALUES (9223372036854775807, 'spectra_1s_x.fsa', 1000000000, 5, 1, 2)",
        "UPDATE segment SET last = 'never'",
        "UPDATE segment SET first = -9223372036854775807 - 1",
        "UPDATE segment SET bytes = -5",
        "UPDATE block SET offset = -1 WHERE first = (SELECT min(first) FROM block)",
        "UPDATE block SET size = 'much'",
        "CREATE TRIGGER t AFTER INSERT ON block BEGIN DELETE FROM segment; END",
        "DROP TABLE block; CREATE TABLE block (x)",
    };
    struct archive_fixture *r = *state;
    archive_fixture_start(r);
    archive_fixture_add_noise(r, 200);
    archive_fixture_stop(r);
    const struct contents before = read_index(r);
    for (size_t i = 0; i < sizeof altered / sizeof altered[0]; i++) {
        alter_index(r, altered[i]);
        reopen(r);
        assert_contents(r, &before);
    }
}

/* Names of segments that are none: none is followed, read without end, or deleted. */
static void what_is_no_segment_is_left_alone(void **state)
{
    struct archive_fixture *r = *state;
    char link[128], fifo[128], dir[128], hole[128];
    struct stat st;
    snprintf(link, sizeof link, "%s/spectra_1s_link.fsa", r->folder);
    snprintf(fifo, sizeof fifo, "%s/spectra_1s_fifo.fsa", r->folder);
    snprintf(dir, sizeof dir, "%s/spectra_1s_dir.fsa", r->folder);
    snprintf(hole, sizeof hole, "%s/spectra_1s_hole.fsa", r->folder);
    archive_fixture_start(r);
    archive_fixture_add_noise(r, 200);
    archive_fixture_stop(r);
    const struct contents before = read_index(r);
    assert_int_equal(symlink("/dev/zero", link), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(mkdir(dir, 0700), 0);
    FILE *f = fopen(hole, "wb");
    assert_non_null(f);
    fclose(f);
    assert_int_equal(truncate(hole, (off_t)1 << 40), 0);
    reopen(r);
    assert_contents(r, &before);
    assert_true(stat(hole, &st) == 0 && st.st_size == (off_t)1 << 40);
    assert_true(lstat(link, &st) == 0 && S_ISLNK(st.st_mode));
    unlink(link);
    unlink(fifo);
    rmdir(dir);
    unlink(hole);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void assert_text(const char *path, const char *expected)
{
    char text[100] = "";
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    assert_string_equal(text, expected);
}

/* A newer fftd may write blocks of another kind; somebody's file may have such a name. */
static void a_file_without_a_block_is_not_cut(void **state)
{
    static const char *const texts[] = {"FSA2 of a newer fftd", "my notes\n", "x"};
    struct archive_fixture *r = *state;
    char path[128];
    snprintf(path, sizeof path, "%s/spectra_1s_20270101T000000Z.fsa", r->folder);
    archive_fixture_start(r);
    archive_fixture_add_noise(r, 200);
    archive_fixture_stop(r);
    const struct contents before = read_index(r);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_text(path, texts[i]);
        for (int start = 0; start < 2; start++) {
            reopen(r);
            assert_text(path, texts[i]);
            assert_contents(r, &before); /* what is not in the index is never deleted */
        }
    }
    unlink(path);
}

/* A backup of hard links: its files stay as they are. */
static void an_index_with_a_second_name_is_made_again(void **state)
{
    static const char *const ends[] = {"-wal", "-shm", ""};
    struct archive_fixture *r = *state;
    char path[128], other[128];
    archive_fixture_start(r);
    archive_fixture_add_noise(r, 200);
    archive_fixture_stop(r);
    const struct contents before = read_index(r);
    snprintf(other, sizeof other, "%s/backup", r->folder);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s%s", r->folder, ARCHIVE_INDEX, ends[i]);
        unlink(path);
        write_text(other, "precious");
        assert_int_equal(link(other, path), 0);
        reopen(r);
        assert_text(other, "precious");
        assert_contents(r, &before);
        unlink(other);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_index_that_somebody_else_wrote_is_made_again),
        TEST(what_is_no_segment_is_left_alone),
        TEST(a_file_without_a_block_is_not_cut),
        TEST(an_index_with_a_second_name_is_made_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
