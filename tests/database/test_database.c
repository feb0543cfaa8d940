/* test_database.c - opening a database: new, old, newer, broken, and none. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/database/database.h"

static const char *const steps[] = {
    "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1)",
    "ALTER TABLE a ADD COLUMN y INTEGER DEFAULT 7",
    "CREATE TABLE b (z); INSERT INTO nowhere VALUES (1)", /* it fails half-way */
};
static char path[64];

static sqlite3 *open_version(unsigned version)
{
    sqlite3 *db;
    struct reason why = {0};
    const int err = database_open(&db, path, &(struct database_schema){steps, version}, &why);
    if (err < 0)
        fail_msg("%s", why.sentence);
    return db;
}

static int64_t number_of(sqlite3 *db, const char *sql)
{
    int64_t number = 0;
    assert_int_equal(database_read_number(db, sql, NULL, 0, -99, &number), 0);
    return number;
}

static int fresh(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/fftd-database-%d.sqlite", (int)getpid());
    return unlink(path) < 0 && errno != ENOENT;
}

static int cleanup(void **state)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        char name[96];
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
    }
    return 0;
}

static void an_old_file_gets_the_steps_that_it_lacks(void **state)
{
    (void)state;
    database_close(open_version(1));
    sqlite3 *db = open_version(2);
    assert_int_equal(number_of(db, "SELECT y FROM a WHERE x = 1"), 7);
    assert_int_equal(number_of(db, "SELECT count(*) FROM a"), 1); /* the first step ran once */
    assert_int_equal(number_of(db, "PRAGMA user_version"), 2);
    database_close(db);
}

static void small_statements_have_numbers(void **state)
{
    (void)state;
    const int64_t row[] = {5, -7}, wanted = -7;
    int64_t x = 0;
    sqlite3 *db = open_version(2);
    assert_int_equal(database_run(db, "INSERT INTO a VALUES (?, ?)", row, 2), 0);
    assert_int_equal(database_read_number(db, "SELECT x FROM a WHERE y = ?", &wanted, 1, 0, &x), 0);
    assert_int_equal(x, 5);
    assert_int_equal(number_of(db, "SELECT x FROM a WHERE y = 8"), -99);
    assert_int_equal(number_of(db, "SELECT max(x) FROM a WHERE y = 8"), -99); /* a row of NULL */
    assert_int_equal(database_run(db, "INSERT INTO nowhere VALUES (1)", NULL, 0), -EIO);
    assert_int_equal(database_read_number(db, "SELECT", NULL, 0, 3, &x), -EIO);
    assert_int_equal(x, 3);
    database_close(db);
}

static void a_reader_sees_what_is_committed_and_creates_nothing(void **state)
{
    (void)state;
    const int64_t row[] = {5, 6};
    struct reason why = {0};
    sqlite3 *reader;
    assert_int_equal(database_open_to_read(&reader, path, &why), -ENOENT);
    assert_non_null(strstr(why.sentence, path));
    assert_null(reader);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(database_open_to_read(&reader, "/dev/null/x", &why), -ENOTDIR);
    assert_string_equal(why.sentence, "/dev/null/x: Not a directory");
    sqlite3 *writer = open_version(2);
    assert_int_equal(database_open_to_read(&reader, path, &why), 0);
    assert_int_equal(database_run(writer, "BEGIN IMMEDIATE", NULL, 0), 0);
    assert_int_equal(database_run(writer, "INSERT INTO a VALUES (?, ?)", row, 2), 0);
    assert_int_equal(number_of(reader, "SELECT count(*) FROM a"), 1);
    assert_int_equal(database_run(writer, "COMMIT", NULL, 0), 0);
    assert_int_equal(number_of(reader, "SELECT count(*) FROM a"), 2);
    database_close(reader);
    database_close(writer);
}

static void a_step_that_fails_changes_nothing(void **state)
{
    (void)state;
    database_close(open_version(2));
    sqlite3 *db;
    struct reason why = {0};
    const int err = database_open(&db, path, &(struct database_schema){steps, 3}, &why);
    assert_true(err < 0);
    assert_null(db);
    assert_non_null(strstr(why.sentence, path));
    assert_non_null(strstr(why.sentence, "nowhere"));
    db = open_version(2);
    assert_int_equal(number_of(db, "SELECT count(*) FROM sqlite_master WHERE name = 'b'"), 0);
    database_close(db);
}

static void a_newer_file_is_refused(void **state)
{
    (void)state;
    database_close(open_version(2));
    sqlite3 *db;
    struct reason why = {0};
    assert_int_equal(database_open(&db, path, &(struct database_schema){steps, 1}, &why), -ENOTSUP);
    assert_non_null(strstr(why.sentence, "newer"));
    assert_null(db);
}

static void a_file_that_is_no_database_is_refused(void **state)
{
    (void)state;
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 100; i++)
        fputs("This is a text and no database.\n", file);
    fclose(file);
    sqlite3 *db;
    struct reason why = {0};
    assert_int_equal(database_open(&db, path, &(struct database_schema){steps, 1}, &why), -EINVAL);
    assert_non_null(strstr(why.sentence, path));
}

static void a_folder_that_is_missing_is_named(void **state)
{
    (void)state;
    sqlite3 *db;
    struct reason why = {0};
    const char *nowhere = "/nonexistent/events.sqlite";
    assert_int_equal(database_open(&db, nowhere, &(struct database_schema){steps, 1}, &why), -EIO);
    assert_non_null(strstr(why.sentence, nowhere));
    assert_null(db);
}

static void refuse(int expected, const char *reason)
{
    sqlite3 *db;
    struct reason why = {0};
    assert_int_equal(database_open(&db, path, &(struct database_schema){steps, 2}, &why), expected);
    assert_null(db);
    assert_non_null(strstr(why.sentence, path));
    assert_non_null(strstr(why.sentence, reason));
}

/* Whatever acts on our tables, and tables of our names that others made. */
static void tables_of_somebody_else_are_refused(void **state)
{
    static const char *const planted[] = {
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a; END",
        "CREATE INDEX i ON a (abs(x))",
        "ALTER TABLE a ADD COLUMN z",
        "DROP TABLE a",
        "DROP TABLE a; CREATE VIEW a AS SELECT 1 AS x, 2 AS y",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = -5; DROP TABLE a",
    };
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
        sqlite3 *db;
        database_close(open_version(2));
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, planted[i], NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        refuse(-EINVAL, "");
        cleanup(state);
    }
}

static void foreign_tables_stay(void **state)
{
    sqlite3 *db;
    (void)state;
    database_close(open_version(2));
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE notes (n); ANALYZE", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    database_close(open_version(2));
}

static void links_and_fifos_are_refused_also_as_the_log(void **state)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    for (int i = 0; i < 8; i++) {
        char name[96];
        snprintf(name, sizeof name, "%s%s", path, ends[i / 2]);
        assert_int_equal(i % 2 ? mkfifo(name, 0600) : symlink("/dev/zero", name), 0);
        refuse(i % 2 ? -ENODEV : -ELOOP, i % 2 ? "not a regular file" : "link");
        unlink(name);
    }
    assert_int_equal(mkdir(path, 0700), 0);
    refuse(-EISDIR, "Is a directory");
    rmdir(path);
    cleanup(state);
}

/* A backup of hard links. */
static void a_second_name_is_refused_and_its_file_not_changed(void **state)
{
    static const char *const ends[] = {"-wal", "-shm", "-journal", ""};
    struct reason why = {0};
    char name[96], other[96];
    sqlite3 *db;
    struct stat st;
    (void)state;
    database_close(open_version(2));
    snprintf(other, sizeof other, "%s.backup", path);
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        FILE *f = fopen(i == 3 ? name : other, "a");
        assert_non_null(f);
        if (i < 3)
            fputs("precious", f);
        fclose(f);
        assert_int_equal(i == 3 ? link(name, other) : link(other, name), 0);
        refuse(-EMLINK, "second name");
        const int err = database_open_to_read(&db, path, &why);
        assert_int_equal(err, i == 3 ? 0 : -EMLINK);
        database_close(db);
        assert_int_equal(stat(other, &st), 0);
        assert_true(i == 3 || st.st_size == 8);
        assert_int_equal(unlink(i == 3 ? other : name), 0);
        unlink(other);
    }
    database_close(open_version(2));
}

static void a_damaged_page_is_found_and_the_file_kept(void **state)
{
    struct reason why = {0};
    char aside[96], zeros[4096] = {0};
    sqlite3 *db = open_version(2);
    (void)state;
    assert_int_equal(database_check(db, path, &why), 0);
    database_close(db);
    FILE *f = fopen(path, "r+");
    fseek(f, 4096, SEEK_SET);
    fwrite(zeros, 1, sizeof zeros, f);
    fclose(f);
    db = open_version(2);
    assert_int_equal(database_check(db, path, &why), -EINVAL);
    database_close(db);
    assert_int_equal(database_move_aside(path, "damaged"), 0);
    snprintf(aside, sizeof aside, "%s.damaged-1", path);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(unlink(aside), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_old_file_gets_the_steps_that_it_lacks, fresh, cleanup),
        cmocka_unit_test_setup_teardown(a_step_that_fails_changes_nothing, fresh, cleanup),
        cmocka_unit_test_setup_teardown(small_statements_have_numbers, fresh, cleanup),
        cmocka_unit_test_setup_teardown(a_reader_sees_what_is_committed_and_creates_nothing, fresh,
                                        cleanup),
        cmocka_unit_test_setup_teardown(a_newer_file_is_refused, fresh, cleanup),
        cmocka_unit_test_setup_teardown(a_file_that_is_no_database_is_refused, fresh, cleanup),
        cmocka_unit_test_setup_teardown(tables_of_somebody_else_are_refused, fresh, cleanup),
        cmocka_unit_test_setup_teardown(foreign_tables_stay, fresh, cleanup),
        cmocka_unit_test_setup_teardown(links_and_fifos_are_refused_also_as_the_log, fresh,
                                        cleanup),
        cmocka_unit_test_setup_teardown(a_second_name_is_refused_and_its_file_not_changed, fresh,
                                        cleanup),
        cmocka_unit_test_setup_teardown(a_damaged_page_is_found_and_the_file_kept, fresh, cleanup),
        cmocka_unit_test_setup_teardown(a_folder_that_is_missing_is_named, fresh, cleanup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
