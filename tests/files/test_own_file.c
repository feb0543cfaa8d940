/*
 * test_own_file.c - what lies in fftd's own folders under a name of fftd's, and is no regular file,
 * is neither followed, nor waited for, nor overwritten.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/files/own_file.h"
#include "daemon/files/text_file.h"

static char folder[32], name[64], other[64];

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void assert_text(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_true(fgets(text, sizeof text, f) || !*expected);
    fclose(f);
    assert_string_equal(text, expected);
}

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/fftd-own-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(name, sizeof name, "%s/file", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    return 0;
}

static int teardown(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void refuse(int expected)
{
    struct text text = {0};
    struct reason why = {0};
    assert_int_equal(own_file_open(AT_FDCWD, name, 0), expected);
    assert_int_equal(own_file_open_write(AT_FDCWD, name, O_CREAT), expected);
    assert_int_equal(own_file_check(name), expected);
    assert_int_equal(own_file_create(name), -EEXIST);
    assert_int_equal(text_file_read_own(&text, name, 100, &why), expected);
    assert_non_null(strstr(why.sentence, name));
    text_finish(&text);
}

static void a_regular_file_is_opened(void **state)
{
    char byte = 0;
    (void)state;
    put(name, "x");
    const int fd = own_file_open(AT_FDCWD, name, 1);
    assert_int_equal(read(fd, &byte, 1), 1);
    assert_int_equal(byte, 'x');
    close(fd);
    assert_int_equal(own_file_open(AT_FDCWD, other, 0), -ENOENT);
}

static void links_are_not_followed(void **state)
{
    (void)state;
    put(other, "precious");
    assert_int_equal(symlink(other, name), 0);
    refuse(-ELOOP);
    assert_text(other, "precious");
    unlink(other); /* leads nowhere: nothing is made there */
    refuse(-ELOOP);
    assert_int_equal(access(other, F_OK), -1);
}

static void what_would_wait_or_never_end_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(name, 0600), 0);
    refuse(-ENODEV);
    unlink(name);
    assert_int_equal(mkdir(name, 0700), 0);
    refuse(-EISDIR);
    rmdir(name);
    assert_int_equal(own_file_open(AT_FDCWD, "/dev/zero", 0), -ENODEV);
    assert_int_equal(own_file_check("/dev/zero"), -ENODEV);
}

static void a_file_with_a_second_name_is_read_and_not_written(void **state)
{
    (void)state;
    put(other, "precious");
    assert_int_equal(link(other, name), 0);
    assert_int_equal(own_file_open_write(AT_FDCWD, name, 0), -EMLINK);
    assert_int_equal(own_file_check(name), -EMLINK);
    const int fd = own_file_open(AT_FDCWD, name, 0);
    assert_true(fd >= 0);
    close(fd);
}

static void the_size_is_bounded_holes_included(void **state)
{
    (void)state;
    put(name, "");
    assert_int_equal(truncate(name, (off_t)1 << 40), 0);
    assert_int_equal(own_file_open(AT_FDCWD, name, 1 << 20), -EFBIG);
}

static void the_folder_may_be_a_link(void **state)
{
    char path[80];
    (void)state;
    assert_int_equal(mkdir(other, 0700), 0);
    assert_int_equal(symlink(other, name), 0);
    snprintf(path, sizeof path, "%s/new", name);
    const int fd = own_file_create(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(own_file_check(path), 0);
}

static void a_replaced_link_leaves_its_target_alone(void **state)
{
    struct text text = {0};
    struct stat st;
    struct reason why = {0};
    (void)state;
    put(other, "precious");
    assert_int_equal(symlink(other, name), 0);
    text_add(&text, "new");
    assert_int_equal(text_file_replace_own(name, &text, &why), 0);
    text_finish(&text);
    assert_text(other, "precious");
    assert_text(name, "new");
    assert_true(lstat(name, &st) == 0 && S_ISREG(st.st_mode));
}

static void damaged_files_are_kept_one_after_another(void **state)
{
    char path[80];
    (void)state;
    for (unsigned i = 1; i <= 3; i++) {
        unsigned number = 0;
        put(name, i == 1 ? "first" : i == 2 ? "second" : "third");
        assert_int_equal(own_file_move_aside(name, "damaged", &number), 0);
        assert_int_equal(number, i);
        assert_int_equal(access(name, F_OK), -1);
    }
    snprintf(path, sizeof path, "%s.damaged-2", name);
    assert_text(path, "second");
    unsigned taken = 2;
    put(name, "fourth");
    assert_int_equal(own_file_move_aside(name, "damaged", &taken), -EEXIST);
    assert_text(path, "second");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_regular_file_is_opened),
        TEST(links_are_not_followed),
        TEST(what_would_wait_or_never_end_is_refused),
        TEST(a_file_with_a_second_name_is_read_and_not_written),
        TEST(the_size_is_bounded_holes_included),
        TEST(the_folder_may_be_a_link),
        TEST(a_replaced_link_leaves_its_target_alone),
        TEST(damaged_files_are_kept_one_after_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
