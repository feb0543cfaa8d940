/* row_file.c - writes whole rows, and tries again after a full disk or a reader that left. */
#include "daemon/output/row_file.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/out_file.h"

enum { PIPE_CHUNK = 4096, FILE_CHUNK = 1 << 20 };
/* Between tries. The reader of a FIFO waits in open() until the next one. */
enum { FIRST_DELAY_MS = 100, LAST_DELAY_MS = 5000, LAST_FIFO_DELAY_MS = 400 };

/* ---- opening ---------------------------------------------------------------------------- */

static int open_path(struct row_file *f)
{
    struct stat st;
    const int fd = out_file_open(f->path);
    if (fd == -ENXIO) {
        f->fifo = true;
        return 0;
    }
    if (fd < 0)
        return fd;
    f->fd = fd;
    const bool known = fstat(fd, &st) == 0;
    f->regular = known && S_ISREG(st.st_mode);
    f->fifo = known && S_ISFIFO(st.st_mode) && strcmp(f->path, "-") != 0;
    f->chunk = f->regular ? FILE_CHUNK : PIPE_CHUNK;
    return 0;
}

int row_file_open(struct row_file *f, const char *path, bool retries)
{
    *f = (struct row_file){.path = path, .fd = -1, .retries = retries};
    return open_path(f);
}

int row_file_truncate(struct row_file *f)
{
    if (!f->regular || strcmp(f->path, "-") == 0) /* the shell opened standard output */
        return 0;
    return ftruncate(f->fd, 0) < 0 ? -errno : 0;
}

/* ---- trouble ---------------------------------------------------------------------------- */

/* Trouble that ends without us: somebody makes room, or opens the FIFO. */
static bool may_pass(const struct row_file *f, int err)
{
    static const int passing[] = {-ENOSPC, -EDQUOT, -EFBIG, -EIO, -ENOMEM, -ENOBUFS};
    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++)
        if (err == passing[i])
            return true;
    return err == -EPIPE && f->fifo;
}

/* Removes the part of the row that was written, if it is the end of the file. */
static bool cut_back(struct row_file *f)
{
    struct stat st;
    return fstat(f->fd, &st) == 0 && st.st_size == f->start + (off_t)f->written &&
           ftruncate(f->fd, f->start) == 0 && lseek(f->fd, f->start, SEEK_SET) == f->start;
}

/* The next try starts with the row, unless the file keeps the part that was written. */
static void take_back(struct row_file *f)
{
    if (f->written > 0 && (f->fifo || (f->regular && cut_back(f))))
        f->written = 0;
}

static void wait_for_retry(struct row_file *f, int err)
{
    const int delay_ms = f->delay_ms ? f->delay_ms : FIRST_DELAY_MS;
    const int last_ms = f->fifo ? LAST_FIFO_DELAY_MS : LAST_DELAY_MS;
    f->error = err;
    f->retry_ns = clock_after_ms(delay_ms);
    f->delay_ms = 2 * delay_ms < last_ms ? 2 * delay_ms : last_ms;
}

static int handle_failure(struct row_file *f, int err)
{
    take_back(f);
    if (!f->retries || !may_pass(f, err))
        return err;
    if (f->fifo && f->fd >= 0) {
        close(f->fd);
        f->fd = -1;
    }
    wait_for_retry(f, err);
    return 0;
}

/* ---- writing ---------------------------------------------------------------------------- */

struct text *row_file_next(struct row_file *f)
{
    text_clear(&f->row);
    f->written = 0;
    return &f->row;
}

bool row_file_busy(const struct row_file *f)
{
    return f->written < f->row.length;
}

/* One write. 1: more may follow; 0: no room now, also after a signal; -errno. */
static int write_some(struct row_file *f, int timeout_ms)
{
    struct pollfd ready = {.fd = f->fd, .events = POLLOUT};
    if (poll(&ready, 1, timeout_ms) <= 0)
        return 0; /* without room a write could block forever */
    if (ready.revents & (POLLERR | POLLNVAL))
        return -EPIPE;
    if (f->regular && f->written == 0)
        f->start = lseek(f->fd, 0, SEEK_CUR);
    const size_t left = f->row.length - f->written;
    const ssize_t sent = write(f->fd, f->row.data + f->written, left < f->chunk ? left : f->chunk);
    if (sent < 0)
        return errno == EINTR || errno == EAGAIN ? 1 : -errno;
    f->written += (size_t)sent;
    return 1;
}

/* Opens the FIFO if it has a reader now, else waits. */
static int open_again(struct row_file *f, int timeout_ms)
{
    const int err = open_path(f);
    if (err == 0 && f->fd < 0 && f->error == 0)
        uv_sleep((unsigned)timeout_ms);
    return err;
}

/* Writes until the row is complete or there is no room. */
static int write_row(struct row_file *f, int timeout_ms)
{
    int more = 1;
    if (f->fd < 0) {
        const int err = open_again(f, timeout_ms);
        if (err < 0 || f->fd < 0)
            return err;
    }
    while (more > 0 && row_file_busy(f))
        more = write_some(f, timeout_ms);
    return more < 0 ? more : 0;
}

int row_file_write(struct row_file *f, int timeout_ms)
{
    if (f->error < 0 && clock_now_ns() < f->retry_ns)
        return 0;
    const int err = write_row(f, timeout_ms);
    if (err < 0)
        return handle_failure(f, err);
    if (f->error < 0 && f->fd < 0)
        wait_for_retry(f, f->error);
    else if (f->error < 0 && !row_file_busy(f))
        f->error = f->delay_ms = 0;
    return 0;
}

int row_file_write_last(struct row_file *f, int timeout_ms)
{
    f->retry_ns = 0;
    const int err = row_file_write(f, timeout_ms);
    return err < 0 ? err : f->error;
}

void row_file_log(const struct row_file *f, uint64_t dropped)
{
    if (f->error == -EPIPE)
        log_warn("%s: its reader left: rows are dropped until it has another", f->path);
    else if (f->error < 0)
        log_warn("%s: %s: rows are dropped until it can be written again", f->path,
                 strerror(-f->error));
    else
        log_info("%s: it is written again after %llu dropped rows", f->path,
                 (unsigned long long)dropped);
}

void row_file_close(struct row_file *f)
{
    if (f->fd >= 0 && row_file_busy(f))
        take_back(f);
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
    text_finish(&f->row);
}
