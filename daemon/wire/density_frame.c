/* density_frame.c - codes the hits of a density as runs, and deflates them. */
#include "daemon/wire/density_frame.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "daemon/wire/hit_code.h"
#include "daemon/wire/wire.h"

enum { WIDE = 255 };

static uint8_t *write_hits(uint8_t *at, double hits)
{
    const uint32_t count = (uint32_t)hits;
    if (count < WIDE) {
        *at++ = (uint8_t)count;
        return at;
    }
    *at++ = WIDE;
    memcpy(at, &count, sizeof count);
    return at + sizeof count;
}

/* The rows of a column from the first hit to the last. */
static uint8_t *write_column(uint8_t *at, const double *hits, uint32_t levels)
{
    uint32_t first = 0, end = levels;
    while (first < levels && hits[first] < 1)
        first++;
    while (end > first && hits[end - 1] < 1)
        end--;
    const uint16_t head[2] = {(uint16_t)first, (uint16_t)(end - first)};
    memcpy(at, head, sizeof head);
    at += sizeof head;
    for (uint32_t r = first; r < end; r++)
        at = write_hits(at, hits[r]);
    return at;
}

/* *size: of the runs. NULL: no memory. */
static uint8_t *write_runs(const struct density *d, size_t *size)
{
    const size_t columns = d->shape.columns, levels = d->shape.levels;
    uint8_t *runs = malloc(columns * (4 + 5 * levels)), *at = runs;
    for (size_t c = 0; runs && c < columns; c++)
        at = write_column(at, d->hits + c * levels, (uint32_t)levels);
    *size = (size_t)(at - runs);
    return runs;
}

static void put(uint8_t *header, size_t at, const void *value, size_t size)
{
    memcpy(header + at, value, size);
}
#define PUT(at, type, value) put(header, at, &(type){value}, sizeof(type))

/* coded: WIRE_DEFLATED, WIRE_RANGE_CODED or 0. */
static void write_header(uint8_t header[DENSITY_HEADER], const struct density *d, uint64_t before,
                         uint8_t coded)
{
    static const uint8_t magic[] = {'F', 'F', 'T', 'D', 1, 2};
    const double bin_hz = d->tuning.rate_hz / d->n;
    memset(header, 0, DENSITY_HEADER);
    memcpy(header, magic, sizeof magic);
    header[6] = (uint8_t)(coded | (d->simulated ? WIRE_SIMULATED : 0) |
                          (d->rate_assumed ? WIRE_RATE_ASSUMED : 0));
    PUT(8, uint32_t, DENSITY_HEADER);
    PUT(12, uint32_t, d->shape.columns);
    PUT(16, uint32_t, d->shape.levels);
    PUT(20, float, d->shape.top_db);
    PUT(24, float, d->shape.step_db);
    PUT(28, uint32_t, (uint32_t)d->lines);
    PUT(32, uint64_t, d->line);
    PUT(40, uint64_t, (uint64_t)d->frames);
    PUT(48, uint64_t, before);
    PUT(56, uint64_t, d->first_sample);
    PUT(64, uint64_t, d->end_sample - d->first_sample);
    PUT(72, int64_t, d->time_ns);
    PUT(80, double, d->tuning.center_hz);
    PUT(88, double, d->tuning.rate_hz);
    PUT(96, double, d->tuning.center_hz - d->tuning.rate_hz / 2 - bin_hz / 2);
    PUT(104, uint32_t, d->n);
}

static struct ws_message *create_with_runs(const struct density *d, uint64_t frames_before)
{
    size_t size;
    uint8_t *runs = write_runs(d, &size);
    struct ws_message *frame = runs ? ws_message_create(DENSITY_HEADER + size) : NULL;
    if (frame) {
        uLongf packed = size;
        uint8_t *payload = frame->data + DENSITY_HEADER;
        const bool deflated = compress2(payload, &packed, runs, size, 4) == Z_OK;
        if (deflated)
            frame->size = DENSITY_HEADER + packed;
        else
            memcpy(payload, runs, size);
        write_header(frame->data, d, frames_before, deflated ? WIRE_DEFLATED : 0);
    }
    free(runs);
    return frame;
}

/* NULL: no memory, or the range code needs more than two bytes a level, as it does for no hits. */
static struct ws_message *create_with_code(const struct density *d, uint64_t frames_before)
{
    const size_t capacity = 2 * (size_t)d->shape.columns * d->shape.levels;
    struct ws_message *frame = ws_message_create(DENSITY_HEADER + capacity);
    const size_t size = frame ? hit_code_write(d, frame->data + DENSITY_HEADER, capacity) : 0;
    if (size == 0) {
        ws_message_unref(frame);
        return NULL;
    }
    frame->size = DENSITY_HEADER + size;
    write_header(frame->data, d, frames_before, WIRE_RANGE_CODED);
    return frame;
}

struct ws_message *density_frame_create(const struct density *d, uint64_t frames_before,
                                        enum wire_coding coding)
{
    struct ws_message *frame = coding == WIRE_RANGE ? create_with_code(d, frames_before) : NULL;
    return frame ? frame : create_with_runs(d, frames_before);
}
