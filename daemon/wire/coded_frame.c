/* coded_frame.c - writes what changed since the base, and the levels. */
#include "daemon/wire/coded_frame.h"

#include <math.h>
#include <string.h>

#include "daemon/base/bytes.h"
#include "daemon/wire/level_code.h"

enum { MARK = 'L', KIND_AT = 5, KIND = 3 };
enum { CHANGES = 13, CHANGES_BYTES = 16 + BYTES_VARINT * (CHANGES + 3) };
enum { STEP_CHANGED = 1 };

/* ---- the base --------------------------------------------------------------------------- */

/* Bytes of the header that are settings: from, to. */
static const uint8_t settings[][2] = {{7, 8},     {28, 32},   {56, 96},  {104, 108},
                                      {120, 128}, {136, 144}, {208, 240}};

static bool same_settings(const struct wire_header *a, const struct wire_header *b)
{
    uint8_t bytes[2][WIRE_HEADER];
    wire_write_header(a, bytes[0]);
    wire_write_header(b, bytes[1]);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const uint8_t *part = settings[i];
        if (memcmp(bytes[0] + part[0], bytes[1] + part[0], (size_t)(part[1] - part[0])) != 0)
            return false;
    }
    return true;
}

/* ---- changes ---------------------------------------------------------------------------- */

/* Nanoseconds between the first samples of base and frame, by the rate. */
static int64_t elapsed_ns(const struct wire_header *base, const struct wire_header *h)
{
    const double samples = (double)(int64_t)(h->first_sample - base->first_sample);
    const double ns = samples * 1e9 / h->rate_hz;
    return fabs(ns) < 1e18 ? (int64_t)floor(ns + 0.5) : 0;
}

/* The differences to what follows from the base, in the order of the table in the protocol. */
static void compare(const struct wire_header *base, const struct wire_header *h,
                    uint64_t change[CHANGES])
{
    const uint64_t each = base->frames / base->merged; /* frames a line */
    const uint64_t first_line = h->line - h->merged - (base->line - base->merged);
    const uint64_t end = h->first_sample + h->samples;
    const uint64_t since = end - base->first_sample - base->samples;
    const struct ledger *now = &h->ledger, *then = &base->ledger;
    *change++ = h->merged - 1;
    *change++ = h->frames - h->merged * each;
    *change++ = h->first_sample - base->first_sample - first_line * each * h->hop;
    *change++ = h->samples - (h->frames - 1) * h->hop - h->n;
    *change++ = (uint64_t)h->time_ns - (uint64_t)base->time_ns - (uint64_t)elapsed_ns(base, h);
    *change++ = now->produced - then->produced - since;
    *change++ = now->seen - then->seen - since;
    for (int i = 0; i < LOSS_CAUSES; i++)
        *change++ = now->lost[i] - then->lost[i];
    *change = now->clipped - then->clipped;
}

/* Writes at most CHANGES_BYTES bytes, and returns their end. */
static uint8_t *write_changes(uint8_t *at, const struct wire_header *base,
                              const struct wire_header *h)
{
    uint64_t change[CHANGES];
    const float step = h->level_step_db;
    const bool step_changed = step < base->level_step_db || step > base->level_step_db;
    uint64_t present = step_changed ? STEP_CHANGED : 0;
    compare(base, h, change);
    for (int i = 0; i < CHANGES; i++)
        present |= change[i] != 0 ? 1ULL << (i + 1) : 0;
    *at++ = MARK;
    *at++ = h->flags;
    at = bytes_put_varint(at, present);
    at = bytes_put_signed(at, (int64_t)(h->line - base->line));
    at = bytes_put_signed(at, llround((h->peak_hz - base->peak_hz) * h->n / h->rate_hz));
    at = bytes_append(at, &h->level_offset_db, sizeof h->level_offset_db);
    at = bytes_append(at, &h->peak_db, sizeof h->peak_db);
    if (step_changed)
        at = bytes_append(at, &step, sizeof step);
    for (int i = 0; i < CHANGES; i++) {
        if (change[i] != 0)
            at = bytes_put_signed(at, (int64_t)change[i]);
    }
    return at;
}

/* ---- frames ----------------------------------------------------------------------------- */

struct ws_message *coded_frame_create(struct coded_base *base, const struct wire_header *h,
                                      const uint8_t *levels)
{
    uint8_t code[WIRE_COLUMNS_MAX];
    const size_t coded = level_code_write(levels, h->columns, code, h->columns);
    const size_t size = coded > 0 ? coded : h->columns;
    struct ws_message *frame = ws_message_create(CHANGES_BYTES + size);
    if (!frame)
        return NULL;
    if (base->number == 0 || !same_settings(&base->header, h)) {
        base->header = *h;
        base->number++;
    }
    struct wire_header now = *h;
    now.flags |= coded > 0 ? WIRE_RANGE_CODED : 0;
    uint8_t *payload = write_changes(frame->data, &base->header, &now);
    memcpy(payload, coded > 0 ? code : levels, size);
    frame->size = (size_t)(payload - frame->data) + size;
    return frame;
}

struct ws_message *coded_frame_complete(const struct coded_base *base,
                                        const struct ws_message *frame)
{
    struct ws_message *complete = ws_message_create(WIRE_HEADER + frame->size);
    if (!complete)
        return NULL;
    wire_write_header(&base->header, complete->data);
    complete->data[KIND_AT] = KIND;
    memcpy(complete->data + WIRE_HEADER, frame->data, frame->size);
    return complete;
}

static void set_more(uint8_t *flags, bool more)
{
    *flags = (uint8_t)(more ? *flags | WIRE_MORE : *flags & ~WIRE_MORE);
}

void coded_frame_address(struct ws_message *frame, uint32_t view, unsigned slot, bool more)
{
    enum { FLAGS_AT = 6 };
    uint8_t *changes = frame->data;
    if (frame->data[0] == 'F') { /* the header's magic; no mark is as low */
        wire_set_view(frame->data, view);
        changes = frame->data + WIRE_HEADER;
        if (frame->data[KIND_AT] != KIND) {
            set_more(frame->data + FLAGS_AT, more);
            return;
        }
    }
    changes[0] = (uint8_t)(MARK + slot);
    set_more(changes + 1, more);
}
