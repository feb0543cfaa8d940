/* disk_ring_file.c - creates the file of the disk ring, or finds the samples that it has. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/files/own_file.h"
#include "daemon/record/disk/disk_ring_private.h"
#include "daemon/record/record_limits.h"
#include "daemon/system/interrupt.h"

_Static_assert(sizeof(struct disk_header) <= DISK_HEADER, "a header has its place");

/* FNV-1a: finds a header that a crash of the machine has torn. */
uint64_t disk_header_hash(const struct disk_header *h)
{
    const unsigned char *at = (const unsigned char *)h + sizeof h->hash;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = sizeof h->hash; i < sizeof *h; i++)
        hash = (hash ^ *at++) * UINT64_C(1099511628211);
    return hash;
}

static bool is_text(const char *text, size_t size)
{
    return memchr(text, 0, size) != NULL;
}

#define IS_TEXT(array) is_text(array, sizeof(array))

static bool is_tuning(const struct tuning *t)
{
    return IS_TEXT(t->gain) && IS_TEXT(t->antenna) && IS_TEXT(t->settings) && t->rate_hz >= 0 &&
           t->rate_hz <= TUNING_RATE_MAX_HZ;
}

/* Of a time or a count: sums of two stay in range. */
static bool is_moderate(int64_t value)
{
    return value > -(INT64_C(1) << 62) && value < INT64_C(1) << 62;
}

/* Of samples: a run of 30 years has fewer. */
static bool is_count(uint64_t samples, double rate_hz)
{
    return is_moderate((int64_t)samples) && (double)samples < 1e9 * rate_hz;
}

/* To read another byte as a bool is undefined. */
static bool is_bool(const bool *b)
{
    unsigned char byte;
    memcpy(&byte, b, 1);
    return byte <= 1;
}

static bool is_anchor(const struct replay_anchor *a)
{
    return is_bool(&a->set) && is_bool(&a->has_time) && (unsigned)a->jump <= REPLAY_LOOP &&
           is_moderate(a->time_ns);
}

static bool are_flags(const struct disk_piece *p)
{
    const struct stream *s = &p->stream;
    const struct iq_mark *m = &p->mark;
    return is_bool(&p->fresh) && is_bool(&p->anew) && is_bool(&m->tuning_changed) &&
           is_bool(&m->continues) && is_bool(&m->has_time) && is_bool(&m->undated) &&
           is_bool(&s->rate_assumed) && is_bool(&s->simulated) && is_bool(&s->hardware_time) &&
           is_bool(&s->geolocation.known) && is_anchor(&s->anchor) && is_anchor(&m->anchor);
}

/*
 * The hash finds what a crash has torn. It does not tell who wrote the header: whatever it says, no
 * reader leaves an array or the block.
 */
static bool is_sound(const struct disk_piece *p)
{
    const struct stream *s = &p->stream;
    const struct iq_mark *m = &p->mark;
    const double rate_hz = s->tuning.rate_hz;
    return are_flags(p) && s->format < FFT_IQ_FORMATS && !s->cycle && is_tuning(&s->tuning) &&
           rate_hz >= 1e-3 && is_tuning(&m->tuning) && IS_TEXT(s->about) && IS_TEXT(s->serial) &&
           IS_TEXT(s->gains) && IS_TEXT(s->device_settings) &&
           p->samples <= (DISK_BLOCK - DISK_HEADER) / fft_iq_bytes(s->format) &&
           is_moderate((int64_t)p->sequence) && is_count(p->position, rate_hz) &&
           is_count(m->position, rate_hz) && is_count(m->sample_number, rate_hz) &&
           is_count(m->time_number, rate_hz) && is_moderate(m->time_ns) && is_moderate(s->start_ns);
}

bool disk_header_read(int fd, uint64_t block, struct disk_header *out)
{
    const ssize_t got = pread(fd, out, sizeof *out, (off_t)(block * DISK_BLOCK));
    return got == (ssize_t)sizeof *out && out->hash == disk_header_hash(out) &&
           is_sound(&out->piece);
}

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
        disk_entry_set(d, b, &entry);
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
    /* The file first: what fits on no disk need not fit into memory to be told. */
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
