/* test_opencl_cache.c - tests results kept on disk: only the same key finds them, and damaged files
 * or an unusable folder are harmless. */
#include "tests/support/cmocka_all.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fft/opencl/opencl_cache.h"
#include "tests/support/opencl/machine.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fftd-cache-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

/* Calls visit with the path of each entry. Returns the number of entries. */
static int each_file(void (*visit)(const char *path))
{
    int count = 0;
    char path[512];
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        visit(path);
        count++;
    }
    closedir(d);
    return count;
}

static void nothing(const char *path)
{
    (void)path;
}

static void drop(const char *path)
{
    unlink(path);
}

static int remove_folder(void **state)
{
    (void)state;
    chmod(folder, 0700);
    each_file(drop);
    return rmdir(folder);
}

/* ---- entries ---------------------------------------------------------------------------- */

static const struct opencl_key key = {{"device", "options", "text", NULL}};

static struct opencl_cache open_cache(void)
{
    struct opencl_cache c;
    opencl_cache_open(&c, folder);
    return c;
}

static bool holds(const struct opencl_cache *c, const struct opencl_key *k, const char *want)
{
    size_t bytes = 0;
    char *got = opencl_cache_load(c, k, &bytes);
    const bool same = got && bytes == strlen(want) && memcmp(got, want, bytes) == 0;
    free(got);
    return same;
}

static void an_entry_is_found_by_its_key_alone(void **state)
{
    static const struct opencl_key others[] = {{{"device", "options", "text2", NULL}},
                                               {{"device", "optionstext", "", NULL}},
                                               {{"device", "options", NULL}},
                                               {{"device", "option", "stext", NULL}}};
    const struct opencl_cache c = open_cache();
    (void)state;
    assert_false(holds(&c, &key, "result"));
    opencl_cache_store(&c, &key, "result", 6);
    assert_true(holds(&c, &key, "result"));
    opencl_cache_store(&c, &key, "other", 5);
    assert_true(holds(&c, &key, "other"));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t bytes;
        assert_null(opencl_cache_load(&c, &others[i], &bytes));
    }
    assert_int_equal(each_file(nothing), 1);
}

/* Damages each byte of the file, one after another, and truncates it to each length. */
static void a_damaged_entry_is_not_found(void **state)
{
    const struct opencl_cache c = open_cache();
    struct dirent **names;
    char path[512];
    unsigned char whole[256];
    size_t bytes;
    (void)state;
    opencl_cache_store(&c, &key, "result", 6);
    assert_int_equal(scandir(folder, &names, NULL, alphasort), 3);
    snprintf(path, sizeof path, "%s/%s", folder, names[2]->d_name);
    for (int i = 0; i < 3; i++)
        free(names[i]);
    free(names);
    const int file = open(path, O_RDWR);
    const ssize_t length = read(file, whole, sizeof whole);
    assert_true(length > 40 && length < (ssize_t)sizeof whole);
    for (ssize_t i = 0; i < length; i++) {
        const unsigned char wrong = whole[i] ^ 1;
        assert_int_equal(pwrite(file, &wrong, 1, i), 1);
        assert_null(opencl_cache_load(&c, &key, &bytes));
        assert_int_equal(pwrite(file, &whole[i], 1, i), 1);
    }
    assert_true(holds(&c, &key, "result"));
    for (ssize_t i = length - 1; i >= 0; i--) {
        assert_int_equal(ftruncate(file, i), 0);
        assert_null(opencl_cache_load(&c, &key, &bytes));
    }
    close(file);
    opencl_cache_store(&c, &key, "result", 6);
    assert_true(holds(&c, &key, "result"));
}

static void an_unusable_folder_is_harmless(void **state)
{
    char path[128];
    struct opencl_cache c;
    (void)state;
    snprintf(path, sizeof path, "%s/file", folder);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    opencl_cache_open(&c, path); /* the path is a file */
    opencl_cache_store(&c, &key, "result", 6);
    assert_false(holds(&c, &key, "result"));
    opencl_cache_open(&c, "/proc/no/such/place");
    opencl_cache_store(&c, &key, "result", 6);
    assert_false(holds(&c, &key, "result"));
    opencl_cache_open(&c, "off");
    opencl_cache_store(&c, &key, "result", 6);
    assert_false(holds(&c, &key, "result"));
}

static void the_users_cache_follows_the_environment(void **state)
{
    struct opencl_cache c;
    (void)state;
    setenv("CACHE_DIRECTORY", "/var/cache/fftd:/other", 1);
    setenv("XDG_CACHE_HOME", "/xdg", 1);
    setenv("HOME", "/home/me", 1);
    opencl_cache_open(&c, "");
    assert_string_equal(c.folder, "/var/cache/fftd/opencl");
    unsetenv("CACHE_DIRECTORY");
    opencl_cache_open(&c, "");
    assert_string_equal(c.folder, "/xdg/fftd/opencl");
    setenv("XDG_CACHE_HOME", "relative", 1);
    opencl_cache_open(&c, "");
    assert_string_equal(c.folder, "/home/me/.cache/fftd/opencl");
    unsetenv("HOME");
    opencl_cache_open(&c, "");
    assert_string_equal(c.folder, "");
}

/* ---- the size limit --------------------------------------------------------------------- */

enum { ENTRIES = 6, ENTRY = 1000 };

static struct opencl_key nth(char text[16], int i)
{
    snprintf(text, 16, "key %d", i);
    return (struct opencl_key){{text, NULL}};
}

static void store_nth(const struct opencl_cache *c, int i)
{
    static const char data[ENTRY];
    char text[16];
    const struct opencl_key k = nth(text, i);
    opencl_cache_store(c, &k, data, sizeof data);
}

static bool has_nth(const struct opencl_cache *c, int i)
{
    char text[16];
    size_t bytes = 0;
    const struct opencl_key k = nth(text, i);
    void *data = opencl_cache_load(c, &k, &bytes);
    const bool found = data && bytes == ENTRY;
    free(data);
    return found;
}

/* Marks an entry as last used at that second. */
static time_t second;
static void age(const char *path)
{
    const struct timespec at[2] = {{.tv_sec = second}, {.tv_sec = second}};
    assert_int_equal(utimensat(AT_FDCWD, path, at, 0), 0);
}

static uint64_t total;
static void add_up(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    total += (uint64_t)about.st_size;
}

static uint64_t bytes_kept(void)
{
    total = 0;
    each_file(add_up);
    return total;
}

static void the_least_recently_used_entry_is_removed_first(void **state)
{
    struct opencl_cache c = open_cache();
    (void)state;
    assert_true(c.bytes == OPENCL_CACHE_BYTES);
    for (int i = 0; i < ENTRIES; i++) {
        store_nth(&c, i);
        if (i == 0)
            c.bytes =
                (ENTRIES - 1) * bytes_kept(); /* room for one entry less than the test stores */
        if (i == ENTRIES - 2) {
            second = 1000000; /* all are old, */
            each_file(age);
            assert_true(has_nth(&c, 0)); /* except those used now */
            assert_true(has_nth(&c, 2) && has_nth(&c, 3) && has_nth(&c, 4));
        }
    }
    assert_false(has_nth(&c, 1));
    for (int i = 0; i < ENTRIES; i++)
        assert_true(i == 1 || has_nth(&c, i));
    assert_true(bytes_kept() == c.bytes);
    assert_int_equal(each_file(nothing), ENTRIES - 1);
}

/* Drafts of killed processes belong to the cache. Files with other names do not. */
static void only_entries_and_drafts_are_removed(void **state)
{
    static const char *const others[] = {"notes.txt", "0123456789abcdeF", "draft", "draft.1234567"};
    struct opencl_cache c = open_cache();
    char path[512];
    (void)state;
    for (size_t i = 0; i <= sizeof others / sizeof others[0]; i++) {
        const bool draft = i == sizeof others / sizeof others[0];
        snprintf(path, sizeof path, "%s/%s", folder, draft ? "draft.abcdef" : others[i]);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        for (int j = 0; j < 3 * ENTRY; j++)
            fputc('x', file);
        fclose(file);
    }
    second = 1000000;
    each_file(age);
    c.bytes = ENTRY + 100; /* room for one entry with header and key */
    store_nth(&c, 0);
    assert_true(has_nth(&c, 0));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(each_file(nothing), 1 + sizeof others / sizeof others[0]);
    c.bytes = ENTRY - 1; /* an entry larger than the cache removes nothing */
    store_nth(&c, 1);
    assert_true(has_nth(&c, 0));
}

/* ---- programs and choices --------------------------------------------------------------- */

/* Opens the engine and checks how many programs it compiled and loaded. */
static void open_counts(struct mock_opencl *mock, const char *more, uint64_t compiled,
                        uint64_t loaded)
{
    char options[128];
    snprintf(options, sizeof options, "cache=%s%s", folder, more);
    mock->counts = (struct mock_counts){0};
    struct fft_engine *e = machine_engine("opencl:1/1", options);
    assert_int_equal(mock->counts.compiled, compiled);
    assert_int_equal(mock->counts.loaded, loaded);
    fft_engine_close(e);
    assert_int_equal(mock->alive, 0);
}

static void damage(const char *path)
{
    const int file = open(path, O_WRONLY);
    assert_int_equal(pwrite(file, "x", 1, 60), 1);
    close(file);
}

static void programs_are_compiled_once(void **state)
{
    (void)state;
    struct mock_opencl *mock = machine_reset();
    open_counts(mock, "", 1, 0);
    open_counts(mock, "", 0, 1);
    open_counts(mock, ",plan=local radix=8", 1, 0); /* a different text */
    each_file(damage);
    open_counts(mock, "", 1, 0);
    open_counts(mock, "", 0, 1);
    mock->binaries_rejected = true; /* as after an update of the driver without a new version */
    open_counts(mock, "", 1, 0);
}

static void forget(const char *path)
{
    assert_int_equal(unlink(path), 0);
}

/* Powers of one root add a candidate where a pass waits for loads. */
static void powers_of_a_root_are_a_candidate_without_local_memory(void **state)
{
    (void)state;
    struct mock_opencl *mock = machine_reset();
    open_counts(mock, ",measure", 4, 0);
    mock->no_local = true;
    each_file(forget);
    open_counts(mock, ",measure", 5, 0);
}

static void a_measured_choice_is_kept(void **state)
{
    (void)state;
    struct mock_opencl *mock = machine_reset();
    open_counts(mock, ",measure", 4, 0); /* four candidates; the chosen one is in memory already */
    const uint64_t launches = mock->counts.launches;
    open_counts(mock, ",measure", 0, 1);
    assert_true(mock->counts.launches < launches / 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_entry_is_found_by_its_key_alone),
        TEST(a_damaged_entry_is_not_found),
        TEST(the_least_recently_used_entry_is_removed_first),
        TEST(only_entries_and_drafts_are_removed),
        TEST(an_unusable_folder_is_harmless),
        cmocka_unit_test(the_users_cache_follows_the_environment),
        TEST(programs_are_compiled_once),
        TEST(powers_of_a_root_are_a_candidate_without_local_memory),
        TEST(a_measured_choice_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
