/* archive_store.c - appends blocks to segments, and deletes segments. */
#include "daemon/archive/store/archive_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"
#include "daemon/database/database.h"
#include "daemon/files/own_file.h"

enum { SEGMENTS_OF_AGE = 16, NAMES = 10000 };

/* The segment that is written of a tier. */
struct segment {
    int fd; /* 0: none */
    int64_t id;
    uint64_t bytes;
    int64_t start_ns, last_ns; /* starts of the first and of the newest block */
    bool unindexed; /* blocks wait to be entered, because the index could not be written */
};

struct archive_store {
    char *folder;
    int lock; /* the folder itself */
    sqlite3 *db;
    bool continues;                    /* archive_store_continue */
    uint64_t period_ns[ARCHIVE_TIERS]; /* of `segment`; 0: free */
    struct segment segment[ARCHIVE_TIERS];
};

sqlite3 *archive_store_database(struct archive_store *s)
{
    return s->db;
}

const char *archive_store_folder(const struct archive_store *s)
{
    return s->folder;
}

/* ---- open ------------------------------------------------------------------------------- */

static int lock_folder(struct archive_store *s, struct reason *why)
{
    if (mkdir(s->folder, 0777) < 0 && errno != EEXIST)
        return reason_set(why, -errno, "%s: %s", s->folder, strerror(errno));
    s->lock = open(s->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->lock < 0)
        return reason_set(why, -errno, "%s: %s", s->folder, strerror(errno));
    if (flock(s->lock, LOCK_EX | LOCK_NB) < 0)
        return reason_set(why, -EBUSY, "%s: another fftd writes its archive there", s->folder);
    return 0;
}

static int repair(struct archive_store *s, struct reason *why)
{
    uint64_t entered;
    const int err = archive_store_repair(s->db, s->folder, &entered);
    if (err < 0)
        return reason_set(why, err, "%s: %s", s->folder,
                          err == -EINTR ? "the repair was interrupted" : strerror(-err));
    if (entered > 0)
        log_info("archive: %s: the index lacked %llu blocks", s->folder,
                 (unsigned long long)entered);
    return 0;
}

static int open_index(struct archive_store *s, bool again, struct reason *why)
{
    if (again)
        return archive_index_reopen(&s->db, s->folder, why);
    const int err = archive_index_open(&s->db, s->folder, why);
    return err < 0 ? err : repair(s, why);
}

static int open_store(struct archive_store **out, const char *folder, bool again,
                      struct reason *why)
{
    struct archive_store *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return reason_set(why, -ENOMEM, "%s: no memory", folder);
    s->lock = -1;
    s->folder = strdup(folder);
    int err = s->folder ? lock_folder(s, why) : reason_set(why, -ENOMEM, "%s: no memory", folder);
    if (err == 0)
        err = open_index(s, again, why);
    if (err < 0) {
        archive_store_close(s);
        return err;
    }
    *out = s;
    return 0;
}

int archive_store_open(struct archive_store **out, const char *folder, struct reason *why)
{
    return open_store(out, folder, false, why);
}

int archive_store_reopen(struct archive_store **out, const char *folder, struct reason *why)
{
    return open_store(out, folder, true, why);
}

void archive_store_continue(struct archive_store *s)
{
    s->continues = true;
}

static void end_segment(struct segment *g)
{
    if (g->fd > 0)
        close(g->fd);
    *g = (struct segment){0};
}

void archive_store_close(struct archive_store *s)
{
    if (!s)
        return;
    for (unsigned i = 0; i < ARCHIVE_TIERS; i++)
        end_segment(&s->segment[i]);
    database_close(s->db);
    if (s->lock >= 0)
        close(s->lock);
    free(s->folder);
    free(s);
}

/* ---- append ----------------------------------------------------------------------------- */

static struct segment *segment_of(struct archive_store *s, uint64_t period_ns)
{
    unsigned i = 0;
    while (i + 1 < ARCHIVE_TIERS && s->period_ns[i] != 0 && s->period_ns[i] != period_ns)
        i++;
    s->period_ns[i] = period_ns;
    return &s->segment[i];
}

/* With a number if the name is taken. */
static int create_file(struct archive_store *s, uint64_t period_ns, int64_t start_ns,
                       char name[ARCHIVE_NAME])
{
    char time[UNIX_TIME_TEXT];
    const struct unix_stamp stamp = unix_time_stamp(start_ns);
    strftime(time, sizeof time, "%Y%m%dT%H%M%SZ", &stamp.tm);
    for (unsigned i = 1;; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%u", i);
        archive_store_name(name, ARCHIVE_NAME, period_ns, time, number);
        const int fd =
            openat(s->lock, name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST || i == NAMES)
            return fd < 0 ? -errno : fd;
    }
}

static int begin_segment(struct archive_store *s, struct segment *g, const struct block_head *head)
{
    char name[ARCHIVE_NAME];
    const int fd = create_file(s, head->period_ns, head->start_ns, name);
    if (fd < 0)
        return fd;
    *g = (struct segment){.fd = fd, .start_ns = head->start_ns};
    const int err = archive_index_segment(s->db, name, head->period_ns, &g->id, &g->bytes);
    if (err < 0) {
        unlinkat(s->lock, name, 0);
        end_segment(g);
    }
    return err;
}

/* The newest segment of the tier, if it ends where the index says. */
static void continue_segment(struct archive_store *s, struct segment *g, uint64_t period_ns)
{
    sqlite3_stmt *query;
    struct stat file;
    const char *sql = "SELECT id, bytes, first, name, (SELECT max(first) FROM block WHERE segment "
                      "= s.id) FROM segment s WHERE period = ?1 AND bytes > 0 ORDER BY id DESC "
                      "LIMIT 1";
    if (sqlite3_prepare_v2(s->db, sql, -1, &query, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int64(query, 1, (int64_t)period_ns);
    if (sqlite3_step(query) == SQLITE_ROW) {
        *g = (struct segment){.id = sqlite3_column_int64(query, 0),
                              .bytes = (uint64_t)sqlite3_column_int64(query, 1),
                              .start_ns = sqlite3_column_int64(query, 2),
                              .last_ns = sqlite3_column_int64(query, 4)};
        const char *name = (const char *)sqlite3_column_text(query, 3);
        if (archive_store_period_of(name) == period_ns)
            g->fd = own_file_open_write(s->lock, name, O_APPEND);
    }
    sqlite3_finalize(query);
    if (g->fd <= 0 || fstat(g->fd, &file) < 0 || (uint64_t)file.st_size != g->bytes)
        end_segment(g);
}

static bool is_complete(const struct archive_store *s, const struct segment *g,
                        const struct archive_tier *tier, int64_t at_ns)
{
    const int64_t most_ns = (int64_t)(tier->age_ns / SEGMENTS_OF_AGE);
    return g->bytes >= SEGMENT_BYTES || at_ns - g->start_ns > most_ns || at_ns < g->start_ns ||
           (s->continues && at_ns <= g->last_ns);
}

/* All of it or nothing. */
static int write_block(struct segment *g, const struct text *block)
{
    size_t done = 0;
    int err = 0;
    while (err == 0 && done < block->length) {
        const ssize_t n = write(g->fd, block->data + done, block->length - done);
        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno != EINTR)
            err = -errno;
    }
    if (err < 0 && done > 0 && ftruncate(g->fd, (off_t)g->bytes) < 0)
        g->bytes += done; /* the next block follows the part, which readers skip */
    return err;
}

static bool has_capacity(const struct archive_store *s, uint64_t min_free, size_t bytes)
{
    struct statvfs disk;
    return fstatvfs(s->lock, &disk) < 0 ||
           (uint64_t)disk.f_bavail * disk.f_frsize >= min_free + bytes;
}

/* A block that is in no index yet is found by the repair. */
static void enter(struct archive_store *s, struct segment *g, const struct block_head *head)
{
    uint64_t entered;
    const int err = g->unindexed ? archive_store_repair(s->db, s->folder, &entered)
                                 : archive_index_add(s->db, g->id, g->bytes, head);
    g->unindexed = err < 0;
    if (err < 0)
        log_warn("archive: %s: the index cannot be written", s->folder);
}

int archive_store_append(struct archive_store *s, const struct archive_tier *tier,
                         const struct text *block, uint64_t min_free)
{
    struct block_head head;
    struct segment *g = segment_of(s, tier->period_ns);
    int err = block_read_head((const uint8_t *)block->data, &head);
    if (err < 0)
        return err;
    if (!has_capacity(s, min_free, block->length))
        return -ENOSPC;
    if (g->fd <= 0 && s->continues)
        continue_segment(s, g, head.period_ns);
    if (g->fd > 0 && is_complete(s, g, tier, head.start_ns))
        end_segment(g);
    if (g->fd <= 0)
        err = begin_segment(s, g, &head);
    if (err == 0)
        err = write_block(g, block);
    if (err < 0)
        return err;
    enter(s, g, &head);
    g->bytes += block->length;
    g->last_ns = head.start_ns;
    return 0;
}

/* ---- deleting --------------------------------------------------------------------------- */

static bool is_written(const struct archive_store *s, int64_t id)
{
    for (unsigned i = 0; i < ARCHIVE_TIERS; i++)
        if (s->segment[i].fd > 0 && s->segment[i].id == id)
            return true;
    return false;
}

bool archive_store_delete(struct archive_store *s, int64_t id, char name[ARCHIVE_NAME])
{
    sqlite3_stmt *query;
    name[0] = '\0';
    if (is_written(s, id) || sqlite3_prepare_v2(s->db, "SELECT name FROM segment WHERE id = ?", -1,
                                                &query, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_int64(query, 1, id);
    if (sqlite3_step(query) == SQLITE_ROW)
        snprintf(name, ARCHIVE_NAME, "%s", (const char *)sqlite3_column_text(query, 0));
    sqlite3_finalize(query);
    return name[0] && archive_store_period_of(name) > 0 && archive_index_remove(s->db, id) == 0 &&
           unlinkat(s->lock, name, 0) == 0;
}

void archive_store_totals(struct archive_store *s, struct archive_store_totals *out)
{
    archive_index_totals(s->db, out);
}
