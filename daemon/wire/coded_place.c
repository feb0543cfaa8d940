/* coded_place.c - reads the first numbers of a range-coded line: docs/protocol.md has the table. */
#include "daemon/wire/coded_place.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/bytes.h"
#include "daemon/wire/wire.h"

enum { MARK = 'L', KIND_AT = 5, KIND_PLAIN = 1, KIND = 3 };
enum { STEP_CHANGED = 1, MERGED_CHANGED = 2, LEVELS = 2 * sizeof(float) };

bool coded_place_has_base(const uint8_t *bytes, size_t size)
{
    return size > 0 && bytes[0] == 'F'; /* no mark is as low */
}

static int read_base(struct bytes_reader *r, struct coded_place *out)
{
    struct wire_header h;
    uint8_t header[WIRE_HEADER];
    const uint8_t *bytes = bytes_skip(r, WIRE_HEADER);
    if (!bytes || bytes[KIND_AT] != KIND)
        return -EINVAL;
    memcpy(header, bytes, sizeof header);
    header[KIND_AT] = KIND_PLAIN;
    if (wire_read_header(header, sizeof header, &h) < 0)
        return -EINVAL;
    if (h.columns < 1 || h.columns > WIRE_COLUMNS_MAX || h.merged < 1)
        return -EINVAL;
    out->base = h.line;
    return 0;
}

/* Lines count from 0, so a frame of `merged` lines has none below merged - 1. */
static bool is_possible(const struct coded_place *p, uint64_t lines)
{
    return lines >= 1 && lines <= UINT32_MAX && p->line < INT64_MAX && p->line + 1 >= lines;
}

int coded_place_read(const uint8_t *bytes, size_t size, uint64_t base, struct coded_place *out)
{
    struct bytes_reader r = {.at = bytes, .end = bytes + size};
    *out = (struct coded_place){.complete = coded_place_has_base(bytes, size), .base = base};
    if (out->complete && read_base(&r, out) < 0)
        return -EINVAL;
    const uint8_t *mark = bytes_skip(&r, 2); /* and the flags */
    const uint64_t present = bytes_varint(&r);
    out->line = out->base + (uint64_t)bytes_signed(&r);
    bytes_signed(&r); /* the peak's bin */
    bytes_skip(&r, LEVELS + (present & STEP_CHANGED ? sizeof(float) : 0));
    const uint64_t lines = 1 + (uint64_t)(present & MERGED_CHANGED ? bytes_signed(&r) : 0);
    if (!mark || mark[0] != MARK || r.failed || !is_possible(out, lines))
        return -EINVAL;
    out->merged = (uint32_t)lines;
    return 0;
}
