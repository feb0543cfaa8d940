/* memory_limit.c - makes control groups of version 1 or 2. */
#include "studies/four_easy_ways/memory_limit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_file(const char *folder, const char *name, const char *text)
{
    char path[500];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    const int err = write(fd, text, strlen(text)) < 0 ? -errno : 0;
    close(fd);
    return err;
}

/* Finds "5:memory:/path" (version 1) or "0::/path" (version 2) in /proc/self/cgroup. */
static bool find_own(const char *mark, char *path, size_t size)
{
    char line[300];
    bool found = false;
    FILE *f = fopen("/proc/self/cgroup", "r");
    while (f && !found && fgets(line, sizeof line, f)) {
        const char *at = strstr(line, mark);
        if ((found = at != NULL))
            snprintf(path, size, "%.*s", (int)strcspn(at + strlen(mark), "\n"), at + strlen(mark));
    }
    if (f)
        fclose(f);
    return found;
}

static int make_in(struct memory_limit *m, const char *parent, const char *limit_file,
                   const char *limit)
{
    snprintf(m->folder, sizeof m->folder, "%s/fft-study-%d", parent, (int)getpid());
    if (mkdir(m->folder, 0755) != 0)
        return -errno;
    const int err = write_file(m->folder, limit_file, limit);
    if (err < 0)
        rmdir(m->folder);
    return err;
}

/*
 * In this process's group, else in the root of the mount: in a container the path may be the
 * host's, and a group of version 2 that has processes passes no limits on.
 */
static int make(struct memory_limit *m, const char *root, const char *mark, const char *limit_file,
                const char *limit)
{
    char own[200], parent[300];
    if (!find_own(mark, own, sizeof own))
        return -ENOENT;
    snprintf(parent, sizeof parent, "%s%s", root, own);
    return make_in(m, parent, limit_file, limit) == 0 ? 0 : make_in(m, root, limit_file, limit);
}

int memory_limit_init(struct memory_limit *m, size_t bytes)
{
    char limit[30];
    snprintf(limit, sizeof limit, "%zu", bytes);
    const int err = make(m, "/sys/fs/cgroup/memory", ":memory:", "memory.limit_in_bytes", limit);
    return err < 0 ? make(m, "/sys/fs/cgroup", "0::", "memory.max", limit) : 0;
}

int memory_limit_enter(const struct memory_limit *m)
{
    return write_file(m->folder, "cgroup.procs", "0");
}

void memory_limit_finish(struct memory_limit *m)
{
    /* The kernel releases a group shortly after its last process ends. */
    for (int i = 0; i < 100 && rmdir(m->folder) != 0 && errno == EBUSY; i++)
        usleep(10000);
}
