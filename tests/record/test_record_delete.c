/*
 * test_record_delete.c - a recording is deleted as a whole, wherever a kill interrupts it; and what
 * somebody else put into the folder costs no recording.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/record/record_limits.h"
#include "daemon/record/record_repair.h"
#include "daemon/system/interrupt.h"

static const char name[] = "fftd_20261121T101500Z_1M_1000k";
static char folder[32];
static int steps_left = -1; /* of the process, before it is killed; < 0: it is not */

/* The linker puts these in place of the calls. */
int __real_unlink(const char *path);
int __wrap_unlink(const char *path);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

static void count_step(void)
{
    if (steps_left >= 0 && steps_left-- == 0)
        raise(SIGKILL);
}

int __wrap_unlink(const char *path)
{
    count_step();
    return __real_unlink(path);
}

int __wrap_rename(const char *from, const char *to)
{
    count_step();
    return __real_rename(from, to);
}

static const char *path_of(const char *recording, const char *suffix)
{
    static char path[160];
    snprintf(path, sizeof path, "%s/%s%s", folder, recording, suffix);
    return path;
}

static void put(const char *recording, const char *suffix, size_t bytes)
{
    FILE *f = fopen(path_of(recording, suffix), "w");
    assert_non_null(f);
    for (size_t i = 0; i < bytes; i++)
        fputc('x', f);
    fclose(f);
}

static bool is_there(const char *recording, const char *suffix)
{
    struct stat st;
    return lstat(path_of(recording, suffix), &st) == 0;
}

static void put_pair(const char *recording, size_t bytes)
{
    put(recording, RECORD_DATA, bytes);
    put(recording, RECORD_META, 10);
}

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/fftd-delete-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* ---- deleting --------------------------------------------------------------------------- */

/* True: it was killed before its step number `step`. */
static bool delete_until(int step)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        steps_left = step;
        _exit(record_delete(folder, name) < 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
}

static void the_next_start_finishes_a_deletion_whatever_the_kill_left(void **state)
{
    struct reason why = {0};
    int kills = 0;
    (void)state;
    for (bool killed = true; killed; kills += killed) {
        put_pair(name, 1000);
        killed = delete_until(kills);
        assert_true(record_repair(folder, UINT64_MAX, &why) >= 0);
        /* Before the first step, nothing has happened: the recording is whole. */
        const bool whole = kills == 0;
        assert_int_equal(is_there(name, RECORD_META), whole);
        assert_int_equal(is_there(name, RECORD_DATA), whole);
        assert_false(is_there(name, RECORD_GONE));
    }
    assert_int_equal(kills, 3); /* three steps, each with a kill before it */
}

static void a_recording_that_is_there_again_is_not_deleted(void **state)
{
    (void)state;
    put_pair(name, 1000);
    put(name, RECORD_GONE, 10);
    record_finish_deletions(folder);
    assert_true(is_there(name, RECORD_META) && is_there(name, RECORD_DATA));
}

/* ---- limits ----------------------------------------------------------------------------- */

static void samples_without_metadata_cost_no_recording(void **state)
{
    const struct record_options o = {.folder = folder, .max_bytes = 50000};
    (void)state;
    put_pair(name, 20000);
    put("fftd_20200101T000000Z_1M_1000k", RECORD_DATA, 60000); /* an orphan */
    assert_in_range(record_apply_limits(&o, 0), 20000, 30000);
    assert_true(is_there(name, RECORD_DATA));
    assert_true(is_there("fftd_20200101T000000Z_1M_1000k", RECORD_DATA));
    put("fftd_20200101T000000Z_1M_1000k", RECORD_PART, 10); /* it runs: it counts */
    assert_in_range(record_apply_limits(&o, 0), 60000, 70000);
    assert_false(is_there(name, RECORD_DATA));
}

static void holes_links_and_folders_cost_no_recording(void **state)
{
    const struct record_options o = {.folder = folder, .max_bytes = 50000};
    struct record_file *list;
    size_t count;
    (void)state;
    put_pair(name, 20000);
    put_pair("fftd_20260101T000000Z_1M_1000k", 0);
    assert_int_equal(
        truncate(path_of("fftd_20260101T000000Z_1M_1000k", RECORD_DATA), (off_t)1 << 40), 0);
    put("fftd_big", RECORD_DATA, 0);
    rename(path_of("fftd_big", RECORD_DATA), "/tmp/fftd-delete-target");
    assert_int_equal(truncate("/tmp/fftd-delete-target", (off_t)1 << 40), 0);
    assert_int_equal(symlink("/tmp/fftd-delete-target", path_of("fftd_link", RECORD_DATA)), 0);
    assert_int_equal(mkdir(path_of("fftd_folder", RECORD_DATA), 0700), 0);
    assert_int_equal(mkfifo(path_of("fftd_fifo", RECORD_DATA), 0600), 0);
    assert_in_range(record_apply_limits(&o, 0), 20000, 50000);
    assert_true(is_there(name, RECORD_DATA));
    assert_int_equal(record_list_files(folder, &list, &count), 0);
    assert_int_equal(count, 2);
    free(list);
    assert_int_equal(access("/tmp/fftd-delete-target", F_OK), 0);
    __real_unlink("/tmp/fftd-delete-target");
}

/* ---- repairs ---------------------------------------------------------------------------- */

static void journals_of_others_neither_hang_nor_fill_the_memory(void **state)
{
    struct reason why = {0};
    (void)state;
    put(name, RECORD_DATA, 16);
    put(name, RECORD_PART, 0);
    assert_int_equal(truncate(path_of(name, RECORD_PART), (off_t)1 << 40), 0);
    assert_int_equal(record_repair(folder, UINT64_MAX, &why), -EINVAL);
    assert_non_null(strstr(why.sentence, "its journal is damaged"));
    __real_unlink(path_of(name, RECORD_PART));
    assert_int_equal(symlink("/dev/zero", path_of(name, RECORD_PART)), 0);
    assert_int_equal(record_repair(folder, UINT64_MAX, &why), -ELOOP);
    __real_unlink(path_of(name, RECORD_PART));
    assert_int_equal(mkfifo(path_of(name, RECORD_PART), 0600), 0);
    assert_int_equal(record_repair(folder, UINT64_MAX, &why), -ENODEV);
    assert_non_null(strstr(why.sentence, "not a regular file"));
    assert_true(is_there(name, RECORD_DATA));
}

static void write_journal(void)
{
    FILE *f = fopen(path_of(name, RECORD_PART), "w");
    assert_non_null(f);
    fputs("{\"global\":{\"core:datatype\":\"ci16_le\"}}\n"
          "{\"capture\":{\"core:sample_start\":0,\"core:global_index\":0,\"position\":0}}\n",
          f);
    fclose(f);
}

static void samples_elsewhere_are_not_touched(void **state)
{
    static const char target[] = "/tmp/fftd-delete-samples";
    struct reason why = {0};
    struct stat st;
    (void)state;
    FILE *f = fopen(target, "w");
    assert_non_null(f);
    fputs("abcdefg", f); /* a repair cuts off a part of a sample */
    fclose(f);
    for (int i = 0; i < 2; i++) {
        write_journal();
        const char *data = path_of(name, RECORD_DATA);
        assert_int_equal(i ? link(target, data) : symlink(target, data), 0);
        assert_int_equal(record_repair(folder, UINT64_MAX, &why), i ? -EMLINK : -ELOOP);
        assert_int_equal(stat(target, &st), 0);
        assert_int_equal(st.st_size, 7);
        __real_unlink(path_of(name, RECORD_DATA));
    }
    __real_unlink(target);
}

/* Last: the request stays. A hash of 1 TB would take half an hour. */
static void a_repair_ends_when_it_is_asked_to(void **state)
{
    struct reason why = {0};
    (void)state;
    write_journal();
    put(name, RECORD_DATA, 0);
    assert_int_equal(truncate(path_of(name, RECORD_DATA), (off_t)1 << 40), 0);
    interrupt_request();
    assert_int_equal(record_repair(path_of(name, RECORD_DATA), UINT64_MAX, &why), -EINTR);
    assert_int_equal(record_repair(folder, UINT64_MAX, &why), -EINTR);
    assert_true(is_there(name, RECORD_PART) && is_there(name, RECORD_DATA));
    assert_false(is_there(name, RECORD_META));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_next_start_finishes_a_deletion_whatever_the_kill_left),
        TEST(a_recording_that_is_there_again_is_not_deleted),
        TEST(samples_without_metadata_cost_no_recording),
        TEST(holes_links_and_folders_cost_no_recording),
        TEST(journals_of_others_neither_hang_nor_fill_the_memory),
        TEST(samples_elsewhere_are_not_touched),
        TEST(a_repair_ends_when_it_is_asked_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
