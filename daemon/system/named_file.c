/* named_file.c - reads files, and pipes without being stuck in open() or read(). */
#include "daemon/system/named_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/files/own_file.h"
#include "daemon/system/interrupt.h"

enum { FIRST_WRITER_MS = 5000, POLL_MS = 100 };

static bool is_null_device(const struct stat *st)
{
    return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
}

/* A pipe without a name, as of the shell's <(command), has its writer from the beginning. */
static bool may_get_writer(int fd)
{
    struct statfs fs;
    return fstatfs(fd, &fs) == 0 && fs.f_type != PIPEFS_MAGIC;
}

/*
 * One piece. -EAGAIN: nothing yet; 0: the end. Linux reports POLLHUP only for a writer that came
 * after the open; a FIFO that had none yet reads as ended.
 */
static ssize_t read_piece(int fd, void *into, size_t capacity, bool ends)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    poll(&ready, 1, POLL_MS);
    if (interrupt_requested())
        return -EINTR;
    const ssize_t got = read(fd, into, capacity);
    if (got < 0)
        return errno == EINTR ? -EAGAIN : -errno;
    return got > 0 || ready.revents || ends ? got : -ENODATA;
}

static int read_pipe(int fd, void *into, size_t capacity, size_t *done)
{
    const bool named = may_get_writer(fd);
    const uint64_t until = clock_after_ms(FIRST_WRITER_MS);
    while (*done < capacity) {
        const ssize_t got =
            read_piece(fd, (char *)into + *done, capacity - *done, !named || *done > 0);
        if (got == 0)
            return 0;
        if (got == -ENODATA && clock_now_ns() >= until)
            return -ETIMEDOUT;
        if (got < 0 && got != -EAGAIN && got != -ENODATA)
            return (int)got;
        *done += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

static int read_file(int fd, void *into, size_t capacity, size_t *done)
{
    ssize_t got = 1;
    while (*done < capacity && got != 0) {
        got = read(fd, (char *)into + *done, capacity - *done);
        if (got < 0 && errno != EINTR)
            return -errno;
        *done += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

static int read_open(int fd, void *into, size_t capacity, size_t *done)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return -errno;
    if (S_ISFIFO(st.st_mode))
        return read_pipe(fd, into, capacity, done);
    const int err = is_null_device(&st) ? 0 : own_file_kind(&st);
    return err < 0 ? err : read_file(fd, into, capacity, done);
}

int named_file_read(const char *path, void *into, size_t capacity, size_t *done)
{
    *done = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return errno == ENXIO ? -ENODEV : -errno; /* a socket */
    const int err = read_open(fd, into, capacity, done);
    close(fd);
    return err;
}

const char *named_file_describe(int err)
{
    return err == -ETIMEDOUT ? "nobody writes to this FIFO"
           : err == -ENODEV  ? "not a regular file"
                             : strerror(-err);
}

bool named_file_is_pipe(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}
