/* row_file.c - writes whole rows, and tries again after a full disk or a reader that left. */
#include "daemon/output/row_file.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"

enum { PIPE_CHUNK = 4096, FILE_CHUNK = 1 << 20 };
/* Between tries. The reader of a FIFO waits in open() until the next one. */
enum { FIRST_DELAY_MS = 100, LAST_DELAY_MS = 5000, LAST_FIFO_DELAY_MS = 400 };

/* ---- opening ---------------------------------------------------------------------------- */

/* A pipe that is opened again has had its head. */
static void describe(struct row_file *f)
{
    f->chunk = f->file.regular ? FILE_CHUNK : PIPE_CHUNK;
}

int row_file_open(struct row_file *f, const struct out_file_config *config, bool retries,
                  struct reason *why)
{
    *f = (struct row_file){.retries = retries};
    const int err = out_file_open(&f->file, config, why);
    describe(f);
    return err;
}

int row_file_begin(struct row_file *f, struct reason *why)
{
    const int err = out_file_begin(&f->file, why);
    row_file_next(f);
    f->written = 0; /* of the head */
    return err;
}

/* ---- faults ----------------------------------------------------------------------------- */

/* Faults that end without us: somebody frees space, or opens the FIFO. */
static bool may_pass(const struct row_file *f, int err)
{
    static const int passing[] = {-ENOSPC, -EDQUOT, -EFBIG, -EIO, -ENOMEM, -ENOBUFS};
    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++)
        if (err == passing[i])
            return true;
    return err == -EPIPE && f->file.fifo;
}

static size_t part(const struct row_file *f)
{
    return f->written - f->from;
}

/* Somebody cut off what was written of the row. */
static bool is_shortened(const struct row_file *f)
{
    return f->file.own && out_file_size(&f->file) < (uint64_t)f->start + part(f);
}

/* Removes the part of the row that was written, if it is the end of the file. */
static bool cut_back(struct row_file *f)
{
    const int fd = f->file.fd;
    return out_file_size(&f->file) == (uint64_t)f->start + part(f) &&
           ftruncate(fd, f->start) == 0 &&
           (f->file.appends || lseek(fd, f->start, SEEK_SET) == f->start);
}

/*
 * Somebody cut the file just before this write, the end of which is the end of the file now. A row
 * without its beginning is taken out again.
 */
static bool cut_orphan(struct row_file *f, size_t sent)
{
    const uint64_t size = out_file_size(&f->file);
    if (!f->file.own || size >= (uint64_t)f->start + part(f) || size < sent)
        return false;
    return ftruncate(f->file.fd, (off_t)(size - sent)) == 0;
}

static void restart_row(struct row_file *f)
{
    f->written = f->from;
    f->begun = false;
    f->file.end = (uint64_t)f->start;
}

/* The next try starts with the row, unless the file keeps the part that was written. */
static void take_back(struct row_file *f)
{
    const bool none = !f->begun || part(f) == 0;
    if (none || f->file.fifo || is_shortened(f) || (f->file.regular && cut_back(f)))
        restart_row(f);
}

static void wait_for_retry(struct row_file *f, int err)
{
    const int delay_ms = f->delay_ms ? f->delay_ms : FIRST_DELAY_MS;
    const int last_ms = f->file.fifo ? LAST_FIFO_DELAY_MS : LAST_DELAY_MS;
    f->error = err;
    f->retry_ns = clock_after_ms(delay_ms);
    f->delay_ms = 2 * delay_ms < last_ms ? 2 * delay_ms : last_ms;
}

/* Without an open file, `why` says what has its name. */
static int handle_failure(struct row_file *f, int err)
{
    const bool no_file = f->file.fd < 0;
    if (!no_file) {
        take_back(f);
        f->why.sentence[0] = '\0';
    }
    if (!f->retries || !(no_file || may_pass(f, err)))
        return err;
    if (f->file.fifo)
        out_file_close(&f->file);
    wait_for_retry(f, err);
    return 0;
}

/* ---- writing ---------------------------------------------------------------------------- */

struct text *row_file_next(struct row_file *f)
{
    const char *head = f->file.config.form ? f->file.config.form->head : NULL;
    text_clear(&f->row);
    if (head)
        text_add(&f->row, "%s\n", head);
    f->head = f->from = f->written = f->row.length;
    f->begun = false;
    return &f->row;
}

bool row_file_busy(const struct row_file *f)
{
    return f->written < f->row.length;
}

static bool needs_head(const struct row_file *f)
{
    return f->file.own ? f->file.end == 0 : !f->has_head;
}

/* The place of the row: after what the file has now. The file may be another one afterwards. */
static int begin_row(struct row_file *f)
{
    const int fd = f->file.fd;
    const int err = out_file_prepare(&f->file, f->row.length - f->head, &f->why);
    if (err < 0 || f->file.fd < 0)
        return err;
    if (f->file.fd != fd)
        describe(f);
    if (f->file.own)
        f->file.end = out_file_size(&f->file);
    f->start = f->file.own ? (off_t)f->file.end : lseek(f->file.fd, 0, SEEK_CUR);
    f->from = f->written = needs_head(f) ? 0 : f->head;
    f->begun = true;
    return 0;
}

/* One write. 1: more may follow; 0: no room now, also after a signal; -errno. */
static int write_some(struct row_file *f, int timeout_ms)
{
    struct pollfd ready = {.fd = f->file.fd, .events = POLLOUT};
    if (poll(&ready, 1, timeout_ms) <= 0)
        return 0; /* without room a write could block forever */
    if (ready.revents & (POLLERR | POLLNVAL))
        return -EPIPE;
    if (f->begun && is_shortened(f))
        restart_row(f);
    if (!f->begun) {
        const int err = begin_row(f);
        return err < 0 ? err : f->file.fd >= 0;
    }
    const size_t left = f->row.length - f->written;
    const ssize_t sent =
        write(f->file.fd, f->row.data + f->written, left < f->chunk ? left : f->chunk);
    if (sent < 0)
        return errno == EINTR || errno == EAGAIN ? 1 : -errno;
    f->written += (size_t)sent;
    if (cut_orphan(f, (size_t)sent)) {
        restart_row(f);
        return 1;
    }
    f->file.end = (uint64_t)f->start + part(f);
    f->has_head = f->has_head || !row_file_busy(f);
    return 1;
}

/* Opens what has the name, or the FIFO if it has a reader now, else waits. */
static int open_again(struct row_file *f, int timeout_ms)
{
    const int err = out_file_reopen(&f->file, &f->why);
    describe(f);
    if (err == 0 && f->file.fd < 0 && f->error == 0)
        uv_sleep((unsigned)timeout_ms);
    return err;
}

/* Writes until the row is complete or there is no room. */
static int write_row(struct row_file *f, int timeout_ms)
{
    int more = 1;
    if (f->file.fd < 0) {
        const int err = open_again(f, timeout_ms);
        if (err < 0 || f->file.fd < 0)
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
    if (f->error < 0 && f->file.fd < 0)
        wait_for_retry(f, f->error);
    else if (f->error < 0 && !row_file_busy(f))
        f->error = f->delay_ms = 0;
    return 0;
}

int row_file_reopen(struct row_file *f)
{
    if (f->begun && row_file_busy(f))
        return -EAGAIN;
    const int err = out_file_reopen(&f->file, &f->why);
    describe(f);
    if (err == 0)
        f->retry_ns = 0;
    return err < 0 ? handle_failure(f, err) : 0;
}

int row_file_write_last(struct row_file *f)
{
    f->retry_ns = 0;
    const int err = row_file_write(f, OUTPUT_WAIT_MS);
    return err < 0 ? err : f->error;
}

void row_file_log(const struct row_file *f, uint64_t dropped)
{
    const char *path = f->file.config.path;
    if (f->error == -EPIPE)
        log_warn("%s: its reader left: rows are dropped until it has another", path);
    else if (f->error < 0 && f->why.sentence[0])
        log_warn("%s; rows are dropped until then", f->why.sentence);
    else if (f->error < 0)
        log_warn("%s: %s: rows are dropped until it can be written again", path,
                 strerror(-f->error));
    else
        log_info("%s: it is written again after %llu dropped rows", path,
                 (unsigned long long)dropped);
}

void row_file_close(struct row_file *f)
{
    if (f->file.fd >= 0 && f->begun && row_file_busy(f))
        take_back(f);
    out_file_close(&f->file);
    text_finish(&f->row);
}
