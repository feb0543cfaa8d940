/* own_file.c - opens regular files without following links or waiting. */
#include "daemon/files/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/log.h"

enum { SAFELY = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, NUMBERS = 1000 };

/* What open() says of sockets. */
static int translate(int err)
{
    return err == ENXIO ? -ENODEV : -err;
}

int own_file_kind(const struct stat *st)
{
    return S_ISREG(st->st_mode)   ? 0
           : S_ISDIR(st->st_mode) ? -EISDIR
           : S_ISLNK(st->st_mode) ? -ELOOP
                                  : -ENODEV;
}

/* O_NONBLOCK has done its work: regular files know nothing of it. */
static int check(int fd, uint64_t most, nlink_t links)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return -errno;
    const int err = own_file_kind(&st);
    if (err < 0)
        return err;
    if (links > 0 && st.st_nlink > links)
        return -EMLINK;
    return most > 0 && (uint64_t)st.st_size > most ? -EFBIG : 0;
}

static int checked(int fd, uint64_t most, nlink_t links)
{
    if (fd < 0)
        return translate(errno);
    const int err = check(fd, most, links);
    if (err < 0)
        close(fd);
    return err < 0 ? err : fd;
}

int own_file_open(int folder, const char *path, uint64_t most)
{
    return checked(openat(folder, path, O_RDONLY | SAFELY), most, 0);
}

int own_file_open_write(int folder, const char *path, int flags)
{
    return checked(openat(folder, path, O_RDWR | SAFELY | flags, 0644), 0, 1);
}

int own_file_create(const char *path)
{
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | SAFELY, 0644);
    return fd < 0 ? -errno : fd;
}

int own_file_check(const char *path)
{
    struct stat st;
    if (lstat(path, &st) < 0)
        return errno == ENOENT ? 0 : -errno;
    const int err = own_file_kind(&st);
    return err == 0 && st.st_nlink > 1 ? -EMLINK : err;
}

const char *own_file_describe(int err)
{
    switch (err) {
    case -ELOOP:
        return "a symbolic link, and fftd follows none here; link the folder instead";
    case -ENODEV:
        return "not a regular file";
    case -EMLINK:
        return "it has a second name (a hard link), and fftd would change that file too";
    case -EFBIG:
        return strerror(EFBIG);
    default:
        return strerror(-err);
    }
}

/* -EEXIST: something has the new name. */
static int rename_new(const char *from, const char *to)
{
    struct stat st;
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL)
        return -errno;
    if (lstat(to, &st) == 0) /* the file system does not know the flag */
        return -EEXIST;
    return rename(from, to) < 0 ? -errno : 0;
}

int own_file_move_aside(const char *path, const char *why, unsigned *number)
{
    const unsigned first = number && *number > 0 ? *number : 1;
    const unsigned last = number && *number > 0 ? *number : NUMBERS;
    int err = -EEXIST;
    for (unsigned n = first; err == -EEXIST && n <= last; n++) {
        char aside[PATH_MAX];
        if (snprintf(aside, sizeof aside, "%s.damaged-%u", path, n) >= (int)sizeof aside)
            return -ENAMETOOLONG;
        err = rename_new(path, aside);
        if (err == 0)
            log_warn("%s: %s: it is renamed to %s", path, why, aside);
        if (err == 0 && number)
            *number = n;
    }
    return err;
}
