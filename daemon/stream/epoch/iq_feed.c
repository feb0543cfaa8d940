/* iq_feed.c - copies samples out of the IQ ring while its writer goes on. */
#include "daemon/stream/epoch/iq_feed.h"

/* Copies what the writer may be overwriting; the caller finds out and discards it. That is a race
 * by design, so ThreadSanitizer does not see it. */
typedef uint16_t __attribute__((may_alias)) word;
typedef uint16_t __attribute__((vector_size(16), aligned(2), may_alias)) vector;

__attribute__((no_sanitize("thread"))) static void copy_bytes(const void *from, void *to,
                                                              size_t bytes)
{
    const volatile vector *many = from;
    const size_t vectors = bytes / sizeof *many, done = vectors * sizeof *many;
    const volatile word *rest = (const volatile word *)((const char *)from + done);
    for (size_t i = 0; i < vectors; i++)
        ((vector *)to)[i] = many[i];
    for (size_t i = 0; i < (bytes - done) / sizeof *rest; i++)
        ((word *)((char *)to + done))[i] = rest[i];
}

static void set_fresh(struct iq_feed *f, bool anew)
{
    f->fresh = true;
    f->anew = f->anew || anew;
}

/* The ring may have less than was asked for, and the mark log less than the ring. */
void iq_feed_join(struct iq_feed *f, const struct epoch *e, uint64_t position, bool holds)
{
    uint64_t since;
    *f =
        (struct iq_feed){.ring = e->ring, .sample_bytes = (uint32_t)fft_iq_bytes(e->stream.format)};
    f->position = iq_reader_join_near(&f->reader, f->ring, position, holds);
    f->mark_number = iq_ring_find_mark(f->ring, f->position, &f->mark, &since);
    set_fresh(f, true);
    if (since > f->position) {
        iq_feed_skip(f, since);
        f->mark_number = iq_ring_find_mark(f->ring, f->position, &f->mark, &since);
    }
}

void iq_feed_leave(struct iq_feed *f)
{
    iq_reader_leave(&f->reader, f->ring);
}

void iq_feed_skip(struct iq_feed *f, uint64_t position)
{
    const uint64_t gone = iq_reader_take(&f->reader, f->ring, position);
    f->position = f->position + gone > position ? f->position + gone : position;
    set_fresh(f, true);
}

/* Takes the marks up to the position. Returns the position of the next one. */
static uint64_t pass_marks(struct iq_feed *f)
{
    struct iq_mark mark;
    while (iq_ring_read_mark(f->ring, &f->mark_number, &mark)) {
        if (mark.position > f->position)
            return mark.position;
        f->mark = mark;
        f->mark_number++;
        set_fresh(f, !mark.continues);
    }
    return UINT64_MAX;
}

uint64_t iq_feed_read(struct iq_feed *f, uint64_t end, void *buffer, uint64_t most, void **good,
                      uint64_t *first)
{
    const uint64_t from = f->position, next = pass_marks(f);
    if (end > next)
        end = next;
    if (end - from > most)
        end = from + most;
    copy_bytes(iq_ring_at(f->ring, from), buffer, (size_t)(end - from) * f->sample_bytes);
    const uint64_t gone = iq_reader_take(&f->reader, f->ring, end);
    f->position = from + gone > end ? from + gone : end;
    *first = from + gone;
    *good = (unsigned char *)buffer + gone * f->sample_bytes;
    if (gone > 0)
        set_fresh(f, true);
    return gone < end - from ? end - from - gone : 0;
}
