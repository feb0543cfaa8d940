/* iq_tap.c - keeps the epochs that may be read, and copies samples that may be overwritten. */
#include "daemon/stream/epoch/iq_tap.h"

#include <errno.h>
#include <stdlib.h>
#include <uv.h>

#include "daemon/base/log.h"

enum { CHUNK = 4096 }; /* samples converted at once */

struct tapped {
    struct tapped *next; /* an older one */
    struct epoch *epoch; /* a reference */
    struct iq_reader reader;
    bool holds; /* the reader is joined */
};

struct iq_tap {
    bool lossless;
    struct iq_tap *chained; /* gets the same epochs; NULL: none */
    uv_mutex_t lock;
    /* under lock */
    struct tapped *newest;
    bool wanted;
};

int iq_tap_create(struct iq_tap **out, bool lossless)
{
    struct iq_tap *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t || uv_mutex_init(&t->lock) < 0) {
        free(t);
        return -ENOMEM;
    }
    t->lossless = lossless;
    *out = t;
    return 0;
}

/* ---- epochs, with the lock held --------------------------------------------------------- */

static void stop_holding(struct tapped *e)
{
    if (e->holds)
        iq_reader_leave(&e->reader, e->epoch->ring);
    e->holds = false;
}

/* Drops `first` and all older ones. */
static void drop_from(struct tapped *first)
{
    while (first) {
        struct tapped *older = first->next;
        stop_holding(first);
        epoch_unref(first->epoch);
        free(first);
        first = older;
    }
}

static struct tapped *find(const struct iq_tap *t, uint32_t number)
{
    struct tapped *e = t->newest;
    while (e && e->epoch->number != number)
        e = e->next;
    return e;
}

/* ---- the dsp thread --------------------------------------------------------------------- */

static void end_own(struct iq_tap *t)
{
    if (t->lossless)
        return;
    uv_mutex_lock(&t->lock);
    drop_from(t->newest);
    t->newest = NULL;
    uv_mutex_unlock(&t->lock);
}

void iq_tap_begin(struct iq_tap *t, struct epoch *epoch)
{
    if (!t)
        return;
    iq_tap_begin(t->chained, epoch);
    end_own(t);
    struct tapped *e = calloc(1, sizeof *e);
    if (!e)
        return; /* its samples are gone */
    e->epoch = epoch_ref(epoch);
    uv_mutex_lock(&t->lock);
    if (t->lossless && t->wanted)
        e->holds = iq_reader_join_at(&e->reader, epoch->ring, 0, true);
    e->next = t->newest;
    t->newest = e;
    uv_mutex_unlock(&t->lock);
}

void iq_tap_end(struct iq_tap *t)
{
    if (!t)
        return;
    iq_tap_end(t->chained);
    end_own(t);
}

void iq_tap_chain(struct iq_tap *t, struct iq_tap *next)
{
    while (t->chained)
        t = t->chained;
    t->chained = next;
}

/* ---- the reader ------------------------------------------------------------------------- */

/*
 * Copies words that the writer may be overwriting; the caller finds out and discards them. That is
 * a race by design, so ThreadSanitizer does not see it.
 */
typedef uint16_t __attribute__((may_alias)) word;

__attribute__((no_sanitize("thread"))) static void copy_words(const volatile word *from, word *to,
                                                              size_t words)
{
    for (size_t i = 0; i < words; i++)
        to[i] = from[i];
}

static void convert(const struct epoch *e, uint64_t position, size_t count, struct fft_iq *out)
{
    uint64_t raw[CHUNK]; /* of at most 8 bytes each */
    const enum fft_iq_format format = e->stream.format;
    const float scale = (float)(fft_iq_full_scale(format) / e->stream.full_scale);
    for (size_t done = 0; done < count; done += CHUNK) {
        const size_t now = count - done < CHUNK ? count - done : CHUNK;
        copy_words(iq_ring_at(e->ring, position + done), (word *)raw,
                   now * fft_iq_bytes(format) / sizeof(word));
        fft_iq_unpack(format, raw, out + done, now);
    }
    for (size_t i = 0; i < count; i++) {
        out[i].re *= scale;
        out[i].im *= scale;
    }
}

static struct epoch *hold_epoch(struct iq_tap *t, uint32_t number)
{
    uv_mutex_lock(&t->lock);
    const struct tapped *e = find(t, number);
    struct epoch *epoch = e ? epoch_ref(e->epoch) : NULL;
    uv_mutex_unlock(&t->lock);
    return epoch;
}

struct epoch *iq_tap_epoch_from(struct iq_tap *t, uint32_t number)
{
    struct epoch *found = NULL;
    uv_mutex_lock(&t->lock);
    for (struct tapped *e = t->newest; e && e->epoch->number >= number; e = e->next)
        found = e->epoch;
    if (found)
        epoch_ref(found);
    uv_mutex_unlock(&t->lock);
    return found;
}

void iq_tap_forget(struct iq_tap *t, uint32_t number)
{
    uv_mutex_lock(&t->lock);
    struct tapped *e = find(t, number);
    if (e) {
        stop_holding(e);
        drop_from(e->next);
        e->next = NULL;
    }
    uv_mutex_unlock(&t->lock);
}

struct epoch *iq_tap_newest(struct iq_tap *t)
{
    uv_mutex_lock(&t->lock);
    struct epoch *newest = t->newest ? epoch_ref(t->newest->epoch) : NULL;
    uv_mutex_unlock(&t->lock);
    return newest;
}

bool iq_tap_head(struct iq_tap *t, uint32_t *number, uint64_t *position)
{
    struct iq_ring_state ring;
    uv_mutex_lock(&t->lock);
    struct epoch *e = t->newest ? epoch_ref(t->newest->epoch) : NULL;
    uv_mutex_unlock(&t->lock);
    if (!e)
        return false;
    iq_ring_wait(e->ring, 0, 0, &ring);
    *number = e->number;
    *position = ring.head;
    epoch_unref(e);
    return ring.head > 0;
}

uint64_t iq_tap_capacity(struct iq_tap *t, uint32_t number)
{
    struct epoch *e = hold_epoch(t, number);
    const uint64_t samples = e ? iq_ring_capacity(e->ring) : 0;
    epoch_unref(e);
    return samples;
}

size_t iq_tap_read(struct iq_tap *t, uint32_t number, uint64_t position, size_t count,
                   struct fft_iq *out)
{
    struct iq_reader reader;
    struct iq_ring_state ring;
    struct epoch *e = hold_epoch(t, number);
    if (!e)
        return 0;
    iq_ring_wait(e->ring, 0, 0, &ring);
    bool good = count > 0 && position <= ring.head && ring.head - position >= count &&
                iq_reader_join_at(&reader, e->ring, position, false);
    if (good) {
        convert(e, position, count, out);
        iq_reader_leave(&reader, e->ring);
        good = reader.overtaken == 0;
    }
    epoch_unref(e);
    return good ? count : 0;
}

void iq_tap_release(struct iq_tap *t, uint32_t number, uint64_t position)
{
    uv_mutex_lock(&t->lock);
    struct tapped *e = find(t, number);
    if (e && e->holds)
        iq_reader_advance(&e->reader, e->epoch->ring, position);
    if (e) {
        drop_from(e->next);
        e->next = NULL;
    }
    uv_mutex_unlock(&t->lock);
}

void iq_tap_want(struct iq_tap *t, bool wanted)
{
    uv_mutex_lock(&t->lock);
    t->wanted = wanted;
    for (struct tapped *e = t->newest; e && !wanted; e = e->next)
        stop_holding(e);
    uv_mutex_unlock(&t->lock);
}

void iq_tap_hold(struct iq_tap *t)
{
    uv_mutex_lock(&t->lock);
    struct tapped *e = t->newest;
    if (t->lossless && e && !e->holds) {
        iq_reader_join_near(&e->reader, e->epoch->ring, 0, true);
        e->holds = true;
    }
    uv_mutex_unlock(&t->lock);
}

void iq_tap_unblock(struct iq_tap *t)
{
    bool freed = false;
    uv_mutex_lock(&t->lock);
    for (struct tapped *e = t->newest; e; e = e->next) {
        if (!e->holds || !iq_reader_stalls(&e->reader, e->epoch->ring))
            continue;
        stop_holding(e);
        freed = true;
    }
    uv_mutex_unlock(&t->lock);
    if (freed)
        log_warn(
            "a line is longer than the IQ ring: measurements and triggers that need its samples "
            "have none; give a larger --ring-size or a higher --line-rate");
}

void iq_tap_destroy(struct iq_tap *t)
{
    if (!t)
        return;
    drop_from(t->newest);
    uv_mutex_destroy(&t->lock);
    free(t);
}
