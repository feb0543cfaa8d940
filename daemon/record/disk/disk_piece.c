/* disk_piece.c - which headers of blocks are to be trusted. */
#include "daemon/record/disk/disk_piece.h"

#include <string.h>
#include <unistd.h>

#include "daemon/record/record_meta.h"

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

/* To read another byte as a bool is undefined. */
static bool is_bool(const bool *b)
{
    unsigned char byte;
    memcpy(&byte, b, 1);
    return byte <= 1;
}

static bool is_tuning(const struct tuning *t)
{
    return IS_TEXT(t->gain) && IS_TEXT(t->antenna) && IS_TEXT(t->settings) && t->rate_hz >= 0 &&
           t->rate_hz <= TUNING_RATE_MAX_HZ && is_bool(&t->invert);
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
 * The hash finds what a crash has torn. It does not show who wrote the header: whatever it says, no
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

struct disk_entry disk_entry_of(const struct disk_piece *p)
{
    const struct record_moment m = record_moment_at(&p->stream, &p->mark, p->position);
    return (struct disk_entry){.sequence = p->sequence,
                               .run = p->run,
                               .epoch = p->epoch,
                               .sample_bytes = (uint32_t)fft_iq_bytes(p->stream.format),
                               .position = p->position,
                               .samples = p->samples,
                               .time_ns = m.has_time ? m.time_ns : INT64_MIN,
                               .rate_hz = p->stream.tuning.rate_hz};
}
