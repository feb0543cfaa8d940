/*
 * test_out_file.c - kills a process before, in and after each of its steps, and starts it again:
 * no row of an output is lost, doubled or divided, and no file is replaced.
 */
#include "tests/support/cmocka_all.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/format/output_form.h"
#include "daemon/output/row_file.h"

enum { ROW = 18, ROWS = 12, MAX_BYTES = 60, MAX_FILES = 64, KILLED = 9, LONG = 2500000 };

/* ---- steps ------------------------------------------------------------------------------- */

static int step, killed_at = -1;      /* of the process */
static int writes, truncated_at = -1; /* somebody empties the file just before this write */

static void pass(void)
{
    if (step++ == killed_at)
        _exit(KILLED);
}

ssize_t __real_write(int fd, const void *bytes, size_t count);
ssize_t __wrap_write(int fd, const void *bytes, size_t count);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_renameat2(int from, const char *old, int to, const char *new, unsigned flags);
int __wrap_renameat2(int from, const char *old, int to, const char *new, unsigned flags);
int __real_ftruncate(int fd, off_t length);
int __wrap_ftruncate(int fd, off_t length);
int __real_unlink(const char *path);
int __wrap_unlink(const char *path);

/* Half of a row may be in the file. */
ssize_t __wrap_write(int fd, const void *bytes, size_t count)
{
    pass();
    if (writes++ == truncated_at && __real_ftruncate(fd, 0) < 0)
        _exit(3);
    if (step == killed_at)
        count /= 2;
    const ssize_t sent = __real_write(fd, bytes, count);
    pass();
    return sent;
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    pass();
    const int fd = __real_open(path, flags, mode);
    pass();
    return fd;
}

int __wrap_renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
    pass();
    const int err = __real_renameat2(from, old, to, new, flags);
    pass();
    return err;
}

int __wrap_ftruncate(int fd, off_t length)
{
    pass();
    const int err = __real_ftruncate(fd, length);
    pass();
    return err;
}

int __wrap_unlink(const char *path)
{
    pass();
    const int err = __real_unlink(path);
    pass();
    return err;
}

/* ---- processes --------------------------------------------------------------------------- */

static char folder[64], path[128];
static int *committed; /* the last row that a process wrote; shared */

static void write_rows(int first, int count, uint32_t keep)
{
    const struct out_file_config config = {
        .path = path,
        .form = output_form_csv(2, false),
        .limits = {.max_bytes = MAX_BYTES, .keep = keep, .realtime = true}};
    struct row_file f;
    struct reason why = {0};
    if (row_file_open(&f, &config, true, &why) < 0 || row_file_begin(&f, &why) < 0)
        _exit(1);
    for (int i = first; i < first + count; i++) {
        text_add(row_file_next(&f), "%03d.000000,-36.44\n", i);
        if (row_file_write(&f, 0) < 0 || row_file_busy(&f))
            _exit(2);
        *committed = i;
    }
    row_file_close(&f);
    _exit(0);
}

static int run(int kill_at, int first, int count, uint32_t keep)
{
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        step = 0;
        killed_at = kill_at;
        write_rows(first, count, keep);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* ---- what is on the disk ----------------------------------------------------------------- */

struct rows {
    int first, last, files;
    bool unfinished, orphan; /* the last row; it is the first one of its file */
};

static void read_file(const char *name, struct rows *r)
{
    char row[64];
    FILE *file = fopen(name, "r");
    if (!file)
        return;
    r->files++;
    r->orphan = true;
    while (fgets(row, sizeof row, file)) {
        const int number = atoi(row);
        assert_false(r->unfinished);
        r->unfinished = strchr(row, '\n') == NULL;
        if (r->unfinished)
            continue;
        r->orphan = false;
        assert_int_equal(strlen(row), ROW);
        assert_true(r->first == 0 || number == r->last + 1);
        r->first = r->first ? r->first : number;
        r->last = number;
    }
    r->orphan = r->orphan && r->unfinished;
    fclose(file);
}

/* The rows of all files, the oldest first: each follows the one before it. */
static struct rows read_rows(void)
{
    struct rows r = {0};
    char name[160];
    for (int i = 1; i < MAX_FILES; i++) {
        snprintf(name, sizeof name, "%s.%06d", path, i);
        read_file(name, &r);
    }
    read_file(path, &r);
    return r;
}

static void begin_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/fftd-out-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/l.csv", folder);
    *committed = 0;
}

static void remove_folder(void)
{
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *d; (d = readdir(dir));)
        unlinkat(dirfd(dir), d->d_name, 0);
    closedir(dir);
    rmdir(folder);
}

/* ---- tests ------------------------------------------------------------------------------- */

static int orphans; /* kills within the first row of a file */

static size_t read_bytes(const char *name, char *into, size_t capacity)
{
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    const size_t got = fread(into, 1, capacity, file);
    fclose(file);
    return got;
}

/* True: the process was killed at this step. It then starts again twice. */
static bool survives(int kill_at, uint32_t keep)
{
    begin_folder();
    const int status = run(kill_at, 1, ROWS, keep);
    assert_true(status == 0 || status == KILLED);
    const struct rows before = read_rows();
    assert_in_range(before.last, *committed, *committed + 1);
    char part[64] = "";
    const size_t length = before.orphan ? read_bytes(path, part, sizeof part) : 0;
    assert_int_equal(run(-1, before.last + 1, ROWS, keep), 0);
    assert_int_equal(run(-1, before.last + 1 + ROWS, 1, keep), 0);
    const struct rows after = read_rows();
    assert_false(after.unfinished);
    assert_int_equal(after.last, before.last + ROWS + 1);
    if (keep == 0)
        assert_int_equal(after.first, 1);
    else
        assert_int_equal(after.files, (int)keep + 1);
    if (before.orphan) { /* it may be somebody else's: its bytes are kept */
        char kept[64], name[160];
        snprintf(name, sizeof name, "%s.damaged-1", path);
        assert_int_equal(read_bytes(name, kept, sizeof kept), length);
        assert_memory_equal(kept, part, length);
        orphans++;
    }
    remove_folder();
    return status == KILLED;
}

static void a_kill_at_any_step_loses_and_doubles_no_row(void **state)
{
    (void)state;
    for (uint32_t keep = 0; keep <= 2; keep += 2) {
        int at = 0;
        while (survives(at, keep))
            at++;
        assert_in_range(at, 2 * ROWS, 1000); /* it writes each row */
        assert_true(orphans > 0);
    }
}

/* The folder does not let it be renamed. A text of somebody else stays as it is. */
static void a_part_of_a_row_that_cannot_be_renamed_is_refused(void **state)
{
    struct reason why = {0};
    char name[160], found[16];
    struct row_file f;
    (void)state;
    begin_folder();
    const struct out_file_config config = {.path = path, .form = output_form_csv(2, false)};
    for (int i = 1; i <= 1000; i++) {
        snprintf(name, sizeof name, "%s.damaged-%d", path, i);
        const int fd = open(name, O_WRONLY | O_CREAT, 0600);
        assert_true(fd >= 0);
        close(fd);
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("868.95", file);
    fclose(file);
    assert_int_equal(row_file_open(&f, &config, true, &why), 0);
    assert_int_equal(row_file_begin(&f, &why), -EEXIST);
    assert_non_null(strstr(why.sentence, path));
    assert_non_null(strstr(why.sentence, "cannot be renamed"));
    row_file_close(&f);
    assert_int_equal(read_bytes(path, found, sizeof found), 6);
    assert_memory_equal(found, "868.95", 6);
    remove_folder();
}

/* Its times say that rows were written for years, or end in years. */
static void a_wrong_clock_renames_and_deletes_nothing_at_a_start(void **state)
{
    static const long years[] = {-40, -1, 1, 10, 60};
    (void)state;
    for (size_t i = 0; i < sizeof years / sizeof years[0]; i++) {
        begin_folder();
        assert_int_equal(run(-1, 1, 2, 0), 0);
        const struct timespec at = {.tv_sec = time(NULL) + years[i] * 31557600};
        const struct timespec times[2] = {at, at};
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
        struct row_file f;
        struct reason why = {0};
        const struct out_file_config config = {
            .path = path,
            .form = output_form_csv(2, false),
            .limits = {.max_age_s = 3600, .keep = 1, .realtime = true}};
        assert_int_equal(row_file_open(&f, &config, true, &why), 0);
        assert_int_equal(row_file_begin(&f, &why), 0);
        text_add(row_file_next(&f), "%03d.000000,-36.44\n", 3);
        assert_int_equal(row_file_write(&f, 0), 0);
        row_file_close(&f);
        const struct rows rows = read_rows();
        assert_int_equal(rows.files, 1);
        assert_int_equal(rows.last, 3);
        remove_folder();
    }
}

static void add_long_row(struct row_file *f, int number)
{
    struct text *row = row_file_next(f);
    text_add(row, "%03d.000000,-36.44", number);
    for (int i = 0; i < LONG / 100; i++)
        text_add(row, "%0100d", 0);
    text_add(row, "\n");
}

/* As logrotate's copytruncate does. Rows of several writes; the second one meets it. */
static void a_truncation_before_any_write_leaves_whole_rows(void **state)
{
    enum { WHOLE = 17 + LONG + 1 };
    (void)state;
    for (int at = 0; at < 12; at++) {
        const struct out_file_config config = {.path = path, .form = output_form_csv(2, false)};
        struct row_file f;
        struct stat st;
        struct reason why = {0};
        begin_folder();
        writes = 0;
        truncated_at = -1;
        assert_int_equal(row_file_open(&f, &config, true, &why), 0);
        assert_int_equal(row_file_begin(&f, &why), 0);
        writes = 0;
        truncated_at = at;
        for (int i = 1; i <= 3; i++) {
            add_long_row(&f, i);
            assert_int_equal(row_file_write(&f, 0), 0);
            assert_false(row_file_busy(&f));
            assert_int_equal(f.error, 0);
        }
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_size % WHOLE, 0);
        assert_true(st.st_size >= WHOLE);
        assert_true(pread(f.file.fd, why.sentence, 4, st.st_size - WHOLE) == 4);
        assert_memory_equal(why.sentence, "003.", 4);
        row_file_close(&f);
        remove_folder();
    }
    truncated_at = -1;
}

static int share(void **state)
{
    (void)state;
    committed =
        mmap(NULL, sizeof *committed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return committed == MAP_FAILED ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kill_at_any_step_loses_and_doubles_no_row),
        cmocka_unit_test(a_part_of_a_row_that_cannot_be_renamed_is_refused),
        cmocka_unit_test(a_truncation_before_any_write_leaves_whole_rows),
        cmocka_unit_test(a_wrong_clock_renames_and_deletes_nothing_at_a_start),
    };
    return cmocka_run_group_tests(tests, share, NULL);
}
