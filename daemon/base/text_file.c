/* text_file.c - reads a small file of text, and replaces one as a whole. */
#include "daemon/base/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/reason.h"

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

/* A FIFO could block, a device could be endless. */
int text_file_read(struct text *out, const char *path, size_t most, char *error, size_t error_size)
{
    struct stat st = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int err = fd < 0 || fstat(fd, &st) < 0 ? -errno : 0;
    const char *why = NULL;
    if (err == 0 && !S_ISREG(st.st_mode)) {
        err = -EINVAL;
        why = "not a regular file";
    }
    if (err == 0)
        err = read_all(fd, out, most);
    if (fd >= 0)
        close(fd);
    return err < 0 ? reason_set(error, error_size, err, "%s: %s", path, why ? why : strerror(-err))
                   : 0;
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

/* The rights of the old file, or what the umask leaves. */
static mode_t mode_of(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0)
        return st.st_mode & 0777;
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Writes a file beside the old one, which then takes its name. A symbolic link stays. */
static int replace_file(const char *path, const struct text *text)
{
    char real[PATH_MAX], temporary[PATH_MAX];
    if (!realpath(path, real)) {
        if (errno != ENOENT)
            return -errno;
        snprintf(real, sizeof real, "%s", path);
    }
    if ((size_t)snprintf(temporary, sizeof temporary, "%s.XXXXXX", real) >= sizeof temporary)
        return -ENAMETOOLONG;
    const int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return -errno;
    int err = fchmod(fd, mode_of(real)) < 0 ? -errno : write_all(fd, text);
    if (close(fd) < 0 && err == 0)
        err = -errno;
    if (err == 0 && rename(temporary, real) < 0)
        err = -errno;
    if (err < 0)
        unlink(temporary);
    return err;
}

int text_file_replace(const char *path, const struct text *text, char *error, size_t error_size)
{
    const int err = replace_file(path, text);
    return err < 0 ? reason_set(error, error_size, err, "%s: %s", path, strerror(-err)) : 0;
}
