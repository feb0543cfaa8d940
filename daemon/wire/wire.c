/* wire.c - writes and reads the header of a frame, and quantises its levels. */
#include "daemon/wire/wire.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/level.h"

/* A row of the table in wire.h: offset in the header, size in bytes, offset in the struct. */
struct field {
    uint16_t at, bytes, member;
};

#define FIELD(at, name)                                                                            \
    {                                                                                              \
        at, sizeof((struct wire_header *)0)->name, offsetof(struct wire_header, name)              \
    }

static const struct field fields[] = {
    FIELD(6, flags),
    FIELD(7, detector),
    FIELD(12, view),
    FIELD(16, line),
    FIELD(24, merged),
    FIELD(28, columns),
    FIELD(32, first_sample),
    FIELD(40, samples),
    FIELD(48, time_ns),
    FIELD(56, center_hz),
    FIELD(64, rate_hz),
    FIELD(72, gain_db),
    FIELD(80, low_hz),
    FIELD(88, column_hz),
    FIELD(96, level_offset_db),
    FIELD(100, level_step_db),
    FIELD(104, enbw_bins),
    FIELD(108, peak_db),
    FIELD(112, peak_hz),
    FIELD(120, n),
    FIELD(124, hop),
    FIELD(128, frames),
    FIELD(136, line_rate_hz),
    FIELD(144, ledger.produced),
    FIELD(152, ledger.seen),
    FIELD(160, ledger.lost), /* overflow, overrun, gap, retune, tail: the order of enum loss */
    FIELD(200, ledger.clipped),
    FIELD(208, engine),
    FIELD(224, window),
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

_Static_assert(LOSS_CAUSES == 5, "the table of wire.h has five causes of loss");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the wire is little-endian, so the host must be");

/* "FFTD", version 1, kind 1 (spectrum). The size of the header is at byte 8. */
static const uint8_t magic[6] = {'F', 'F', 'T', 'D', 1, 1};
static const uint32_t header_bytes = WIRE_HEADER;

void wire_write_header(const struct wire_header *h, uint8_t into[WIRE_HEADER])
{
    memcpy(into, magic, sizeof magic);
    memcpy(into + 8, &header_bytes, sizeof header_bytes);
    for (int i = 0; i < FIELDS; i++)
        memcpy(into + fields[i].at, (const uint8_t *)h + fields[i].member, fields[i].bytes);
}

void wire_set_view(uint8_t header[WIRE_HEADER], uint32_t view)
{
    enum { VIEW_AT = 12 };
    memcpy(header + VIEW_AT, &view, sizeof view);
}

int wire_read_header(const uint8_t *bytes, size_t size, struct wire_header *out)
{
    if (size < WIRE_HEADER || memcmp(bytes, magic, sizeof magic) != 0 ||
        memcmp(bytes + 8, &header_bytes, sizeof header_bytes) != 0)
        return -EINVAL;
    *out = (struct wire_header){0};
    for (int i = 0; i < FIELDS; i++)
        memcpy((uint8_t *)out + fields[i].member, bytes + fields[i].at, fields[i].bytes);
    out->engine[sizeof out->engine - 1] = '\0';
    out->window[sizeof out->window - 1] = '\0';
    return 0;
}

enum { RANGE_DB = 160, TOP = 254 };
static const double finest_db = 0.25;

/* Finds the smallest and the largest power of a payload. */
static void find_extremes(const float *power, uint32_t columns, float *low, float *high)
{
    *low = INFINITY;
    *high = 0;
    for (uint32_t i = 0; i < columns; i++) {
        *low = power[i] < *low ? power[i] : *low; /* as fminf, without a call */
        *high = power[i] > *high ? power[i] : *high;
    }
}

void wire_quantise(struct wire_header *h, const float *power, uint8_t *levels)
{
    float low = 0;
    float high = 0;
    find_extremes(power, h->columns, &low, &high);
    const double top = level_dbfs(high);
    const double offset = fmax(level_dbfs(low), top - RANGE_DB);
    const double step = fmax(finest_db, (top - offset) / TOP);
    h->level_offset_db = (float)offset;
    h->level_step_db = (float)step;
    for (uint32_t i = 0; i < h->columns; i++) {
        const double value = (level_dbfs(power[i]) - offset) / step;
        const unsigned halves = value > 0 ? (unsigned)(2 * value) : 0;
        levels[i] = (uint8_t)((halves + 1) / 2); /* rounds as lround, without a call */
    }
}

/* The level that half of the columns do not exceed. */
static uint32_t find_median(const uint8_t *levels, uint32_t columns)
{
    uint32_t count[UINT8_MAX + 1] = {0}, median = 0;
    for (uint32_t i = 0; i < columns; i++)
        count[levels[i]]++;
    for (uint32_t below = count[0]; 2 * below < columns; below += count[median])
        median++;
    return median;
}

void wire_coarsen(struct wire_header *h, double step_db, uint8_t *levels)
{
    const double fine = h->level_step_db;
    const double ratio = fine / step_db;
    if (!(ratio < 1))
        return;
    const double median = find_median(levels, h->columns) * ratio;
    const double shift = ceil(median) - median; /* of level 0, in new steps, downwards */
    for (uint32_t i = 0; i < h->columns; i++)
        levels[i] = (uint8_t)floor(levels[i] * ratio + shift + 0.5);
    h->level_offset_db = (float)(h->level_offset_db - shift * step_db);
    h->level_step_db = (float)step_db;
}
