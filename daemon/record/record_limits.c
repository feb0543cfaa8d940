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

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/age_clock.h"
#include "daemon/files/own_file.h"

static const int64_t second_ns = 1000000000;

/* "FOLDER/NAMEsuffix"; NULL: no memory. */
static char *path_of(const char *folder, const char *name, const char *suffix)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s%s", folder, name, suffix) < 0 ? NULL : path;
}

/* Of a regular file; of what else has the name, -ENOENT. */
static int stat_part(const char *folder, const char *name, const char *suffix, struct stat *out)
{
    char *path = path_of(folder, name, suffix);
    if (!path)
        return -ENOMEM;
    const int err = lstat(path, out) < 0 ? -errno : S_ISREG(out->st_mode) ? 0 : -ENOENT;
    free(path);
    return err;
}

static void add_bytes(struct record_file *f, const struct stat *st)
{
    const uint64_t size = (uint64_t)st->st_size, used = (uint64_t)st->st_blocks * 512;
    f->bytes += size;
    f->disk_bytes += used < size ? used : size;
    f->end_s = st->st_mtime;
}

/* False: the samples are no regular file. */
static bool describe(const char *folder, struct record_file *f)
{
    struct stat data, meta, journal;
    if (stat_part(folder, f->name, RECORD_DATA, &data) < 0)
        return false;
    add_bytes(f, &data);
    f->complete = stat_part(folder, f->name, RECORD_META, &meta) == 0;
    if (!f->complete && stat_part(folder, f->name, RECORD_PART, &journal) < 0) {
        f->complete = stat_part(folder, f->name, RECORD_META, &meta) == 0; /* it ends just now */
        f->orphan = !f->complete;
    }
    if (f->complete)
        add_bytes(f, &meta);
    return true;
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
            *count -= !describe(folder, f);
        } else if (length > 0) {
            err = -ENOMEM;
        }
    }
    closedir(dir);
    if (*count > 0)
        qsort(*out, *count, sizeof **out, by_age);
    return err;
}

/* ---- deleting --------------------------------------------------------------------------- */

static int rename_part(const char *folder, const char *name, const char *from, const char *to)
{
    char *old = path_of(folder, name, from), *new = path_of(folder, name, to);
    const int err = !old || !new ? -ENOMEM : rename(old, new) < 0 ? -errno : 0;
    free(old);
    free(new);
    return err;
}

static int unlink_part(const char *folder, const char *name, const char *suffix)
{
    char *path = path_of(folder, name, suffix);
    const int err = !path ? -ENOMEM : unlink(path) < 0 && errno != ENOENT ? -errno : 0;
    free(path);
    return err;
}

/* The samples of a recording whose metadata is a RECORD_GONE. */
static int delete_rest(const char *folder, const char *name)
{
    const int err = unlink_part(folder, name, RECORD_DATA);
    return err < 0 ? err : unlink_part(folder, name, RECORD_GONE);
}

int record_delete(const char *folder, const char *name)
{
    const int err = rename_part(folder, name, RECORD_META, RECORD_GONE);
    return err < 0 ? err : delete_rest(folder, name);
}

static void finish_deletion(const char *folder, const char *file, size_t length)
{
    char name[RECORD_NAME];
    struct stat st;
    snprintf(name, sizeof name, "%.*s", (int)length, file);
    if (stat_part(folder, name, RECORD_META, &st) == 0 ||
        stat_part(folder, name, RECORD_PART, &st) == 0) {
        log_warn("record: %s/%s: the recording is there again: nothing is deleted", folder, file);
        return;
    }
    const int err = delete_rest(folder, name);
    if (err < 0)
        log_warn("record: %s/%s: its deletion fails: %s", folder, name, strerror(-err));
    else
        log_info("recording %s deleted: its deletion was interrupted", name);
}

void record_finish_deletions(const char *folder)
{
    const struct dirent *entry;
    DIR *dir = opendir(folder);
    while (dir && (entry = readdir(dir))) {
        const size_t length = record_name_length(entry->d_name, RECORD_GONE);
        if (length > 0)
            finish_deletion(folder, entry->d_name, length);
    }
    if (dir)
        closedir(dir);
}

/* ---- reading ---------------------------------------------------------------------------- */

/* Returns a file descriptor. */
static int open_regular(const char *folder, const char *file, uint64_t *bytes)
{
    struct stat at;
    char *path = path_of(folder, file, "");
    const int fd = path ? own_file_open(AT_FDCWD, path, 0) : -ENOMEM;
    free(path);
    if (fd < 0)
        return fd == -ELOOP || fd == -EISDIR || fd == -ENODEV ? -ENOENT : fd;
    *bytes = fstat(fd, &at) == 0 ? (uint64_t)at.st_size : 0;
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

static void warn_of_orphans(const char *folder, const struct record_file *list, size_t count)
{
    size_t orphans = 0, first = 0;
    uint64_t bytes = 0;
    for (size_t i = count; i-- > 0;) {
        orphans += list[i].orphan;
        bytes += list[i].orphan ? list[i].disk_bytes : 0;
        first = list[i].orphan ? i : first;
    }
    if (orphans > 0)
        log_limited(LOG_PRIORITY_WARN,
                    "record: %s: %zu files of samples have neither metadata nor a journal: the "
                    "limits leave their %llu bytes alone; the oldest is %s%s",
                    folder, orphans, (unsigned long long)bytes, list[first].name, RECORD_DATA);
}

uint64_t record_apply_limits(const struct record_options *o, int64_t now_ns)
{
    struct record_file *list;
    size_t count;
    uint64_t bytes = 0;
    record_list_files(o->folder, &list, &count);
    correct_times(o->folder, list, count, now_ns);
    for (size_t i = 0; i < count; i++)
        bytes += list[i].orphan ? 0 : list[i].disk_bytes;
    warn_of_orphans(o->folder, list, count);
    for (size_t i = 0; i < count; i++) {
        const bool old =
            o->max_age_s > 0 && (double)now_ns * 1e-9 - (double)list[i].end_s > o->max_age_s;
        const bool many = o->max_bytes > 0 && bytes > o->max_bytes;
        if (!list[i].complete || (!old && !many) || record_delete(o->folder, list[i].name) < 0)
            continue;
        bytes -= list[i].disk_bytes;
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

static int check_usable(const char *folder, struct reason *why)
{
    struct stat at;
    if (stat(folder, &at) == 0 && !S_ISDIR(at.st_mode))
        return reason_set(why, -ENOTDIR, "record: %s is not a directory", folder);
    if (access(folder, R_OK | W_OK | X_OK) < 0)
        return reason_set(why, -errno, "record: %s: %s", folder, strerror(errno));
    return 0;
}

int record_prepare_folder(const char *folder, struct reason *why)
{
    struct stat at;
    if (stat(folder, &at) < 0 && (errno != ENOENT || mkdir(folder, 0755) < 0))
        return reason_set(why, -errno, "record: %s: %s", folder, strerror(errno));
    return check_usable(folder, why);
}

int record_check_folder(const char *folder, struct reason *why)
{
    struct stat at;
    if (stat(folder, &at) == 0 || errno != ENOENT)
        return check_usable(folder, why);
    char *parent = strdup(folder); /* where prepare makes it */
    const int usable = parent ? access(dirname(parent), W_OK | X_OK) : -1;
    free(parent);
    return usable == 0 ? 0 : reason_set(why, -errno, "record: %s: %s", folder, strerror(errno));
}
