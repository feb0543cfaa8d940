/* text_file.c - reads a small file of text, and replaces one as a whole. */
#include "daemon/files/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/files/own_file.h"

/* ---- reading ---------------------------------------------------------------------------- */

static int read_all(int fd, struct text *out, size_t most)
{
    char block[4096];
    ssize_t got;
    while ((got = read(fd, block, sizeof block)) > 0 && out->length <= most)
        text_add_bytes(out, block, (size_t)got);
    if (got < 0)
        return -errno;
    return out->failed ? -ENOMEM : out->length > most ? -EFBIG : 0;
}

/* Takes over the file. */
static int read_open(int fd, struct text *out, size_t most)
{
    const int err = fd < 0 ? fd : read_all(fd, out, most);
    if (fd >= 0)
        close(fd);
    return err;
}

/* A FIFO could block, a device could be endless. */
static int open_named(const char *path)
{
    struct stat st = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const int err = fd < 0 || fstat(fd, &st) < 0 ? -errno : own_file_kind(&st);
    if (err < 0 && fd >= 0)
        close(fd);
    return err < 0 ? err : fd;
}

int text_file_read(struct text *out, const char *path, size_t most, struct reason *why)
{
    const int err = read_open(open_named(path), out, most);
    const char *what = err == -ELOOP ? strerror(ELOOP) : own_file_describe(err);
    return err < 0 ? reason_set(why, err, "%s: %s", path, what) : 0;
}

int text_file_read_own(struct text *out, const char *path, size_t most, struct reason *why)
{
    const int err = read_open(own_file_open(AT_FDCWD, path, most), out, most);
    return err < 0 ? reason_set(why, err, "%s: %s", path, own_file_describe(err)) : 0;
}

/* ---- writing ---------------------------------------------------------------------------- */

static int write_all(int fd, const struct text *text)
{
    for (size_t at = 0; at < text->length;) {
        const ssize_t put = write(fd, text->data + at, text->length - at);
        if (put < 0 && errno != EINTR)
            return -errno;
        at += put > 0 ? (size_t)put : 0;
    }
    return fsync(fd) < 0 ? -errno : 0;
}

/*
 * Creates a file beside `path`. Not mkstemp, whose files have other rights than the umask leaves:
 * to ask for the umask changes it for all threads.
 */
static int create_draft(const char *path, mode_t mode, char draft[PATH_MAX])
{
    static atomic_uint count;
    int fd;
    do {
        const unsigned number = atomic_fetch_add(&count, 1);
        if (snprintf(draft, PATH_MAX, "%s.%ld-%u", path, (long)getpid(), number) >= PATH_MAX)
            return -ENAMETOOLONG;
        fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    } while (fd < 0 && errno == EEXIST);
    return fd < 0 ? -errno : fd;
}

/* Gives the file the rights of the old one, if there is one, before it has contents. */
static int fill_draft(int fd, const struct stat *old, const struct text *text)
{
    if (old && fchmod(fd, old->st_mode & 0777) < 0)
        return -errno;
    return write_all(fd, text);
}

/* Writes a file beside the old one, which then takes its name. `old`: NULL, there is none. */
static int replace_file(const char *path, const struct stat *old, const struct text *text)
{
    char draft[PATH_MAX];
    const int fd = create_draft(path, old ? 0600 : 0666, draft);
    if (fd < 0)
        return fd;
    int err = fill_draft(fd, old, text);
    if (close(fd) < 0 && err == 0)
        err = -errno;
    if (err == 0 && rename(draft, path) < 0)
        err = -errno;
    if (err < 0)
        unlink(draft);
    return err;
}

/* What may be replaced: `st`, or nothing. A device or a FIFO is no file of text, whoever named it.
 */
static int replace_regular(const char *path, const struct stat *st, const struct text *text,
                           struct reason *why)
{
    int err = st ? own_file_kind(st) : 0;
    if (err < 0)
        return reason_set(why, err, "%s: %s", path, own_file_describe(err));
    err = replace_file(path, st, text);
    return err < 0 ? reason_set(why, err, "%s: %s", path, strerror(-err)) : 0;
}

int text_file_replace(const char *path, const struct text *text, struct reason *why)
{
    char real[PATH_MAX];
    struct stat old;
    if (!realpath(path, real)) {
        if (errno != ENOENT)
            return reason_set(why, -errno, "%s: %s", path, strerror(errno));
        snprintf(real, sizeof real, "%s", path);
    }
    const bool exists = stat(real, &old) == 0;
    return replace_regular(real, exists ? &old : NULL, text, why);
}

int text_file_replace_own(const char *path, const struct text *text, struct reason *why)
{
    struct stat old;
    const bool exists = lstat(path, &old) == 0 && !S_ISLNK(old.st_mode);
    return replace_regular(path, exists ? &old : NULL, text, why);
}
