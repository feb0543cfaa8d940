/* disk_ring.c - a ring of blocks in a file: its file, writing, and finding samples again. */
#include "daemon/record/disk/disk_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/files/file_read.h"
#include "daemon/files/own_file.h"
#include "daemon/record/record_limits.h"
#include "daemon/system/interrupt.h"

struct disk_ring {
    int fd;
    uint64_t run, blocks;
    /* the writer's */
    uint64_t sequence, block; /* of the newest block */
    struct disk_piece now;    /* what is in it; sequence 0: none is taken yet */
    struct disk_header *header;
    uv_mutex_t lock;
    /* under lock */
    struct disk_entry *entry; /* [blocks] */
    uint64_t used_bytes;      /* of all entries */
    double seconds;           /* the same */
    uint64_t newest;          /* the highest sequence number of an entry */
};

uint64_t disk_ring_run(const struct disk_ring *d)
{
    return d->run;
}

static uint64_t capacity(const struct disk_piece *p)
{
    return (DISK_BLOCK - DISK_HEADER) / fft_iq_bytes(p->stream.format);
}

static double seconds_of(const struct disk_entry *e)
{
    return e->samples > 0 ? (double)e->samples / e->rate_hz : 0;
}

/* With the lock held, or before there are threads. */
static void put_entry(struct disk_ring *d, uint64_t block, const struct disk_entry *entry)
{
    struct disk_entry *e = &d->entry[block];
    d->used_bytes += entry->samples * entry->sample_bytes - e->samples * e->sample_bytes;
    d->seconds += seconds_of(entry) - seconds_of(e);
    *e = *entry;
    if (e->sequence > d->newest)
        d->newest = e->sequence;
}

/* ---- the file --------------------------------------------------------------------------- */

/* The layout of the header is that of this build. */
static void set_version(char version[32])
{
    snprintf(version, 32, "fftd %s, %zu", FFTD_VERSION, sizeof(struct disk_header));
}

static void load_blocks(struct disk_ring *d)
{
    struct disk_header h;
    for (uint64_t b = 0; b < d->blocks && !interrupt_requested(); b++) {
        if (!disk_header_read(d->fd, b, &h) || h.blocks != d->blocks ||
            memcmp(h.version, d->header->version, sizeof h.version) != 0 || h.piece.sequence == 0 ||
            (h.piece.sequence - 1) % d->blocks != b)
            continue;
        const struct disk_entry entry = disk_entry_of(&h.piece);
        put_entry(d, b, &entry);
        if (h.piece.sequence > d->sequence)
            d->sequence = h.piece.sequence;
    }
}

/* All of its space at once: later there is no full disk. */
static int allocate(const struct disk_ring *d, const char *path, uint64_t free_bytes,
                    struct reason *why)
{
    struct stat at;
    const off_t bytes = (off_t)(d->blocks * DISK_BLOCK);
    if (fstat(d->fd, &at) < 0)
        return reason_set(why, -errno, "iq-history: %s: %s", path, strerror(errno));
    if (at.st_size == bytes && (uint64_t)at.st_blocks * 512 >= (uint64_t)bytes)
        return 0;
    if (ftruncate(d->fd, 0) < 0)
        return reason_set(why, -errno, "iq-history: %s: %s", path, strerror(errno));
    free_bytes += (uint64_t)at.st_blocks * 512;
    if (free_bytes < (uint64_t)bytes)
        return reason_set(why, -ENOSPC, "iq-history: %s: it needs %llu bytes, and %llu are free",
                          path, (unsigned long long)bytes, (unsigned long long)free_bytes);
    int err = fallocate(d->fd, 0, 0, bytes) < 0 ? -errno : 0;
    if (err == -EOPNOTSUPP) /* a disk that is full later costs samples, which are counted */
        err = ftruncate(d->fd, bytes) < 0 ? -errno : 0;
    return err == 0 ? 0 : reason_set(why, err, "iq-history: %s: %s", path, strerror(-err));
}

static int open_file(struct disk_ring *d, const char *folder, struct reason *why)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, DISK_RING_FILE) < 0)
        return -ENOMEM;
    int err = 0;
    d->fd = own_file_open_write(AT_FDCWD, path, O_CREAT);
    if (d->fd < 0)
        err = reason_set(why, d->fd, "iq-history: %s: %s", path, own_file_describe(d->fd));
    else if (flock(d->fd, LOCK_EX | LOCK_NB) < 0)
        err = reason_set(why, -EBUSY, "iq-history: %s: another fftd has it", path);
    else
        err = allocate(d, path, record_free_bytes(folder), why);
    free(path);
    return err;
}

int disk_ring_open(struct disk_ring **out, const char *folder, uint64_t bytes, struct reason *why)
{
    *out = NULL;
    struct disk_ring *d = calloc(1, sizeof *d);
    if (!d || uv_mutex_init(&d->lock) < 0) {
        free(d);
        return reason_set(why, -ENOMEM, "iq-history: no memory");
    }
    d->fd = -1;
    d->blocks = bytes / DISK_BLOCK;
    d->run = (uint64_t)clock_unix_ns();
    /* The file first: a ring too large for the disk is refused before memory is allocated. */
    int err = open_file(d, folder, why);
    if (err == 0) {
        d->entry = calloc((size_t)d->blocks, sizeof *d->entry);
        d->header = calloc(1, DISK_HEADER);
        err = d->entry && d->header ? 0 : -ENOMEM;
        if (err < 0)
            reason_set(why, err, "iq-history: no memory");
    }
    if (err < 0) {
        disk_ring_close(d);
        return err;
    }
    set_version(d->header->version);
    d->header->blocks = d->blocks;
    load_blocks(d);
    if (interrupt_requested()) {
        disk_ring_close(d);
        return reason_set(why, -EINTR, "iq-history: interrupted");
    }
    *out = d;
    return 0;
}

void disk_ring_close(struct disk_ring *d)
{
    if (!d)
        return;
    if (d->fd >= 0)
        close(d->fd);
    free(d->header);
    free(d->entry);
    uv_mutex_destroy(&d->lock);
    free(d);
}

/* ---- the writer ------------------------------------------------------------------------- */

static int write_at(const struct disk_ring *d, const void *from, uint64_t bytes, uint64_t at)
{
    for (uint64_t done = 0; done < bytes;) {
        const ssize_t now =
            pwrite(d->fd, (const char *)from + done, (size_t)(bytes - done), (off_t)(at + done));
        if (now < 0 && errno != EINTR)
            return -errno;
        done += now > 0 ? (uint64_t)now : 0;
    }
    return 0;
}

static void set_entry(struct disk_ring *d, uint64_t block, const struct disk_entry *entry)
{
    uv_mutex_lock(&d->lock);
    put_entry(d, block, entry);
    uv_mutex_unlock(&d->lock);
}

static int write_header(struct disk_ring *d)
{
    struct disk_header *h = d->header;
    h->piece = d->now;
    h->piece.stream.cycle = NULL;
    h->hash = disk_header_hash(h);
    return write_at(d, h, DISK_HEADER, d->block * DISK_BLOCK);
}

/* The oldest block becomes the newest, without a sample yet. */
static int take_block(struct disk_ring *d)
{
    static const struct disk_entry none;
    static const char invalid[64];
    d->block = d->sequence % d->blocks;
    d->now.sequence = ++d->sequence;
    set_entry(d, d->block, &none);
    return write_at(d, invalid, sizeof invalid, d->block * DISK_BLOCK);
}

/* The block is full: the same segment goes on in the next one. */
static void continue_piece(struct disk_ring *d)
{
    d->now.position += d->now.samples;
    d->now.samples = 0;
    d->now.sequence = 0;
    d->now.fresh = d->now.anew = false;
}

void disk_ring_begin(struct disk_ring *d, const struct disk_piece *piece)
{
    d->now = *piece;
    d->now.run = d->run;
    d->now.samples = d->now.sequence = 0;
}

static int write_some(struct disk_ring *d, const unsigned char *from, uint64_t count)
{
    const uint64_t bytes = fft_iq_bytes(d->now.stream.format);
    const uint64_t at = d->block * DISK_BLOCK + DISK_HEADER + d->now.samples * bytes;
    int err = write_at(d, from, count * bytes, at);
    if (err < 0)
        return err;
    /* Starts the disk early: dirty pages must not pile up until the kernel stops the writer. */
    sync_file_range(d->fd, (off_t)at, (off_t)(count * bytes), SYNC_FILE_RANGE_WRITE);
    d->now.samples += count;
    err = write_header(d);
    const struct disk_entry entry = disk_entry_of(&d->now);
    if (err == 0)
        set_entry(d, d->block, &entry);
    return err;
}

int disk_ring_write(struct disk_ring *d, const void *samples, uint64_t count)
{
    const unsigned char *from = samples;
    const uint64_t bytes = fft_iq_bytes(d->now.stream.format);
    for (uint64_t now; count > 0; count -= now, from += now * bytes) {
        if (d->now.samples == capacity(&d->now))
            continue_piece(d);
        int err = d->now.sequence == 0 ? take_block(d) : 0;
        now = capacity(&d->now) - d->now.samples;
        now = count < now ? count : now;
        if (err == 0)
            err = write_some(d, from, now);
        if (err < 0)
            return err;
    }
    return 0;
}

/* ---- readers ---------------------------------------------------------------------------- */

static bool read_piece(struct disk_ring *d, uint64_t block, uint64_t sequence,
                       struct disk_piece *out)
{
    enum { TRIES = 100 }; /* the writer may be renewing it */
    struct disk_header h;
    bool good = false;
    for (int i = 0; i < TRIES && !good; i++)
        good = disk_header_read(d->fd, block, &h);
    if (!good || h.piece.sequence != sequence)
        return false;
    *out = h.piece;
    return true;
}

bool disk_ring_find(struct disk_ring *d, uint64_t run, uint32_t epoch, uint64_t position,
                    struct disk_piece *out)
{
    uint64_t best = d->blocks, sequence = 0;
    uv_mutex_lock(&d->lock);
    for (uint64_t b = 0; b < d->blocks; b++) {
        const struct disk_entry *e = &d->entry[b];
        const bool fits = e->sequence > 0 && e->run == run && e->epoch == epoch &&
                          e->position + e->samples > position;
        if (fits && (best == d->blocks || e->position < d->entry[best].position))
            best = b;
    }
    if (best < d->blocks)
        sequence = d->entry[best].sequence;
    uv_mutex_unlock(&d->lock);
    return best < d->blocks && read_piece(d, best, sequence, out);
}

bool disk_ring_find_time(struct disk_ring *d, int64_t time_ns, struct disk_piece *out)
{
    uint64_t best = d->blocks, sequence = 0;
    uv_mutex_lock(&d->lock);
    for (uint64_t b = 0; b < d->blocks; b++) {
        const struct disk_entry *e = &d->entry[b];
        const bool fits = e->sequence > 0 && e->time_ns != INT64_MIN && e->time_ns <= time_ns;
        if (fits && (best == d->blocks || e->time_ns > d->entry[best].time_ns))
            best = b;
    }
    if (best < d->blocks)
        sequence = d->entry[best].sequence;
    uv_mutex_unlock(&d->lock);
    return best < d->blocks && read_piece(d, best, sequence, out);
}

static bool is_there(struct disk_ring *d, uint64_t block, uint64_t sequence)
{
    uv_mutex_lock(&d->lock);
    const bool there = d->entry[block].sequence == sequence;
    uv_mutex_unlock(&d->lock);
    return there;
}

int disk_ring_read(struct disk_ring *d, const struct disk_piece *piece, uint64_t position,
                   uint64_t count, void *into)
{
    const uint64_t block = (piece->sequence - 1) % d->blocks;
    const uint64_t bytes = fft_iq_bytes(piece->stream.format);
    const uint64_t at = block * DISK_BLOCK + DISK_HEADER + (position - piece->position) * bytes;
    size_t done;
    const int err = file_read_at(d->fd, at, into, (size_t)(count * bytes), &done);
    if (err < 0 || done < count * bytes)
        return err < 0 ? err : -EIO;
    return is_there(d, block, piece->sequence) ? 0 : -ESTALE;
}

void disk_ring_state(struct disk_ring *d, struct disk_ring_state *out)
{
    *out = (struct disk_ring_state){.bytes = d->blocks * DISK_BLOCK};
    uv_mutex_lock(&d->lock);
    const struct disk_entry *next = &d->entry[d->newest % d->blocks]; /* block to be overwritten */
    const struct disk_entry *oldest = next->sequence > 0 ? next : &d->entry[0];
    out->used_bytes = d->used_bytes;
    out->seconds = fmax(d->seconds, 0);
    out->oldest_ns = oldest->sequence > 0 && oldest->time_ns != INT64_MIN ? oldest->time_ns : 0;
    uv_mutex_unlock(&d->lock);
}
