/* iq_ring.c - the mirrored ring, its marks and its readers, under one lock. */
#include "daemon/stream/ring/iq_ring.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/stream/ring/mark_log.h"
#include "daemon/stream/ring/ring_mirror.h"

enum { MARKS = 256 };

struct iq_ring {
    /* immutable */
    struct iq_ring_config config;
    uint64_t capacity;  /* samples */
    unsigned char *map; /* two mappings of capacity * sample_bytes */
    void *scratch;

    /* the writer's */
    bool in_scratch;

    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    uint64_t head;
    uint64_t awaited; /* the lowest position that a waiting reader needs; UINT64_MAX: none waits */
    uint64_t lost_total; /* samples, known */
    struct iq_reader *readers;
    struct iq_mark pending; /* before the next sample that is written */
    bool has_pending;
    struct iq_mark mark[MARKS];
    uint64_t marks_in, marks_out;
    struct mark_log log;
    struct iq_ring_totals totals;
    bool closed;
};

/* ---- memory ----------------------------------------------------------------------------- */

static size_t map_bytes(const struct iq_ring *r)
{
    return (size_t)r->capacity * r->config.sample_bytes;
}

/* The second mapping shows the same bytes. */
static void fill_with_cycle(struct iq_ring *r)
{
    const size_t bytes = (size_t)r->config.cycle_samples * r->config.sample_bytes;
    assert(map_bytes(r) % bytes == 0);
    for (size_t at = 0; at < map_bytes(r); at += bytes)
        memcpy(r->map + at, r->config.cycle, bytes);
}

static int no_memory(struct reason *why)
{
    return reason_set(why, -ENOMEM, "%s", strerror(ENOMEM));
}

int iq_ring_create(struct iq_ring **out, const struct iq_ring_config *config, struct reason *why)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t whole = (config->bytes + page - 1) / page * page;
    const size_t bytes = (size_t)whole;
    *out = NULL;
    if (whole > PTRDIFF_MAX / 2)
        return no_memory(why);
    struct iq_ring *r = calloc(1, sizeof *r);
    if (!r)
        return no_memory(why);
    r->config = *config;
    r->awaited = UINT64_MAX;
    r->capacity = whole / config->sample_bytes;
    assert(config->block > 0 && config->block <= r->capacity / 2);
    r->scratch = calloc(config->block, config->sample_bytes);
    int err = r->scratch ? mirror_map(&r->map, bytes, why) : no_memory(why);
    if (err == 0 && uv_mutex_init(&r->lock) < 0)
        err = no_memory(why);
    if (err < 0) {
        if (r->map)
            munmap(r->map, 2 * bytes);
        free(r->scratch);
        free(r);
        return err;
    }
    uv_cond_init(&r->changed);
    if (config->cycle)
        fill_with_cycle(r);
    *out = r;
    return 0;
}

void iq_ring_destroy(struct iq_ring *r)
{
    if (!r)
        return;
    uv_cond_destroy(&r->changed);
    uv_mutex_destroy(&r->lock);
    munmap(r->map, 2 * map_bytes(r));
    free(r->scratch);
    free(r);
}

uint64_t iq_ring_capacity(const struct iq_ring *r)
{
    return r->capacity;
}

const void *iq_ring_at(const struct iq_ring *r, uint64_t position)
{
    return r->map + position % r->capacity * r->config.sample_bytes;
}

void *iq_ring_edit(struct iq_ring *r, uint64_t position)
{
    return r->map + position % r->capacity * r->config.sample_bytes;
}

/* ---- helpers, with the lock held -------------------------------------------------------- */

/* By all readers but `without`, which may be NULL. */
static uint64_t held_samples_without(const struct iq_ring *r, const struct iq_reader *without)
{
    uint64_t held = 0;
    for (const struct iq_reader *reader = r->readers; reader; reader = reader->next) {
        if (reader != without && reader->holds && r->head - reader->position > held)
            held = r->head - reader->position;
    }
    return held;
}

static uint64_t held_samples(const struct iq_ring *r)
{
    return held_samples_without(r, NULL);
}

/* True with room for a block and for a mark before it. */
static bool has_capacity(const struct iq_ring *r)
{
    return r->capacity - held_samples(r) >= r->config.block && r->marks_in - r->marks_out < MARKS;
}

static uint64_t oldest_sample(const struct iq_ring *r)
{
    const uint64_t end = r->head + r->config.block, held = r->head - held_samples(r);
    const uint64_t there = end > r->capacity ? end - r->capacity : 0;
    return there < held ? there : held;
}

/* Moves readers off the samples that the next block overwrites. */
static void overtake(struct iq_ring *r)
{
    const uint64_t end = r->head + r->config.block;
    const uint64_t kept = end > r->capacity ? end - r->capacity : 0;
    for (struct iq_reader *reader = r->readers; reader; reader = reader->next) {
        if (reader->position < kept) {
            reader->overtaken += kept - reader->position;
            reader->position = kept;
        }
    }
}

static void add_loss(struct iq_ring *r, enum loss cause, uint64_t samples, uint64_t events)
{
    r->pending.lost[cause] += samples;
    r->pending.events[cause] += events;
    r->pending.continues = false;
    r->has_pending = true;
    r->lost_total += samples;
    r->totals.lost[cause] += samples;
    r->totals.events[cause] += events;
}

/* Queues the pending mark before the sample at head. */
static void flush_pending(struct iq_ring *r)
{
    if (!r->has_pending)
        return;
    r->pending.position = r->head;
    r->pending.sample_number = r->head + r->lost_total;
    r->mark[r->marks_in++ % MARKS] = r->pending;
    mark_log_add(&r->log, &r->pending);
    r->pending = (struct iq_mark){0};
    r->has_pending = false;
}

/* ---- writer ----------------------------------------------------------------------------- */

void *iq_ring_write_begin(struct iq_ring *r, int timeout_ms)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    uv_mutex_lock(&r->lock);
    bool fits = has_capacity(r);
    while (!fits && r->config.lossless && !r->closed && clock_wait(&r->changed, &r->lock, until))
        fits = has_capacity(r);
    if (fits)
        overtake(r);
    uv_mutex_unlock(&r->lock);
    if (!fits && r->config.lossless)
        return NULL;
    r->in_scratch = !fits;
    return fits ? r->map + r->head % r->capacity * r->config.sample_bytes : r->scratch;
}

void iq_ring_write_end(struct iq_ring *r, uint32_t samples)
{
    assert(samples <= r->config.block);
    if (samples == 0)
        return;
    uv_mutex_lock(&r->lock);
    if (!r->closed && r->in_scratch) {
        /* Consecutive lost blocks are one event, counted in the pending mark. */
        add_loss(r, LOSS_OVERRUN, samples, r->pending.events[LOSS_OVERRUN] == 0);
    } else if (!r->closed) {
        const bool flushed = r->has_pending; /* a mark is queued: readers wait for these, too */
        flush_pending(r);
        r->head += samples;
        r->totals.written = r->head;
        if (flushed || r->head >= r->awaited) {
            r->awaited = UINT64_MAX; /* all wake, and say again what they wait for */
            uv_cond_broadcast(&r->changed);
        }
    }
    uv_mutex_unlock(&r->lock);
}

void iq_ring_mark(struct iq_ring *r, const struct iq_mark *mark)
{
    uv_mutex_lock(&r->lock);
    if (r->closed) {
        uv_mutex_unlock(&r->lock);
        return;
    }
    r->pending.continues = mark->continues && (!r->has_pending || r->pending.continues);
    for (int cause = 0; cause < LOSS_CAUSES; cause++) {
        if (mark->lost[cause] || mark->events[cause])
            add_loss(r, (enum loss)cause, mark->lost[cause], mark->events[cause]);
    }
    if (mark->tuning_changed) {
        r->pending.tuning_changed = true;
        r->pending.tuning = mark->tuning;
        r->pending.gain_db = mark->gain_db;
    }
    if (mark->anchor.set) {
        const enum replay_jump before = r->pending.anchor.jump;
        r->pending.anchor = mark->anchor;
        if (mark->anchor.jump == REPLAY_FOLLOWS)
            r->pending.anchor.jump = before;
    }
    if (mark->has_time) {
        r->pending.has_time = true;
        r->pending.time_ns = mark->time_ns;
        r->pending.time_number = r->head + r->lost_total;
    }
    r->has_pending = true;
    uv_mutex_unlock(&r->lock);
}

void iq_ring_set_lossless(struct iq_ring *r, bool lossless)
{
    uv_mutex_lock(&r->lock);
    r->config.lossless = lossless;
    uv_mutex_unlock(&r->lock);
}

void iq_ring_close(struct iq_ring *r)
{
    uv_mutex_lock(&r->lock);
    r->closed = true;
    uv_cond_broadcast(&r->changed);
    uv_mutex_unlock(&r->lock);
}

/* ---- readers ---------------------------------------------------------------------------- */

void iq_reader_join(struct iq_reader *reader, struct iq_ring *r, bool holds)
{
    uv_mutex_lock(&r->lock);
    *reader = (struct iq_reader){.next = r->readers, .position = r->head, .holds = holds};
    r->readers = reader;
    uv_mutex_unlock(&r->lock);
}

bool iq_reader_join_at(struct iq_reader *reader, struct iq_ring *r, uint64_t position, bool holds)
{
    uv_mutex_lock(&r->lock);
    const bool there = position <= r->head && position >= oldest_sample(r);
    if (there) {
        *reader = (struct iq_reader){.next = r->readers, .position = position, .holds = holds};
        r->readers = reader;
    }
    uv_mutex_unlock(&r->lock);
    return there;
}

bool iq_reader_stalls(const struct iq_reader *reader, struct iq_ring *r)
{
    uv_mutex_lock(&r->lock);
    const bool stalls = !r->closed && !has_capacity(r) &&
                        r->head - reader->position > r->capacity / 2 &&
                        held_samples_without(r, reader) <= r->capacity / 8;
    uv_mutex_unlock(&r->lock);
    return stalls;
}

void iq_reader_leave(struct iq_reader *reader, struct iq_ring *r)
{
    uv_mutex_lock(&r->lock);
    struct iq_reader **at = &r->readers;
    while (*at && *at != reader)
        at = &(*at)->next;
    if (*at)
        *at = reader->next;
    uv_cond_broadcast(&r->changed);
    uv_mutex_unlock(&r->lock);
}

void iq_reader_advance(struct iq_reader *reader, struct iq_ring *r, uint64_t position)
{
    uv_mutex_lock(&r->lock);
    assert(position <= r->head);
    if (position > reader->position) {
        reader->position = position;
        uv_cond_broadcast(&r->changed);
    }
    uv_mutex_unlock(&r->lock);
}

static void fill_state(const struct iq_ring *r, struct iq_ring_state *out)
{
    *out = (struct iq_ring_state){.head = r->head, .closed = r->closed};
    out->has_mark = r->marks_in != r->marks_out;
    if (out->has_mark) {
        out->mark_position = r->mark[r->marks_out % MARKS].position;
        out->mark_continues = r->mark[r->marks_out % MARKS].continues;
    }
}

void iq_ring_wait(struct iq_ring *r, uint64_t position, int timeout_ms, struct iq_ring_state *out)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    uv_mutex_lock(&r->lock);
    fill_state(r, out);
    while (out->head < position && !out->closed && !out->has_mark) {
        r->awaited = position < r->awaited ? position : r->awaited;
        if (!clock_wait(&r->changed, &r->lock, until))
            break;
        fill_state(r, out);
    }
    uv_mutex_unlock(&r->lock);
}

bool iq_ring_pop_mark(struct iq_ring *r, struct iq_mark *out)
{
    uv_mutex_lock(&r->lock);
    /* A mark pending at the end belongs after the last sample. */
    if (r->closed && r->marks_in == r->marks_out)
        flush_pending(r);
    const bool found = r->marks_in != r->marks_out;
    if (found) {
        *out = r->mark[r->marks_out++ % MARKS];
        uv_cond_broadcast(&r->changed);
    }
    uv_mutex_unlock(&r->lock);
    return found;
}

void iq_ring_totals(struct iq_ring *r, struct iq_ring_totals *out)
{
    uv_mutex_lock(&r->lock);
    *out = r->totals;
    out->fill = (double)held_samples(r) / (double)r->capacity;
    uv_mutex_unlock(&r->lock);
}

/* ---- readers that follow the dsp thread: recordings ---------------------------------------- */

uint64_t iq_reader_join_near(struct iq_reader *reader, struct iq_ring *r, uint64_t position,
                             bool holds)
{
    uv_mutex_lock(&r->lock);
    const uint64_t oldest = oldest_sample(r);
    if (position > r->head)
        position = r->head;
    if (position < oldest)
        position = oldest;
    *reader = (struct iq_reader){.next = r->readers, .position = position, .holds = holds};
    r->readers = reader;
    uv_mutex_unlock(&r->lock);
    return position;
}

uint64_t iq_reader_take(struct iq_reader *reader, struct iq_ring *r, uint64_t position)
{
    uv_mutex_lock(&r->lock);
    const uint64_t overtaken = reader->overtaken;
    reader->overtaken = 0;
    if (position > reader->position) {
        reader->position = position;
        uv_cond_broadcast(&r->changed);
    }
    uv_mutex_unlock(&r->lock);
    return overtaken;
}

/* With the lock held. */
static bool has_joined(const struct iq_ring *r, const struct iq_reader *reader)
{
    const struct iq_reader *at = r->readers;
    while (at && at != reader)
        at = at->next;
    return at != NULL;
}

static uint64_t reached(const struct iq_ring *r, const struct iq_reader *ahead, bool *final)
{
    const bool joined = has_joined(r, ahead);
    *final = r->closed && !joined;
    return joined ? ahead->position : r->head;
}

uint64_t iq_ring_follow(struct iq_ring *r, const struct iq_reader *ahead, uint64_t position,
                        int timeout_ms, bool *final)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    uv_mutex_lock(&r->lock);
    uint64_t end = reached(r, ahead, final);
    while (end < position && !*final && clock_wait(&r->changed, &r->lock, until))
        end = reached(r, ahead, final);
    uv_mutex_unlock(&r->lock);
    return end;
}

uint64_t iq_ring_find_mark(struct iq_ring *r, uint64_t position, struct iq_mark *before,
                           uint64_t *since)
{
    uv_mutex_lock(&r->lock);
    const uint64_t number = mark_log_find(&r->log, position, before, since);
    uv_mutex_unlock(&r->lock);
    return number;
}

bool iq_ring_read_mark(struct iq_ring *r, uint64_t *number, struct iq_mark *out)
{
    uv_mutex_lock(&r->lock);
    const bool found = mark_log_read(&r->log, number, out);
    uv_mutex_unlock(&r->lock);
    return found;
}
