/* archive_message.c - writes and reads what is said about a sensor's archive. */
#include "daemon/nats/archive_message.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/archive/store/archive_store.h"
#include "daemon/base/bytes.h"
#include "daemon/base/json.h"

enum { VERSION = 1, GAP = 1 };
static const uint8_t magic[4] = {'F', 'F', 'T', 'A'};

/* ---- offers ------------------------------------------------------------------------------ */

json_t *archive_offer_to_json(const struct archive_offer *o)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < o->count; i++)
        json_array_append_new(list,
                              json_pack("{sf sI}", "period_s", (double)o->tier[i].period_ns / 1e9,
                                        "newest_ns", (json_int_t)o->tier[i].newest_ns));
    return list;
}

/* 0: no tier has it. The names of segments must have it exactly, or a repair would lose them. */
static uint64_t read_period(const json_t *value)
{
    const double seconds = json_number_value(value);
    if (!json_is_number(value) || !(seconds >= 1e-3 && seconds <= 86400))
        return 0;
    char name[64];
    const uint64_t period_ns = (uint64_t)llround(seconds * 1e9);
    return archive_store_period_of(archive_store_name(name, sizeof name, period_ns, "", "")) ==
                   period_ns
               ? period_ns
               : 0;
}

static int read_tier(struct archive_offer *o, const json_t *tier)
{
    const json_t *newest = json_object_get(tier, "newest_ns");
    const uint64_t period_ns = read_period(json_object_get(tier, "period_s"));
    if (period_ns == 0 || !json_is_integer(newest) ||
        (o->count > 0 && period_ns <= o->tier[o->count - 1].period_ns))
        return -EINVAL;
    o->tier[o->count].period_ns = period_ns;
    o->tier[o->count++].newest_ns = json_integer_value(newest);
    return 0;
}

int archive_offer_read(struct archive_offer *out, const json_t *archive)
{
    const size_t count = json_array_size(archive);
    int err = archive && (!json_is_array(archive) || count > ARCHIVE_TIERS) ? -EINVAL : 0;
    *out = (struct archive_offer){0};
    for (size_t i = 0; err == 0 && i < count; i++)
        err = read_tier(out, json_array_get(archive, i));
    if (err < 0)
        *out = (struct archive_offer){0};
    return err;
}

/* ---- requests ---------------------------------------------------------------------------- */

char *archive_ask_write(const struct archive_ask *a)
{
    json_t *o = json_pack("{sI sI sI sI}", "period_ns", (json_int_t)a->period_ns, "from_ns",
                          (json_int_t)a->from_ns, "offset", (json_int_t)a->offset, "checksum",
                          (json_int_t)a->checksum);
    if (o && a->has_after)
        json_object_set_new(o, "after",
                            json_pack("{sI sI sI sI}", "start_ns", (json_int_t)a->after.start_ns,
                                      "checksum", (json_int_t)a->after.checksum, "segment",
                                      (json_int_t)a->after_place.segment, "place",
                                      (json_int_t)a->after_place.offset));
    char *text = json_text(o, JSON_COMPACT);
    json_decref(o);
    return text;
}

static bool read_number(const json_t *o, const char *key, int64_t low, int64_t high, int64_t *out)
{
    const json_t *value = json_object_get(o, key);
    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= low && *out <= high;
}

static bool read_after(struct archive_ask *a, const json_t *after)
{
    int64_t checksum = 0;
    a->has_after = after != NULL;
    const bool sound =
        !after || (read_number(after, "start_ns", INT64_MIN, INT64_MAX, &a->after.start_ns) &&
                   read_number(after, "checksum", 0, UINT32_MAX, &checksum) &&
                   read_number(after, "segment", 0, INT64_MAX, &a->after_place.segment) &&
                   read_number(after, "place", 0, INT64_MAX, &a->after_place.offset));
    a->after.checksum = (uint32_t)checksum;
    return sound;
}

int archive_ask_read(struct archive_ask *out, const void *data, size_t size)
{
    json_t *o = json_loadb(data, size, JSON_REJECT_DUPLICATES, NULL);
    int64_t period = 0, offset = 0, checksum = 0;
    *out = (struct archive_ask){0};
    const bool sound = json_is_object(o) && read_number(o, "period_ns", 1, INT64_MAX, &period) &&
                       read_number(o, "from_ns", INT64_MIN, INT64_MAX, &out->from_ns) &&
                       read_number(o, "offset", 0, INT32_MAX, &offset) &&
                       read_number(o, "checksum", 0, UINT32_MAX, &checksum) &&
                       read_after(out, json_object_get(o, "after"));
    out->period_ns = (uint64_t)period;
    out->offset = (uint32_t)offset;
    out->checksum = (uint32_t)checksum;
    json_decref(o);
    return sound ? 0 : -EINVAL;
}

/* ---- replies ----------------------------------------------------------------------------- */

size_t archive_part_write(const struct archive_part *p,
                          uint8_t into[ARCHIVE_PART_HEAD + ARCHIVE_PART])
{
    memset(into, 0, ARCHIVE_PART_HEAD);
    memcpy(into, magic, sizeof magic);
    into[4] = VERSION;
    into[5] = p->gap ? GAP : 0;
    bytes_put(into + 8, p->period_ns, 8);
    bytes_put(into + 16, (uint64_t)p->id.start_ns, 8);
    bytes_put(into + 24, (uint64_t)p->place.segment, 8);
    bytes_put(into + 32, (uint64_t)p->place.offset, 8);
    bytes_put(into + 40, p->id.checksum, 4);
    bytes_put(into + 44, p->block_size, 4);
    bytes_put(into + 48, p->offset, 4);
    if (p->count > 0)
        memcpy(into + ARCHIVE_PART_HEAD, p->bytes, p->count);
    return ARCHIVE_PART_HEAD + (size_t)p->count;
}

/* A part has bytes, within its block; without a block there are none. */
static bool is_within(const struct archive_part *p)
{
    if (p->block_size == 0)
        return p->count == 0 && p->offset == 0;
    return p->block_size > BLOCK_HEAD && p->block_size <= ARCHIVE_BLOCK_MAX && p->count > 0 &&
           p->count <= ARCHIVE_PART && p->offset < p->block_size &&
           p->count <= p->block_size - p->offset;
}

int archive_part_read(struct archive_part *out, const uint8_t *data, size_t size)
{
    *out = (struct archive_part){0};
    if (size < ARCHIVE_PART_HEAD || size > ARCHIVE_PART_HEAD + ARCHIVE_PART ||
        memcmp(data, magic, sizeof magic) != 0 || data[4] != VERSION)
        return -EINVAL;
    *out = (struct archive_part){.gap = (data[5] & GAP) != 0,
                                 .period_ns = bytes_get(data + 8, 8),
                                 .id = {.start_ns = (int64_t)bytes_get(data + 16, 8),
                                        .checksum = (uint32_t)bytes_get(data + 40, 4)},
                                 .place = {.segment = (int64_t)bytes_get(data + 24, 8),
                                           .offset = (int64_t)bytes_get(data + 32, 8)},
                                 .block_size = (uint32_t)bytes_get(data + 44, 4),
                                 .offset = (uint32_t)bytes_get(data + 48, 4),
                                 .count = (uint32_t)(size - ARCHIVE_PART_HEAD),
                                 .bytes = data + ARCHIVE_PART_HEAD};
    return is_within(out) ? 0 : -EINVAL;
}
