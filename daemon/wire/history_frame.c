/* history_frame.c - writes rows of the history as differences to the row before, and their levels.
 */
#include "daemon/wire/history_frame.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "daemon/base/bytes.h"
#include "daemon/wire/level_code.h"

enum { ROW_BYTES = 96 }; /* bytes of a row in the table, at most */

static bool differ(double a, double b)
{
    return a < b || a > b;
}

static uint8_t flags_of(const struct history_line *line, const struct history_line *above,
                        unsigned d)
{
    const struct history_row *row = &line->row, *last = above ? &above->row : NULL;
    const bool other_grid = !last || row->columns != last->columns ||
                            differ(row->low_hz, last->low_hz) ||
                            differ(row->column_hz, last->column_hz);
    const bool other_step = !last || differ(row->step_db[d], last->step_db[d]);
    return (uint8_t)((other_grid ? HISTORY_ROW_GRID : 0) | (line->finest ? HISTORY_ROW_FINEST : 0) |
                     (row->rate_assumed ? HISTORY_ROW_RATE_ASSUMED : 0) |
                     (row->breaks ? HISTORY_ROW_BREAKS : 0) | (other_step ? HISTORY_ROW_STEP : 0) |
                     (row->archived ? HISTORY_ROW_ARCHIVED : 0));
}

static uint8_t *write_row(uint8_t *at, const struct history_line *line,
                          const struct history_line *above, unsigned d)
{
    const struct history_row *row = &line->row;
    const uint8_t flags = flags_of(line, above, d);
    const uint64_t last_line = above ? above->row.first_line - 1 : 0;
    const uint64_t last_time = above ? (uint64_t)above->row.time_ns : 0;
    *at++ = flags;
    at = bytes_put_signed(at, (int64_t)(last_line - row->line));
    at = bytes_put_varint(at, row->lines - 1);
    at = bytes_put_varint(at, row->line - row->first_line + 1 - row->lines);
    at = bytes_put_signed(at, (int64_t)(last_time - (uint64_t)row->time_ns));
    at = bytes_append(at, &row->offset_db[d], sizeof row->offset_db[d]);
    if (flags & HISTORY_ROW_STEP)
        at = bytes_append(at, &row->step_db[d], sizeof row->step_db[d]);
    if (flags & HISTORY_ROW_GRID) {
        at = bytes_put_varint(at, row->columns);
        at = bytes_append(at, &row->low_hz, sizeof row->low_hz);
        at = bytes_append(at, &row->column_hz, sizeof row->column_hz);
    }
    if (flags & HISTORY_ROW_BREAKS) {
        *at++ = row->breaks;
        at = bytes_put_varint(at, row->lost);
    }
    return at;
}

/* Writes the levels in the shortest of the forms; returns its flag. */
static uint8_t write_levels(const struct history_result *r, enum wire_coding coding, uint8_t *into,
                            size_t *size)
{
    uLongf deflated = r->level_count;
    if (coding == WIRE_RANGE) {
        *size = level_code_write(r->levels, (uint32_t)r->level_count, into, r->level_count);
        if (*size > 0)
            return WIRE_RANGE_CODED;
    } else if (compress2(into, &deflated, r->levels, r->level_count, 1) == Z_OK) {
        *size = deflated;
        return WIRE_DEFLATED;
    }
    *size = r->level_count;
    if (r->level_count > 0)
        memcpy(into, r->levels, r->level_count);
    return 0;
}

struct ws_message *history_frame_create(const struct history_result *result, unsigned detector,
                                        uint32_t id, enum wire_coding coding)
{
    const uint32_t head[] = {HISTORY_FRAME_HEADER, id, result->rows, 0,
                             (uint32_t)result->level_count};
    struct ws_message *frame = ws_message_create(
        HISTORY_FRAME_HEADER + (size_t)result->rows * ROW_BYTES + result->level_count);
    if (!frame)
        return NULL;
    uint8_t *const table = frame->data + HISTORY_FRAME_HEADER;
    uint8_t *at = table;
    for (uint32_t i = 0; i < result->rows; i++)
        at = write_row(at, &result->line[i], i ? &result->line[i - 1] : NULL, detector);
    const uint32_t table_bytes = (uint32_t)(at - table);
    size_t levels = 0;
    const uint8_t flags = write_levels(result, coding, at, &levels);
    memset(frame->data, 0, HISTORY_FRAME_HEADER);
    memcpy(frame->data, (const uint8_t[]){'F', 'F', 'T', 'D', 1, 4, flags, (uint8_t)detector}, 8);
    memcpy(frame->data + 8, head, sizeof head);
    memcpy(frame->data + 20, &table_bytes, sizeof table_bytes);
    frame->data[28] = result->oldest;
    frame->size = HISTORY_FRAME_HEADER + table_bytes + levels;
    return frame;
}
