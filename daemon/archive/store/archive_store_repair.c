/* archive_store_repair.c - compares the segments of a folder with the index, and repairs both. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/archive/store/archive_store.h"
#include "daemon/archive/store/block_code.h"
#include "daemon/base/log.h"
#include "daemon/base/si.h"
#include "daemon/files/file_read.h"
#include "daemon/files/own_file.h"
#include "daemon/system/interrupt.h"

const char *archive_store_name(char *into, size_t size, uint64_t period_ns, const char *time,
                               const char *number)
{
    snprintf(into, size, "spectra_%.10gs_%s%s%s", (double)period_ns / 1e9, time, number,
             ARCHIVE_SUFFIX);
    return into;
}

/* "spectra_1s_20261121T101500Z.fsa" */
uint64_t archive_store_period_of(const char *name)
{
    static const char prefix[] = "spectra_";
    char text[32];
    double seconds;
    const size_t length = name ? strlen(name) : 0;
    if (length == 0 || strchr(name, '/') || strncmp(name, prefix, sizeof prefix - 1) != 0 ||
        length < sizeof ARCHIVE_SUFFIX ||
        strcmp(name + length - (sizeof ARCHIVE_SUFFIX - 1), ARCHIVE_SUFFIX) != 0)
        return 0;
    const char *period = name + sizeof prefix - 1;
    const size_t size = strcspn(period, "_");
    if (size >= sizeof text)
        return 0;
    snprintf(text, sizeof text, "%.*s", (int)size, period);
    return si_parse_unit(text, SI_SECONDS, &seconds) == 0 && seconds > 0 && seconds < 1e9
               ? (uint64_t)llround(seconds * 1e9)
               : 0;
}

/* The part of a segment that the index lacks, in memory: bytes from `start` on. */
struct scan {
    sqlite3 *db;
    int64_t id;
    uint64_t period_ns;
    const uint8_t *data;
    uint64_t start, size; /* of the file */
    uint64_t at, end;     /* of the last sound block */
    uint64_t entered;
};

static bool is_block(const struct scan *s, uint64_t at, struct block_head *head)
{
    return s->size - at >= BLOCK_HEAD && block_read_head(s->data + (at - s->start), head) == 0 &&
           head->size <= s->size - at && head->period_ns == s->period_ns &&
           block_check(s->data + (at - s->start), head) == 0;
}

static const uint8_t magic[4] = {BLOCK_MAGIC & 0xff, BLOCK_MAGIC >> 8 & 0xff,
                                 BLOCK_MAGIC >> 16 & 0xff, BLOCK_MAGIC >> 24};

/* The first bytes of a file without a sound block: what a kill or a loss of power may leave. */
static bool begins_block(const struct scan *s)
{
    static const uint8_t zeros[sizeof magic] = {0};
    const size_t size = s->size < sizeof magic ? (size_t)s->size : sizeof magic;
    return memcmp(s->data, magic, size) == 0 || memcmp(s->data, zeros, size) == 0;
}

/* Where the next block may begin, after bytes that are no block. */
static uint64_t find_next(const struct scan *s, uint64_t from)
{
    if (from >= s->size)
        return s->size;
    const uint8_t *found =
        memmem(s->data + (from - s->start), (size_t)(s->size - from), magic, sizeof magic);
    return found ? s->start + (uint64_t)(found - s->data) : s->size;
}

static int enter_blocks(struct scan *s)
{
    struct block_head head;
    int err = 0;
    while (err == 0 && s->at < s->size) {
        if (interrupt_requested())
            return -EINTR;
        if (!is_block(s, s->at, &head)) {
            s->at = find_next(s, s->at + 1);
            continue;
        }
        err = archive_index_add(s->db, s->id, s->at, &head);
        s->at += head.size;
        s->end = s->at;
        s->entered++;
    }
    return err;
}

/* A segment that lost its end, with the power of the machine: what is left is entered again. */
static int enter_again(struct scan *s, const char *name)
{
    uint64_t bytes;
    int err = archive_index_remove(s->db, s->id);
    if (err == 0)
        err = archive_index_segment(s->db, name, s->period_ns, &s->id, &bytes);
    s->at = s->end = 0;
    return err;
}

/* Into memory, and not mapped: somebody may truncate the file meanwhile. */
static int scan_file(struct scan *s, int fd, const char *name)
{
    size_t done;
    uint8_t *data = malloc((size_t)(s->size - s->at));
    if (!data)
        return -ENOMEM;
    int err = file_read_at(fd, s->at, data, (size_t)(s->size - s->at), &done);
    s->data = data;
    s->start = s->at;
    s->size = s->at + done;
    if (err == 0)
        err = enter_blocks(s);
    const bool foreign = err == 0 && s->end == 0 && !begins_block(s);
    free(data);
    if (foreign) {
        log_warn("archive: %s: it does not begin with a block of this fftd: it is left alone",
                 name);
        return archive_index_remove(s->db, s->id);
    }
    if (err == 0 && s->end < s->size && ftruncate(fd, (off_t)s->end) == 0)
        log_info("archive: %s: cut %llu bytes of a block that was not complete", name,
                 (unsigned long long)(s->size - s->end));
    return err;
}

static int scan_open(struct scan *s, int fd, const char *name)
{
    struct stat file;
    if (fstat(fd, &file) < 0)
        return -errno;
    s->size = (uint64_t)file.st_size;
    if (s->size > SEGMENT_BYTES_MAX) {
        log_warn("archive: %s: no segment is as long as %llu bytes: it is left alone", name,
                 (unsigned long long)s->size);
        return 0;
    }
    int err = archive_index_segment(s->db, name, s->period_ns, &s->id, &s->end);
    s->at = s->end;
    if (err == 0 && s->size < s->end)
        err = enter_again(s, name);
    return err == 0 && s->size > s->at ? scan_file(s, fd, name) : err;
}

/* What is no file of fftd's is left alone: it is no reason to have no archive. */
static int repair_segment(sqlite3 *db, int folder, const char *name, uint64_t *entered)
{
    struct scan s = {.db = db, .period_ns = archive_store_period_of(name)};
    int fd = own_file_open_write(folder, name, 0);
    if (fd == -EMLINK) /* a backup's: it is entered, and nothing is cut off */
        fd = own_file_open(folder, name, 0);
    if (fd == -ENOENT || fd == -ENOMEM || fd == -EMFILE || fd == -ENFILE)
        return fd == -ENOENT ? 0 : fd;
    if (fd < 0) {
        log_warn("archive: %s: %s: it is left alone", name, own_file_describe(fd));
        return 0;
    }
    const int err = scan_open(&s, fd, name);
    *entered += s.entered;
    close(fd);
    return err;
}

int archive_store_open_segment(const char *folder, const char *name)
{
    char *path = NULL;
    if (archive_store_period_of(name) == 0)
        return -ENOENT;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return -ENOMEM;
    const int fd = own_file_open(AT_FDCWD, path, 0);
    free(path);
    return fd;
}

static int is_segment(const struct dirent *entry)
{
    return archive_store_period_of(entry->d_name) > 0;
}

/* In the order of their names, so that a new index has the segments of a tier in that of time. */
static int repair_segments(sqlite3 *db, int folder, uint64_t *entered)
{
    struct dirent **segments = NULL;
    int err = 0;
    const int count = scandirat(folder, ".", &segments, is_segment, alphasort);
    if (count < 0)
        return -errno;
    for (int i = 0; i < count; i++) {
        if (err == 0)
            err = interrupt_requested() ? -EINTR : 0;
        if (err == 0)
            err = repair_segment(db, folder, segments[i]->d_name, entered);
        free(segments[i]);
    }
    free(segments);
    return err;
}

/* Segments that were deleted by hand, or between two steps of ours. */
static int forget_missing(sqlite3 *db, int folder)
{
    sqlite3_stmt *query;
    int err = 0;
    if (sqlite3_prepare_v2(db, "SELECT id, name FROM segment", -1, &query, NULL) != SQLITE_OK)
        return -EIO;
    while (err == 0 && sqlite3_step(query) == SQLITE_ROW) {
        const int64_t id = sqlite3_column_int64(query, 0);
        const char *name = (const char *)sqlite3_column_text(query, 1);
        if (archive_store_period_of(name) == 0 ||
            (faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT))
            err = archive_index_remove(db, id);
    }
    sqlite3_finalize(query);
    return err;
}

int archive_store_repair(sqlite3 *db, const char *folder, uint64_t *entered)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *entered = 0;
    if (fd < 0)
        return -errno;
    int err = archive_index_run(db, "BEGIN IMMEDIATE");
    if (err == 0) {
        err = forget_missing(db, fd);
        if (err == 0)
            err = repair_segments(db, fd, entered);
        const int end = archive_index_run(db, err == 0 ? "COMMIT" : "ROLLBACK");
        err = err < 0 ? err : end;
    }
    close(fd);
    return err;
}
