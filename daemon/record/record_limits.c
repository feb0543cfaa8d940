/* record_limits.c - lists, ages and deletes the recordings of a folder. */
#include "daemon/record/record_limits.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "daemon/base/age_clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"

static const int64_t second_ns = 1000000000;

static int stat_part(const char *folder, const char *name, const char *suffix, struct stat *out)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s%s", folder, name, suffix) < 0)
        return -ENOMEM;
    const int err = stat(path, out) < 0 ? -errno : 0;
    free(path);
    return err;
}

static void describe(const char *folder, struct record_file *f)
{
    struct stat data, meta;
    if (stat_part(folder, f->name, RECORD_DATA, &data) == 0) {
        f->bytes = (uint64_t)data.st_size;
        f->end_s = data.st_mtime;
    }
    f->complete = stat_part(folder, f->name, RECORD_META, &meta) == 0;
    if (f->complete) {
        f->bytes += (uint64_t)meta.st_size;
        f->end_s = meta.st_mtime;
    }
}

static int by_age(const void *a, const void *b)
{
    const struct record_file *fa = a, *fb = b;
    if (fa->end_s != fb->end_s)
        return fa->end_s < fb->end_s ? -1 : 1;
    return strcmp(fa->name, fb->name);
}

static struct record_file *append(struct record_file **list, size_t *count)
{
    struct record_file *more = *list;
    if ((*count & (*count - 1)) == 0) /* at powers of two */
        more = realloc(*list, (*count ? 2 * *count : 1) * sizeof *more);
    if (!more)
        return NULL;
    *list = more;
    more[*count] = (struct record_file){0};
    return &more[(*count)++];
}

int record_list_files(const char *folder, struct record_file **out, size_t *count)
{
    int err = 0;
    const struct dirent *entry;
    DIR *dir = opendir(folder);
    *out = NULL;
    *count = 0;
    if (!dir)
        return -errno;
    while (err == 0 && (entry = readdir(dir))) {
        const size_t length = record_name_length(entry->d_name, RECORD_DATA);
        struct record_file *f = length > 0 ? append(out, count) : NULL;
        if (f) {
            memcpy(f->name, entry->d_name, length);
            describe(folder, f);
        } else if (length > 0) {
            err = -ENOMEM;
        }
    }
    closedir(dir);
    if (*count > 0)
        qsort(*out, *count, sizeof **out, by_age);
    return err;
}

static int delete_recording(const char *folder, const char *name)
{
    static const char *const suffix[] = {RECORD_META, RECORD_DATA}; /* no metadata without data */
    int err = 0;
    for (int i = 0; err == 0 && i < 2; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s/%s%s", folder, name, suffix[i]) < 0)
            return -ENOMEM;
        err = unlink(path) < 0 ? -errno : 0;
        free(path);
    }
    return err;
}

/* Returns a file descriptor. */
static int open_regular(const char *folder, const char *file, uint64_t *bytes)
{
    char *path = NULL;
    struct stat at;
    if (asprintf(&path, "%s/%s", folder, file) < 0)
        return -ENOMEM;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const int err = fd < 0 ? -errno : 0;
    free(path);
    if (fd < 0)
        return err == -ELOOP ? -ENOENT : err;
    if (fstat(fd, &at) < 0 || !S_ISREG(at.st_mode)) {
        close(fd);
        return -ENOENT;
    }
    *bytes = (uint64_t)at.st_size;
    return fd;
}

int record_open(const char *folder, const char *file, uint64_t *bytes)
{
    char name[RECORD_NAME];
    struct stat meta;
    size_t length = record_name_length(file, RECORD_DATA);
    if (length == 0)
        length = record_name_length(file, RECORD_META);
    if (length == 0)
        return -ENOENT;
    snprintf(name, sizeof name, "%.*s", (int)length, file);
    const int fd = open_regular(folder, file, bytes);
    if (fd < 0 || stat_part(folder, name, RECORD_META, &meta) == 0)
        return fd;
    close(fd);
    return -EBUSY;
}

int64_t record_newest_ns(const char *folder)
{
    struct record_file *list;
    size_t count;
    record_list_files(folder, &list, &count);
    const int64_t newest_s = count > 0 ? list[count - 1].end_s : 0;
    free(list);
    return newest_s > 0 && newest_s < INT64_MAX / second_ns ? newest_s * second_ns : INT64_MIN;
}

static bool is_credible(int64_t time_s, int64_t now_ns)
{
    return time_s >= AGE_CLOCK_FIRST_NS / second_ns &&
           time_s <= (now_ns + AGE_CLOCK_GAP_NS) / second_ns;
}

void record_set_time(const char *folder, const char *name, int64_t time_ns)
{
    static const char *const suffix[] = {RECORD_META, RECORD_DATA};
    const struct timespec time = {(time_t)(time_ns / second_ns), (long)(time_ns % second_ns)};
    const struct timespec times[] = {time, time};
    for (int i = 0; i < 2; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s/%s%s", folder, name, suffix[i]) < 0)
            return;
        utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
        free(path);
    }
}

static void correct_times(const char *folder, struct record_file *list, size_t count,
                          int64_t now_ns)
{
    bool corrected = false;
    for (size_t i = 0; i < count; i++) {
        if (!list[i].complete || is_credible(list[i].end_s, now_ns))
            continue;
        record_set_time(folder, list[i].name, now_ns);
        list[i].end_s = now_ns / second_ns;
        corrected = true;
    }
    if (corrected)
        qsort(list, count, sizeof *list, by_age);
}

uint64_t record_apply_limits(const struct record_options *o, int64_t now_ns)
{
    struct record_file *list;
    size_t count;
    uint64_t bytes = 0;
    record_list_files(o->folder, &list, &count);
    correct_times(o->folder, list, count, now_ns);
    for (size_t i = 0; i < count; i++)
        bytes += list[i].bytes;
    for (size_t i = 0; i < count; i++) {
        const bool old =
            o->max_age_s > 0 && (double)(now_ns / second_ns - list[i].end_s) > o->max_age_s;
        const bool many = o->max_bytes > 0 && bytes > o->max_bytes;
        if (!list[i].complete || (!old && !many) || delete_recording(o->folder, list[i].name) < 0)
            continue;
        bytes -= list[i].bytes;
        log_info("recording %s deleted: %s", list[i].name,
                 old ? "older than record-max-age" : "more than record-max-bytes");
    }
    free(list);
    return bytes;
}

uint64_t record_free_bytes(const char *folder)
{
    struct statvfs disk;
    return statvfs(folder, &disk) < 0 ? UINT64_MAX : (uint64_t)disk.f_bavail * disk.f_frsize;
}

static int check_usable(const char *folder, char *error, size_t error_size)
{
    struct stat at;
    if (stat(folder, &at) == 0 && !S_ISDIR(at.st_mode))
        return reason_set(error, error_size, -ENOTDIR, "record: %s is not a directory", folder);
    if (access(folder, R_OK | W_OK | X_OK) < 0)
        return reason_set(error, error_size, -errno, "record: %s: %s", folder, strerror(errno));
    return 0;
}

int record_prepare_folder(const char *folder, char *error, size_t error_size)
{
    struct stat at;
    if (stat(folder, &at) < 0 && (errno != ENOENT || mkdir(folder, 0755) < 0))
        return reason_set(error, error_size, -errno, "record: %s: %s", folder, strerror(errno));
    return check_usable(folder, error, error_size);
}

int record_check_folder(const char *folder, char *error, size_t error_size)
{
    struct stat at;
    if (stat(folder, &at) == 0 || errno != ENOENT)
        return check_usable(folder, error, error_size);
    char *parent = strdup(folder); /* where prepare makes it */
    const int usable = parent ? access(dirname(parent), W_OK | X_OK) : -1;
    free(parent);
    return usable == 0
               ? 0
               : reason_set(error, error_size, -errno, "record: %s: %s", folder, strerror(errno));
}
