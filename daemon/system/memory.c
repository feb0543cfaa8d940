/* memory.c - reads the memory of the machine and the limits of the control groups above a process.
 */
#include "daemon/system/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

enum { PATH = 1024, LONG_PATH = 3 * PATH };

/* Files of a control group (https://docs.kernel.org/admin-guide/cgroup-v2.html and cgroup-v1). */
static const struct hierarchy {
    const char *controllers; /* in /proc/self/cgroup: "4:memory:/path", "0::/path" */
    const char *folder;      /* below the mount point */
    const char *limit, *usage;
    const char *reusable; /* in memory.stat: pages of files that were not read lately */
} hierarchies[] = {
    {"", "", "memory.max", "memory.current", "inactive_file"},
    {"memory", "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
};

/* False: no number. */
static bool parse_number(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (end == text || errno != 0)
        return false;
    *out = value;
    return true;
}

/* "NAME value", in kB with a colon after the name. False: no such line. */
static bool read_field(const char *path, const char *name, uint64_t *out)
{
    char line[256];
    bool found = false;
    const size_t length = strlen(name);
    FILE *f = fopen(path, "r");
    *out = 0;
    while (f && !found && fgets(line, sizeof line, f))
        found = strncmp(line, name, length) == 0 && parse_number(line + length, out);
    if (f)
        fclose(f);
    return found;
}

/* A file with one number. False: there is none, or it is "max". */
static bool read_number(const char *folder, const char *file, uint64_t *out)
{
    char path[LONG_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return read_field(path, "", out);
}

static struct memory_limits machine(const char *proc)
{
    char path[PATH];
    struct sysinfo info;
    struct memory_limits limits = {.total = UINT64_MAX, .owner = "this machine"};
    if (sysinfo(&info) == 0)
        limits.total = (uint64_t)info.totalram * info.mem_unit;
    limits.available = limits.total; /* a unit without /proc/meminfo cannot know better */
    snprintf(path, sizeof path, "%s/meminfo", proc);
    uint64_t kb;
    if (read_field(path, "MemTotal:", &kb))
        limits.total = limits.available = kb * 1024;
    if (read_field(path, "MemAvailable:", &kb))
        limits.available = kb * 1024;
    return limits;
}

static void lower(struct memory_limits *limits, const struct hierarchy *h, const char *folder)
{
    char stat[LONG_PATH];
    uint64_t limit, usage = 0, reusable = 0;
    if (!read_number(folder, h->limit, &limit))
        return;
    snprintf(stat, sizeof stat, "%s/memory.stat", folder);
    read_number(folder, h->usage, &usage);
    read_field(stat, h->reusable, &reusable);
    const uint64_t used = usage > reusable ? usage - reusable : 0;
    const uint64_t available = limit > used ? limit - used : 0;
    if (limit < limits->total)
        limits->total = limit;
    if (available < limits->available) {
        limits->available = available;
        limits->owner = "the control group";
    }
}

/* The group of the process and all above it; in a container the path may lie outside the mount. */
static void lower_to_groups(struct memory_limits *limits, const struct hierarchy *h,
                            const char *cgroup, const char *path)
{
    char folder[2 * PATH];
    snprintf(folder, sizeof folder, "%s%s%s", cgroup, h->folder, path);
    const size_t top = strlen(cgroup) + strlen(h->folder);
    for (;;) {
        lower(limits, h, folder);
        char *slash = strrchr(folder, '/');
        if (!slash || strlen(folder) <= top)
            return;
        if ((size_t)(slash - folder) < top)
            slash = folder + top;
        *slash = '\0';
    }
}

/* Splits "4:memory:/path\n". */
static bool split_line(char *line, char **controllers, char **path)
{
    line[strcspn(line, "\n")] = '\0';
    char *first = strchr(line, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    if (!second)
        return false;
    *second = '\0';
    *controllers = first + 1;
    *path = second + 1;
    return true;
}

struct memory_limits memory_limits_of(const char *proc, const char *cgroup)
{
    char file[PATH], line[PATH], *controllers, *path;
    struct memory_limits limits = machine(proc);
    snprintf(file, sizeof file, "%s/self/cgroup", proc);
    FILE *f = fopen(file, "r");
    while (f && fgets(line, sizeof line, f)) {
        if (!split_line(line, &controllers, &path))
            continue;
        for (size_t i = 0; i < sizeof hierarchies / sizeof hierarchies[0]; i++) {
            if (strcmp(controllers, hierarchies[i].controllers) == 0)
                lower_to_groups(&limits, &hierarchies[i], cgroup, path);
        }
    }
    if (f)
        fclose(f);
    return limits;
}

static struct memory_limits fixed;

void memory_set_limits(const struct memory_limits *limits)
{
    fixed = limits ? *limits : (struct memory_limits){0};
}

struct memory_limits memory_limits(void)
{
    return fixed.total ? fixed : memory_limits_of("/proc", "/sys/fs/cgroup");
}
