/* line_ring.c - the blocks of lines, their references and their readers, all under one lock. */
#include "daemon/line/line_ring.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"

enum { MIN_LINES = 3, FEW_LINES = 8, MAX_LINES = 64 };
static const size_t budget_bytes = (size_t)256 << 20;

struct line_ring {
    uv_mutex_t lock;
    uv_cond_t changed; /* a line was published, read or dropped, or the ring was closed */
    void (*wake_up)(void *user);
    void *user;

    /* under lock */
    struct line *block[MAX_LINES]; /* all blocks of the current shape */
    uint32_t blocks;
    size_t wanted; /* blocks; there may have been no memory for all of them */
    struct line
        *published[MAX_LINES]; /* by sequence number; the ring itself has one reference to each */
    uint64_t oldest, head;     /* sequence numbers of the oldest line kept and of the next line */
    struct line *retired;      /* lines of older shapes that readers still use */
    struct line_reader *readers;
    bool closed;
};

int line_ring_create(struct line_ring **out, void (*wake_up)(void *user), void *user)
{
    struct line_ring *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return -ENOMEM;
    r->wake_up = wake_up;
    r->user = user;
    int err = uv_mutex_init(&r->lock);
    if (err == 0) {
        err = uv_cond_init(&r->changed);
        if (err < 0)
            uv_mutex_destroy(&r->lock);
    }
    if (err < 0) {
        free(r);
        return err;
    }
    *out = r;
    return 0;
}

static void wake_loop(struct line_ring *r)
{
    if (r->wake_up)
        r->wake_up(r->user);
}

/* ---- blocks, with the lock held --------------------------------------------------------- */

static void retire(struct line_ring *r, struct line *line)
{
    if (atomic_load(&line->refs) == 0) {
        line_destroy(line);
        return;
    }
    line->next = r->retired;
    r->retired = line;
}

static void reap_retired(struct line_ring *r)
{
    for (struct line **at = &r->retired; *at;) {
        struct line *line = *at;
        if (atomic_load(&line->refs) > 0) {
            at = &line->next;
            continue;
        }
        *at = line->next;
        line_destroy(line);
    }
}

/* Releases the oldest published line. Readers that have not read it skip it. */
static void release_oldest(struct line_ring *r)
{
    for (struct line_reader *reader = r->readers; reader; reader = reader->next) {
        if (reader->at == r->oldest) {
            reader->at++;
            reader->missed++;
        }
    }
    atomic_fetch_sub(&r->published[r->oldest % MAX_LINES]->refs, 1);
    r->oldest++;
}

static bool lossless_waits_for(const struct line_ring *r, uint64_t sequence)
{
    for (const struct line_reader *reader = r->readers; reader; reader = reader->next) {
        if (reader->lossless && reader->at <= sequence)
            return true;
    }
    return false;
}

static struct line *free_block(struct line_ring *r)
{
    for (uint32_t i = 0; i < r->blocks; i++) {
        if (atomic_load(&r->block[i]->refs) == 0)
            return r->block[i];
    }
    return NULL;
}

/*
 * Returns a free block. If there is none it releases old lines, except those that a lossless
 * reader has not read yet.
 */
static struct line *find_block(struct line_ring *r)
{
    struct line *line = free_block(r);
    while (!line && r->oldest < r->head && !lossless_waits_for(r, r->oldest)) {
        release_oldest(r);
        line = free_block(r);
    }
    return line;
}

static void drop_shape(struct line_ring *r)
{
    while (r->oldest < r->head)
        release_oldest(r);
    for (uint32_t i = 0; i < r->blocks; i++)
        retire(r, r->block[i]);
    r->blocks = 0;
}

/* True while a lossless reader has not read all published lines. */
static bool has_lossless_waiting(const struct line_ring *r)
{
    return r->oldest < r->head && lossless_waits_for(r, r->head - 1);
}

/* ---- the writer ------------------------------------------------------------------------- */

/* A second of lines: as long as the IQ ring, whose samples go with them. */
static size_t count_blocks(const struct line_shape *shape)
{
    const double second = shape->rate_hz > 0 ? ceil(shape->rate_hz) : MAX_LINES;
    const double most = fmax(MIN_LINES, floor((double)budget_bytes / (double)line_bytes(shape)));
    return (size_t)fmin(fmin(fmax(second, FEW_LINES), MAX_LINES), most);
}

static bool has_shape(const struct line_ring *r, const struct line_shape *shape)
{
    return r->blocks > 0 && r->wanted == count_blocks(shape) && line_has_shape(r->block[0], shape);
}

/* Waits until every lossless reader has read all published lines. False: timed out. */
static bool wait_for_lossless(struct line_ring *r, int timeout_ms)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    while (has_lossless_waiting(r) && clock_wait(&r->changed, &r->lock, until))
        ;
    return !has_lossless_waiting(r);
}

size_t line_ring_bytes(const struct line_shape *shape)
{
    return count_blocks(shape) * line_bytes(shape);
}

size_t line_ring_first_bytes(const struct line_shape *shape)
{
    return MIN_LINES * line_bytes(shape);
}

/* Allocates MIN_LINES blocks before it drops the old ones, so that a failure changes nothing. */
static int build_blocks(struct line_ring *r, const struct line_shape *shape)
{
    struct line *first[MIN_LINES];
    for (uint32_t i = 0; i < MIN_LINES; i++) {
        if ((first[i] = line_create(shape)))
            continue;
        while (i > 0)
            line_destroy(first[--i]);
        return -ENOMEM;
    }
    drop_shape(r);
    memcpy(r->block, first, sizeof first);
    r->blocks = MIN_LINES;
    r->wanted = count_blocks(shape);
    while (r->blocks < r->wanted && (r->block[r->blocks] = line_create(shape)))
        r->blocks++;
    return 0;
}

int line_ring_configure(struct line_ring *r, const struct line_shape *shape)
{
    int err = 0;
    uv_mutex_lock(&r->lock);
    if (!has_shape(r, shape)) {
        err = wait_for_lossless(r, LINE_RING_WAIT_MS) ? 0 : -EAGAIN;
        if (err == 0)
            err = build_blocks(r, shape);
    }
    reap_retired(r);
    uv_mutex_unlock(&r->lock);
    return err;
}

struct line *line_ring_acquire(struct line_ring *r, int timeout_ms)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    uv_mutex_lock(&r->lock);
    struct line *line = find_block(r);
    while (!line && !r->closed && clock_wait(&r->changed, &r->lock, until))
        line = find_block(r);
    if (line)
        atomic_store(&line->refs, 1); /* by the writer */
    uv_mutex_unlock(&r->lock);
    return line;
}

void line_ring_publish(struct line_ring *r, struct line *line)
{
    line_reset_pyramids(line);
    uv_mutex_lock(&r->lock);
    assert(atomic_load(&line->refs) == 1 && r->head - r->oldest < MAX_LINES);
    r->published[r->head % MAX_LINES] = line; /* the reference of the writer passes to the ring */
    r->head++;
    uv_cond_broadcast(&r->changed);
    uv_mutex_unlock(&r->lock);
    wake_loop(r);
}

void line_ring_close(struct line_ring *r)
{
    uv_mutex_lock(&r->lock);
    r->closed = true;
    uv_cond_broadcast(&r->changed);
    uv_mutex_unlock(&r->lock);
    wake_loop(r);
}

void line_ring_destroy(struct line_ring *r)
{
    if (!r)
        return;
    drop_shape(r);
    reap_retired(r);
    assert(!r->retired && "a line is still held");
    uv_cond_destroy(&r->changed);
    uv_mutex_destroy(&r->lock);
    free(r);
}

/* ---- readers ---------------------------------------------------------------------------- */

void line_reader_join(struct line_reader *reader, struct line_ring *r, bool lossless)
{
    uv_mutex_lock(&r->lock);
    *reader =
        (struct line_reader){.ring = r, .next = r->readers, .at = r->head, .lossless = lossless};
    r->readers = reader;
    uv_mutex_unlock(&r->lock);
}

void line_reader_leave(struct line_reader *reader)
{
    struct line_ring *r = reader->ring;
    if (!r)
        return;
    uv_mutex_lock(&r->lock);
    struct line_reader **at = &r->readers;
    while (*at && *at != reader)
        at = &(*at)->next;
    if (*at)
        *at = reader->next;
    reader->ring = NULL;
    uv_cond_broadcast(&r->changed); /* the writer may be waiting for this reader */
    uv_mutex_unlock(&r->lock);
}

struct line *line_reader_next(struct line_reader *reader, int timeout_ms, bool *closed)
{
    struct line_ring *r = reader->ring;
    const uint64_t until = clock_after_ms(timeout_ms);
    struct line *line = NULL;

    uv_mutex_lock(&r->lock);
    while (reader->at == r->head && !r->closed && !reader->woken && timeout_ms > 0 &&
           clock_wait(&r->changed, &r->lock, until))
        ;
    reader->woken = false;
    if (reader->at < r->head) {
        line = r->published[reader->at % MAX_LINES];
        atomic_fetch_add(&line->refs, 1);
        reader->at++;
        if (reader->lossless) /* the writer may be waiting for it; other readers would wake up */
            uv_cond_broadcast(&r->changed);
    }
    if (closed)
        *closed = r->closed && reader->at == r->head;
    uv_mutex_unlock(&r->lock);
    return line;
}

void line_reader_wake(struct line_reader *reader, struct line_ring *r)
{
    uv_mutex_lock(&r->lock);
    reader->woken = true;
    uv_cond_broadcast(&r->changed);
    uv_mutex_unlock(&r->lock);
}

uint64_t line_reader_missed(const struct line_reader *reader)
{
    struct line_ring *r = reader->ring;
    uv_mutex_lock(&r->lock);
    const uint64_t missed = reader->missed;
    uv_mutex_unlock(&r->lock);
    return missed;
}

void line_ref(struct line *line)
{
    atomic_fetch_add(&line->refs, 1);
}

void line_unref(struct line_ring *r, struct line *line)
{
    if (!line)
        return;
    uv_mutex_lock(&r->lock);
    if (atomic_fetch_sub(&line->refs, 1) == 1)
        uv_cond_broadcast(&r->changed);
    uv_mutex_unlock(&r->lock);
}
