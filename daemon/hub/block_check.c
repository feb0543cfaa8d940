/* block_check.c - checks a block from outside before it is written. */
#include "daemon/hub/block_check.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "daemon/nats/archive_message.h"

enum { RAW_MAX = 64 << 20, BREAKS = 16 };
static const float level_max_db = 1000;
static const double hz_max = 1e12, column_min_hz = 1e-6;
static const uint64_t period_max_ns = UINT64_C(86400) * 1000000000;
static const uint64_t count_max = UINT64_C(1) << 53;
static const int64_t hour_ns = INT64_C(3600) * 1000000000, ahead_ns = INT64_C(86400) * 1000000000;

static const char *const names[COPY_FAULTS] = {
    [COPY_FAULT_REPLY] = "reply",  [COPY_FAULT_UNASKED] = "unasked", [COPY_FAULT_BLOCK] = "block",
    [COPY_FAULT_TIER] = "tier",    [COPY_FAULT_TIME] = "time",       [COPY_FAULT_FACTS] = "facts",
    [COPY_FAULT_MEMORY] = "memory"};

const char *copy_fault_name(enum copy_fault fault)
{
    return names[fault];
}

/* The longest block that archive_find.h finds; an hour is the bound of a line. */
static bool is_time(const struct block_head *h, int64_t now_ns)
{
    const int64_t longest_ns = (int64_t)(h->period_ns * 2 * ARCHIVE_ROWS) + hour_ns;
    return h->start_ns >= 0 && h->end_ns - h->start_ns <= longest_ns && h->end_ns >= h->start_ns &&
           h->end_ns <= now_ns + ahead_ns;
}

static bool is_layout(const struct archive_layout *l)
{
    return fabs(l->low_hz) <= hz_max && l->column_hz >= column_min_hz && l->column_hz <= hz_max &&
           l->bins > 0;
}

static bool is_row(const struct archive_row *row, int64_t from_ns, int64_t end_ns)
{
    return row->time_ns >= from_ns && row->time_ns <= end_ns && row->duration_ns >= 0 &&
           row->duration_ns <= end_ns - row->time_ns && row->lines > 0 && row->frames > 0 &&
           row->frames <= count_max && row->lost <= count_max && row->breaks < BREAKS;
}

/* Rows ascend, and have the times of the head. */
static bool has_ordered_rows(const struct block_reader *r)
{
    int64_t last_ns = r->head.start_ns, end_ns = last_ns;
    for (uint32_t i = 0; i < r->head.rows; i++) {
        const struct archive_row *row = &r->row[i];
        if (!is_row(row, last_ns, r->head.end_ns))
            return false;
        last_ns = row->time_ns;
        const int64_t row_end_ns = last_ns + row->duration_ns;
        end_ns = row_end_ns > end_ns ? row_end_ns : end_ns;
    }
    return r->row[0].time_ns == r->head.start_ns && end_ns == r->head.end_ns;
}

/* Answers show them as they are. */
static bool has_facts(const struct block_reader *r)
{
    json_t *facts = json_loads(r->facts, JSON_REJECT_DUPLICATES, NULL);
    const bool is_object = json_is_object(facts);
    json_decref(facts);
    return is_object;
}

static bool are_levels(const float *db, uint32_t count)
{
    bool sound = true;
    for (uint32_t i = 0; i < count; i++)
        sound = sound && fabsf(db[i]) <= level_max_db; /* no NAN either */
    return sound;
}

/* Every level can be decoded, and is one. */
static int check_levels(struct block_reader *r)
{
    const uint32_t columns = r->head.layout.columns;
    float *levels = calloc((size_t)ARCHIVE_DETECTORS * columns, sizeof *levels);
    const struct block_levels out = {
        .mean_db = levels, .max_db = levels + columns, .min_db = levels + 2 * (size_t)columns};
    bool sound = levels != NULL;
    for (uint32_t i = 0; sound && i < r->head.rows; i++)
        sound = block_next_row(r, &out) == 0 && are_levels(levels, ARCHIVE_DETECTORS * columns);
    const int fault = sound ? -1 : levels ? COPY_FAULT_BLOCK : COPY_FAULT_MEMORY;
    free(levels);
    return fault;
}

static int check_payload(const uint8_t *bytes, size_t size)
{
    struct block_reader r;
    const int err = block_open(&r, bytes, size);
    if (err < 0)
        return err == -ENOMEM ? COPY_FAULT_MEMORY : COPY_FAULT_BLOCK;
    const int fault = !has_ordered_rows(&r) ? COPY_FAULT_TIME
                      : !has_facts(&r)      ? COPY_FAULT_FACTS
                                            : check_levels(&r);
    block_finish(&r);
    return fault;
}

int block_check_foreign(const uint8_t *bytes, size_t size, uint64_t period_ns, struct block_id id,
                        int64_t now_ns)
{
    struct block_head head;
    if (size < BLOCK_HEAD || size > ARCHIVE_BLOCK_MAX || block_read_head(bytes, &head) < 0 ||
        head.size != size || head.raw_size > RAW_MAX || !is_layout(&head.layout) ||
        head.checksum != id.checksum || head.start_ns != id.start_ns)
        return COPY_FAULT_BLOCK;
    if (head.period_ns != period_ns || period_ns > period_max_ns)
        return COPY_FAULT_TIER;
    return is_time(&head, now_ns) ? check_payload(bytes, size) : COPY_FAULT_TIME;
}
