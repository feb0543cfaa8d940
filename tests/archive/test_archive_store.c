/* test_archive_store.c - kills, full disks, damage and limits of the archive's files. */
#include "tests/archive/archive_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon/archive/store/archive_store.h"
#include "daemon/base/reason.h"
#include "daemon/database/database.h"

static unsigned kills = 10;

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

/* ---- what the files have ---------------------------------------------------------------- */

struct contents {
    uint64_t segments, blocks, rows, bytes;
};

/* Reads a segment from its first byte to its last: there is nothing but sound blocks. */
static void add_segment(const char *path, struct contents *c)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    const size_t size = (size_t)ftell(f);
    uint8_t *bytes = malloc(size + 1);
    rewind(f);
    assert_int_equal(fread(bytes, 1, size, f), size);
    fclose(f);
    for (size_t at = 0; at < size;) {
        struct block_head head;
        assert_true(size - at >= BLOCK_HEAD);
        assert_int_equal(block_read_head(bytes + at, &head), 0);
        assert_true(head.size <= size - at);
        assert_int_equal(block_check(bytes + at, &head), 0);
        at += head.size;
        c->blocks++;
        c->rows += head.rows;
    }
    c->segments++;
    c->bytes += size;
    free(bytes);
}

/* period_ns 0: of all tiers. */
static struct contents read_files(const struct archive_fixture *r, uint64_t period_ns)
{
    struct contents c = {0};
    DIR *folder = opendir(r->folder);
    const struct dirent *entry;
    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        char path[400];
        const uint64_t period = archive_store_period_of(entry->d_name);
        snprintf(path, sizeof path, "%s/%s", r->folder, entry->d_name);
        if (period > 0 && (period_ns == 0 || period == period_ns))
            add_segment(path, &c);
    }
    closedir(folder);
    return c;
}

/* What the index knows is what the files have. */
static void assert_index_complete(const struct archive_fixture *r)
{
    sqlite3 *db;
    sqlite3_stmt *query;
    const struct contents c = read_files(r, 0);
    assert_int_equal(archive_index_open_read(&db, r->folder), 0);
    const char *sql = "SELECT count(*), sum(size), (SELECT sum(bytes) FROM segment) FROM block";
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &query, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int64(query, 0), c.blocks);
    assert_int_equal(sqlite3_column_int64(query, 1), c.bytes);
    assert_int_equal(sqlite3_column_int64(query, 2), c.bytes);
    sqlite3_finalize(query);
    database_close(db);
}

/* Starts and stops without a line: repairs. */
static void reopen(struct archive_fixture *r)
{
    archive_fixture_start(r);
    assert_true(archive_fixture_stop(r));
}

/* ---- kills ------------------------------------------------------------------------------ */

static void write_until_killed(struct archive_fixture *r)
{
    archive_fixture_start(r);
    for (;;)
        archive_fixture_add_noise(r, 1);
}

static uint64_t bytes_of_segments(const struct archive_fixture *r)
{
    char pattern[300];
    glob_t found;
    uint64_t bytes = 0;
    snprintf(pattern, sizeof pattern, "%s/*.fsa", r->folder);
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct stat file;
            bytes += stat(found.gl_pathv[i], &file) == 0 ? (uint64_t)file.st_size : 0;
        }
        globfree(&found);
    }
    return bytes;
}

/* However slow the machine is, some children write something before they are killed. */
static void wait_for_bytes(const struct archive_fixture *r, uint64_t before)
{
    for (int i = 0; i < 60000 && bytes_of_segments(r) <= before; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Rows of a run follow each other without a hole, up to the newest block. */
static void assert_no_holes(const struct archive_fixture *r, uint64_t first_line)
{
    struct archive_query q = archive_fixture_query(1, 4000, 1);
    struct archive_picture p;
    q.from.ns = fixture_start_ns + (int64_t)first_line * r->line_ns;
    q.to.ns = q.from.ns + 1000 * r->line_ns;
    if (archive_read(r->folder, &q, &p) < 0)
        return; /* killed before its first block */
    for (uint32_t y = 0; y < p.rows; y++)
        assert_near(archive_fixture_level(&p, y, 0), -80, 0.11);
    archive_picture_finish(&p);
}

static void an_archive_survives_kills(void **state)
{
    struct archive_fixture *r = *state;
    unsigned seed = 7;
    uint64_t blocks = 0;
    r->options.tiers = "10/s:1y,1/s:1y";
    for (unsigned i = 0; i < kills; i++) {
        const uint64_t first_line = (uint64_t)i * 1000000;
        const uint64_t before = bytes_of_segments(r);
        r->next = first_line;
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            write_until_killed(r);
        const long delay_ns = (long)(rand_r(&seed) % 60000000);
        if (i % 2 == 0)
            wait_for_bytes(r, before);
        nanosleep(&(struct timespec){.tv_nsec = delay_ns}, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        reopen(r);
        assert_index_complete(r);
        assert_no_holes(r, first_line);
        const struct contents c = read_files(r, 0);
        assert_true(c.blocks >= blocks); /* what was written stays */
        blocks = c.blocks;
    }
    assert_true(blocks > 0);
}

/* After a kill the coarser tiers get the rows of the finest one. */
static void coarser_tiers_are_folded_again(void **state)
{
    struct archive_fixture *r = *state;
    const struct fixture_levels burst = {-60, -10, -70}, noise = {-90, -80, -110};
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        archive_fixture_start(r);
        for (uint32_t i = 0; i < 192; i++) /* three blocks of the finest tier */
            archive_fixture_add(r, &noise, 3, i == 100 ? &burst : NULL);
        while (read_files(r, 100000000).blocks < 2)
            archive_fixture_add_noise(r, 1);
        (void)!write(ready[1], "x", 1);
        pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_equal(read_files(r, 1000000000).rows, 0);
    reopen(r);
    assert_true(read_files(r, 1000000000).rows >= 12);
    assert_true(read_files(r, 10000000000).rows >= 1);
    struct archive_query q = archive_fixture_query(1, 12, 64);
    q.to.ns = fixture_start_ns + INT64_C(12000000000);
    struct archive_picture p = archive_fixture_read(r, &q);
    assert_true(p.period_ns == 1000000000);
    assert_near(archive_fixture_level(&p, 10, 3), -10, 0.21);
    assert_near(archive_fixture_level(&p, 9, 3), -80, 0.21);
    archive_picture_finish(&p);
    close(ready[0]);
    close(ready[1]);
}

/* ---- damage ----------------------------------------------------------------------------- */

static void append_bytes(const struct archive_fixture *r, const char *bytes, size_t count)
{
    DIR *folder = opendir(r->folder);
    const struct dirent *entry;
    while ((entry = readdir(folder))) {
        if (archive_store_period_of(entry->d_name) == 0)
            continue;
        const int fd = openat(dirfd(folder), entry->d_name, O_WRONLY | O_APPEND);
        assert_int_equal(write(fd, bytes, count), count);
        close(fd);
    }
    closedir(folder);
}

static void part_of_a_block_is_cut_off(void **state)
{
    struct archive_fixture *r = *state;
    archive_fixture_start(r);
    archive_fixture_add_noise(r, 30);
    archive_fixture_stop(r);
    const struct contents before = read_files(r, 0);
    append_bytes(r, "FSA1 and then nothing", 21);
    reopen(r);
    assert_int_equal(read_files(r, 0).bytes, before.bytes);
    assert_index_complete(r);
}

static void overwrite(const struct archive_fixture *r, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", r->folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void a_lost_or_damaged_index_is_made_again(void **state)
{
    struct archive_fixture *r = *state;
    char path[128];
    archive_fixture_start(r);
    archive_fixture_add_noise(r, 200);
    archive_fixture_stop(r);
    const struct contents before = read_files(r, 0);
    snprintf(path, sizeof path, "%s/%s", r->folder, ARCHIVE_INDEX);
    for (int damaged = 0; damaged < 2; damaged++) {
        if (damaged)
            overwrite(r, ARCHIVE_INDEX, "this is no database, although it has the name of one");
        else
            assert_int_equal(unlink(path), 0);
        reopen(r);
        assert_index_complete(r);
        assert_int_equal(read_files(r, 0).blocks, before.blocks);
        const struct archive_query q = archive_fixture_query(1, 4000, 1);
        struct archive_picture p = archive_fixture_read(r, &q);
        assert_int_equal(p.rows, 200);
        archive_picture_finish(&p);
    }
}

static void two_writers_are_refused(void **state)
{
    struct archive_fixture *r = *state;
    struct archive_store *second;
    struct reason why = {0};
    archive_fixture_start(r);
    assert_int_equal(archive_store_open(&second, r->folder, &why), -EBUSY);
    assert_non_null(strstr(why.sentence, r->folder));
}

/* ---- limits ----------------------------------------------------------------------------- */

static void a_full_disk_loses_rows_and_is_logged(void **state)
{
    struct archive_fixture *r = *state;
    struct archiver_state s;
    archive_fixture_start(r);
    archive_fixture_add_noise(r, 128);
    archive_fixture_stop(r);
    r->options.min_free = UINT64_MAX / 2;
    archive_fixture_start(r);
    archive_fixture_add_noise(r, 65); /* the last row waits for the next line */
    while (archiver_state(r->archiver, &s), s.lost_rows < 64)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_non_null(strstr(s.failure, "archive-min-free"));
    assert_false(archive_fixture_stop(r)); /* fftd exits with an error */
    r->options.min_free = 0;
    reopen(r);
    assert_index_complete(r);
    assert_int_equal(read_files(r, 100000000).rows, 128);
}

/* The limit of a file's size stands for the end of the disk: a block is written in part. */
static void a_block_that_was_written_in_part_is_taken_back(void **state)
{
    struct archive_fixture *r = *state;
    struct archiver_state s;
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    archive_fixture_start(r);
    archive_fixture_add_noise(r, 65); /* the last row waits for the next line */
    while (archiver_state(r->archiver, &s), s.rows < 64)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    const struct contents written = read_files(r, 100000000);
    small = before;
    small.rlim_cur = written.bytes + 100;
    setrlimit(RLIMIT_FSIZE, &small);
    archive_fixture_add_noise(r, 64);
    while (archiver_state(r->archiver, &s), s.lost_rows < 64)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_non_null(strstr(s.failure, "File too large"));
    assert_int_equal(read_files(r, 100000000).bytes, written.bytes);
    archive_fixture_add_noise(r, 64); /* there is room again */
    archive_fixture_stop(r);
    assert_int_equal(read_files(r, 100000000).rows, 193 - 64);
    reopen(r);
    assert_index_complete(r);
}

static void the_oldest_rows_make_room(void **state)
{
    struct archive_fixture *r = *state;
    r->options.tiers = "10/s:100s";
    r->options.max_bytes = 3000;
    archive_fixture_start(r);
    archive_fixture_add_noise(r, 900);
    archive_fixture_stop(r);
    const struct contents c = read_files(r, 0);
    const uint64_t finest = read_files(r, 100000000).rows;
    assert_true(c.bytes <= 3000 && finest >= 64 && finest <= 900 - 64);
    assert_index_complete(r);
    struct archive_query q = archive_fixture_query(1, 4000, 1);
    q.from.ns = fixture_start_ns + (int64_t)(900 - finest) * r->line_ns;
    struct archive_picture p = archive_fixture_read(r, &q);
    assert_int_equal(p.rows, finest);
    assert_true(p.start_ns + p.rows * p.row_ns == fixture_start_ns + 900 * r->line_ns);
    archive_picture_finish(&p);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(an_archive_survives_kills),
        TEST(coarser_tiers_are_folded_again),
        TEST(part_of_a_block_is_cut_off),
        TEST(a_lost_or_damaged_index_is_made_again),
        TEST(two_writers_are_refused),
        TEST(a_full_disk_loses_rows_and_is_logged),
        TEST(a_block_that_was_written_in_part_is_taken_back),
        TEST(the_oldest_rows_make_room),
    };
    if (argc > 1)
        kills = (unsigned)atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
