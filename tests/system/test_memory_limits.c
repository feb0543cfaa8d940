/* test_memory_limits.c - limits of control groups, from files as the kernel writes them. */
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/system/memory.h"

enum { MIB = 1 << 20 };

struct file {
    const char *path, *text;
};

static char root[64];

/* Writes the files below a new folder, with their folders. */
static void write_files(const struct file *files)
{
    strcpy(root, "/tmp/fftd-memory-XXXXXX");
    assert_non_null(mkdtemp(root));
    for (; files->path; files++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", root, files->path);
        for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
            *slash = '\0';
            mkdir(path, 0700);
            *slash = '/';
        }
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fputs(files->text, f);
        fclose(f);
    }
}

static struct memory_limits read_files(const struct file *files)
{
    char proc[96], cgroup[96], command[96];
    write_files(files);
    snprintf(proc, sizeof proc, "%s/proc", root);
    snprintf(cgroup, sizeof cgroup, "%s/cgroup", root);
    const struct memory_limits limits = memory_limits_of(proc, cgroup);
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
    return limits;
}

#define MEMINFO "MemTotal:       1048576 kB\nMemFree:  1000 kB\nMemAvailable:    524288 kB\n"

static void without_a_limit_the_machine_counts(void **state)
{
    static const struct file files[] = {{"proc/meminfo", MEMINFO},
                                        {"proc/self/cgroup", "0::/user.slice\n"},
                                        {"cgroup/user.slice/memory.max", "max\n"},
                                        {"cgroup/user.slice/memory.current", "900000000\n"},
                                        {0}};
    (void)state;
    const struct memory_limits limits = read_files(files);
    assert_int_equal(limits.total, 1024 * MIB);
    assert_int_equal(limits.available, 512 * MIB);
    assert_string_equal(limits.owner, "this machine");
}

static void the_closest_group_above_counts(void **state)
{
    static const struct file files[] = {
        {"proc/meminfo", MEMINFO},
        {"proc/self/cgroup", "0::/system.slice/fftd.service\n"},
        {"cgroup/system.slice/fftd.service/memory.max", "314572800\n"},
        {"cgroup/system.slice/fftd.service/memory.current", "104857600\n"},
        {"cgroup/system.slice/fftd.service/memory.stat", "anon 1\ninactive_file 10485760\n"},
        {"cgroup/system.slice/memory.max", "419430400\n"},
        {"cgroup/system.slice/memory.current", "314572800\n"},
        {"cgroup/system.slice/memory.stat", "inactive_file 0\n"},
        {0}};
    (void)state;
    const struct memory_limits limits = read_files(files);
    assert_int_equal(limits.total, 300 * MIB);
    assert_int_equal(limits.available, 100 * MIB); /* 400 - 300 of the slice, not 300 - 100 + 10 */
    assert_string_equal(limits.owner, "the control group");
}

static void a_container_sees_its_limit_at_the_mount_point(void **state)
{
    static const struct file files[] = {{"proc/meminfo", MEMINFO},
                                        {"proc/self/cgroup", "0::/docker/4711\n"},
                                        {"cgroup/memory.max", "104857600\n"},
                                        {"cgroup/memory.current", "209715200\n"},
                                        {0}};
    (void)state;
    const struct memory_limits limits = read_files(files);
    assert_int_equal(limits.total, 100 * MIB);
    assert_int_equal(limits.available, 0);
}

static void version_1_is_read_too(void **state)
{
    static const struct file files[] = {
        {"proc/meminfo", MEMINFO},
        {"proc/self/cgroup", "9:name=systemd:/\n4:memory:/a/b\n0::/\n"},
        {"cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n"}, /* none */
        {"cgroup/memory/a/memory.limit_in_bytes", "314572800\n"},
        {"cgroup/memory/a/memory.usage_in_bytes", "209715200\n"},
        {"cgroup/memory/a/memory.stat", "inactive_file 7\ntotal_inactive_file 104857600\n"},
        {0}};
    (void)state;
    const struct memory_limits limits = read_files(files);
    assert_int_equal(limits.total, 300 * MIB);
    assert_int_equal(limits.available, 200 * MIB);
}

static void without_any_file_the_machine_has_memory(void **state)
{
    static const struct file files[] = {{"nothing/here", ""}, {0}};
    (void)state;
    const struct memory_limits limits = read_files(files);
    assert_true(limits.total >= 64 * MIB);
    assert_int_equal(limits.available, limits.total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_limit_the_machine_counts),
        cmocka_unit_test(the_closest_group_above_counts),
        cmocka_unit_test(a_container_sees_its_limit_at_the_mount_point),
        cmocka_unit_test(version_1_is_read_too),
        cmocka_unit_test(without_any_file_the_machine_has_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
