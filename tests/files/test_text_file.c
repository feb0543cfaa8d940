/*
 * test_text_file.c - tests that a file is replaced as a whole, with the rights of the old one, and
 * that other threads do not notice.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/files/text_file.h"

enum { UMASK = 027 };

static char folder[] = "/tmp/fftd-text-XXXXXX", witness[64], path[64];

/* The linker puts it in place of umask: another thread creates a file at the worst moment. */
mode_t __real_umask(mode_t mask);
mode_t __wrap_umask(mode_t mask);
mode_t __wrap_umask(mode_t mask)
{
    const mode_t before = __real_umask(mask);
    const int fd = open(witness, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
    return before;
}

static mode_t mode_of(const char *file)
{
    struct stat found;
    return stat(file, &found) == 0 ? found.st_mode & 0777 : 0;
}

static void replace(const char *file, const char *contents)
{
    struct text text = {0};
    struct reason why = {0};
    text_add(&text, "%s", contents);
    assert_int_equal(text_file_replace(file, &text, &why), 0);
    text_finish(&text);
}

static void assert_contents(const char *file, const char *expected)
{
    struct text text = {0};
    struct reason why = {0};
    assert_int_equal(text_file_read(&text, file, 100, &why), 0);
    assert_int_equal(text.length, strlen(expected));
    assert_memory_equal(text.data, expected, strlen(expected));
    text_finish(&text);
}

static void a_new_file_has_the_rights_that_the_umask_leaves(void **state)
{
    (void)state;
    replace(path, "one");
    assert_contents(path, "one");
    assert_int_equal(mode_of(path), 0640);
}

static void files_that_other_threads_create_meanwhile_have_them_too(void **state)
{
    (void)state;
    replace(path, "one");
    const bool created = access(witness, F_OK) == 0;
    assert_true(!created || mode_of(witness) == 0640);
}

static void the_rights_of_the_old_file_stay(void **state)
{
    (void)state;
    replace(path, "one");
    assert_int_equal(chmod(path, 0604), 0);
    replace(path, "two");
    assert_contents(path, "two");
    assert_int_equal(mode_of(path), 0604);
}

static void a_symbolic_link_stays(void **state)
{
    (void)state;
    char link[sizeof path + 8];
    struct stat found;
    snprintf(link, sizeof link, "%s.link", path);
    replace(path, "one");
    assert_int_equal(symlink(path, link), 0);
    replace(link, "two");
    assert_int_equal(lstat(link, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_contents(path, "two");
    unlink(link);
}

/* As root, too: a rename takes the place of a device. */
static void what_is_no_regular_file_stays(void **state)
{
    (void)state;
    struct text text = {0};
    struct stat before, after;
    struct reason why = {0};
    char link[sizeof path + 8], fifo[sizeof path + 8];
    snprintf(link, sizeof link, "%s.link", path);
    snprintf(fifo, sizeof fifo, "%s.fifo", path);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(symlink(fifo, link), 0);
    assert_int_equal(lstat(fifo, &before), 0);
    text_add(&text, "one");
    assert_int_equal(text_file_replace(link, &text, &why), -ENODEV);
    assert_non_null(strstr(why.sentence, "not a regular file"));
    assert_int_equal(text_file_replace(fifo, &text, &why), -ENODEV);
    assert_int_equal(text_file_replace_own(fifo, &text, &why), -ENODEV);
    assert_int_equal(text_file_replace_own(folder, &text, &why), -EISDIR);
    assert_int_equal(lstat(fifo, &after), 0);
    assert_true(S_ISFIFO(after.st_mode) && before.st_ino == after.st_ino);
    text_finish(&text);
    unlink(link);
    unlink(fifo);
}

static int open_folder(void **state)
{
    (void)state;
    __real_umask(UMASK);
    if (!mkdtemp(folder))
        return -1;
    snprintf(witness, sizeof witness, "%s/witness", folder);
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int empty_folder(void **state)
{
    (void)state;
    unlink(witness);
    unlink(path);
    return 0;
}

/* A draft that was left there would keep the folder. */
static int close_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_new_file_has_the_rights_that_the_umask_leaves, empty_folder),
        cmocka_unit_test_teardown(files_that_other_threads_create_meanwhile_have_them_too,
                                  empty_folder),
        cmocka_unit_test_teardown(the_rights_of_the_old_file_stay, empty_folder),
        cmocka_unit_test_teardown(a_symbolic_link_stays, empty_folder),
        cmocka_unit_test_teardown(what_is_no_regular_file_stays, empty_folder),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
