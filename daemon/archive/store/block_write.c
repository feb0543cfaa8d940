/* block_write.c - writes rows of levels as a block. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "daemon/archive/store/block_code.h"
#include "daemon/base/bytes.h"

struct writer {
    const struct archive_rows *rows;
    float step_db;
    int32_t *base[ARCHIVE_DETECTORS]; /* [columns] in parts of a step */
    float *value;                     /* [rows][columns] of the detector at hand */
    float *mean;                      /* [rows][columns] as a reader gets it */
    uint8_t *symbol;                  /* [rows][columns] */
    struct text escape[ARCHIVE_DETECTORS];
    struct text *out;
};

static void add_varint(struct text *t, uint64_t value)
{
    uint8_t bytes[BYTES_VARINT];
    const uint8_t *end = bytes_put_varint(bytes, value);
    text_add_bytes(t, (const char *)bytes, (size_t)(end - bytes));
}

static void add_signed(struct text *t, int64_t value)
{
    add_varint(t, bytes_zigzag(value));
}

static bool has(const struct writer *w, unsigned detector)
{
    return (w->rows->layout.detectors & 1U << detector) != 0;
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* What is quantised in equal steps: dB, or the logarithm of the minimum's distance. */
static void take_values(struct writer *w, unsigned d)
{
    const size_t count = (size_t)w->rows->count * w->rows->layout.columns;
    const bool distance = d == BLOCK_MIN && block_has_distance(w->rows->layout.detectors);
    for (size_t i = 0; i < count; i++) {
        const float db = fmaxf(w->rows->db[d][i], block_floor_db);
        w->value[i] = distance ? block_log_distance(fmaxf(w->mean[i] - db, 0)) : db;
    }
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The median of a column: half a step beside it, noise would cost a bit more. */
static float find_median(const struct writer *w, uint32_t column)
{
    float values[ARCHIVE_ROWS] = {0};
    const uint32_t count = w->rows->count;
    for (uint32_t i = 0; i < count; i++)
        values[i] = w->value[(size_t)i * w->rows->layout.columns + column];
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

/* Writes one difference into its symbol. */
static void put_difference(struct writer *w, unsigned d, size_t at, int difference)
{
    const struct block_field *f = &block_fields[d];
    const bool fits = difference >= -f->reach && difference <= f->reach;
    const unsigned code = fits ? (unsigned)(difference + f->reach) : f->mask;
    w->symbol[at] |= (uint8_t)(code << f->shift);
    if (!fits)
        add_signed(&w->escape[d], difference);
}

static void quantise(struct writer *w, unsigned d)
{
    const uint32_t columns = w->rows->layout.columns;
    const float step = block_step(d, w->rows->layout.detectors, w->step_db);
    const float part = step / block_fields[d].parts;
    take_values(w, d);
    for (uint32_t c = 0; c < columns; c++)
        w->base[d][c] = (int32_t)lroundf(find_median(w, c) / part);
    for (uint32_t i = 0; i < w->rows->count; i++) {
        for (uint32_t c = 0; c < columns; c++) {
            const size_t at = (size_t)i * columns + c;
            const float base = (float)w->base[d][c] * part;
            const int difference = (int)lroundf((w->value[at] - base) / step);
            put_difference(w, d, at, difference);
            if (d == BLOCK_MEAN)
                w->mean[at] = base + (float)difference * step;
        }
    }
}

/* ---- the payload ------------------------------------------------------------------------ */

static void add_rows(struct text *t, const struct archive_rows *rows)
{
    struct archive_row last = {.time_ns = rows->row[0].time_ns};
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct archive_row *row = &rows->row[i];
        add_signed(t, row->time_ns - last.time_ns);
        add_varint(t, (uint64_t)row->duration_ns);
        add_signed(t, (int64_t)(row->first_line - last.first_line));
        add_signed(t, (int64_t)(row->first_sample - last.first_sample));
        add_varint(t, row->lines);
        add_varint(t, row->epoch);
        add_varint(t, row->frames);
        add_varint(t, row->lost);
        add_varint(t, row->breaks);
        last = *row;
    }
}

static void add_bases(struct text *t, const struct writer *w)
{
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++) {
        int32_t last = 0;
        for (uint32_t c = 0; has(w, d) && c < w->rows->layout.columns; c++) {
            add_signed(t, w->base[d][c] - last);
            last = w->base[d][c];
        }
    }
}

static void add_payload(struct text *t, const struct writer *w)
{
    const struct archive_rows *rows = w->rows;
    const size_t facts = strlen(rows->facts);
    add_varint(t, facts);
    text_add_bytes(t, rows->facts, facts);
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++)
        add_varint(t, w->escape[d].length);
    add_rows(t, rows);
    add_bases(t, w);
    text_add_bytes(t, (const char *)w->symbol, (size_t)rows->count * rows->layout.columns);
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++)
        text_add_bytes(t, w->escape[d].data, w->escape[d].length);
}

/* ---- the block -------------------------------------------------------------------------- */

static void fill_head(uint8_t *head, const struct archive_rows *rows, uint64_t period_ns,
                      float step_db)
{
    int64_t end_ns = INT64_MIN;
    uint32_t step;
    for (uint32_t i = 0; i < rows->count; i++) {
        const int64_t end = archive_row_end_ns(&rows->row[i]);
        end_ns = end > end_ns ? end : end_ns;
    }
    memcpy(&step, &step_db, sizeof step);
    bytes_put(head, BLOCK_MAGIC, 4);
    bytes_put(head + 16, period_ns, 8);
    bytes_put(head + 24, (uint64_t)rows->row[0].time_ns, 8);
    bytes_put(head + 32, (uint64_t)end_ns, 8);
    bytes_put_double(head + 40, rows->layout.low_hz);
    bytes_put_double(head + 48, rows->layout.column_hz);
    bytes_put(head + 56, rows->layout.columns, 4);
    bytes_put(head + 60, rows->count, 2);
    bytes_put(head + 62, rows->layout.detectors, 2);
    bytes_put(head + 64, step, 4);
    bytes_put(head + 68, rows->layout.bins, 4);
}

enum { HASH_LOG = 6, MATCH_MIN = 7 }; /* zstd's smallest and largest */

/*
 * The symbols are noise: a match that zstd finds in them by chance costs more than the Huffman
 * code of its bytes. So it searches little, for long ones. 0: no memory.
 */
static size_t pack(char *packed, size_t capacity, const struct text *raw)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t size = 0;
    if (context) {
        ZSTD_CCtx_setParameter(context, ZSTD_c_strategy, ZSTD_fast);
        ZSTD_CCtx_setParameter(context, ZSTD_c_hashLog, HASH_LOG);
        ZSTD_CCtx_setParameter(context, ZSTD_c_minMatch, MATCH_MIN);
        size = ZSTD_compress2(context, packed, capacity, raw->data, raw->length);
    }
    ZSTD_freeCCtx(context);
    return ZSTD_isError(size) ? 0 : size;
}

static void add_packed(struct text *out, const struct text *raw, uint8_t head[BLOCK_HEAD])
{
    const size_t capacity = ZSTD_compressBound(raw->length);
    char *packed = raw->failed ? NULL : malloc(capacity);
    const size_t size = packed ? pack(packed, capacity, raw) : 0;
    if (size == 0) {
        free(packed);
        out->failed = true;
        return;
    }
    bytes_put(head + 8, BLOCK_HEAD + size, 4);
    bytes_put(head + 12, raw->length, 4);
    uLong sum = crc32(0, head + 8, BLOCK_HEAD - 8);
    sum = crc32(sum, (const Bytef *)packed, (uInt)size);
    bytes_put(head + 4, sum, 4);
    text_add_bytes(out, (const char *)head, BLOCK_HEAD);
    text_add_bytes(out, packed, size);
    free(packed);
}

static bool allocate(struct writer *w)
{
    const size_t columns = w->rows->layout.columns, count = w->rows->count * columns;
    w->value = calloc(count, sizeof *w->value);
    w->mean = malloc(count * sizeof *w->mean);
    w->symbol = calloc(count, 1);
    bool all = w->value && w->mean && w->symbol;
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++) {
        w->base[d] = malloc(columns * sizeof *w->base[d]);
        all = all && w->base[d];
    }
    return all;
}

static void release(struct writer *w)
{
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++) {
        free(w->base[d]);
        text_finish(&w->escape[d]);
    }
    free(w->value);
    free(w->mean);
    free(w->symbol);
}

void block_write(struct text *out, const struct archive_rows *rows, uint64_t period_ns,
                 float step_db)
{
    struct writer w = {.rows = rows, .step_db = step_db};
    struct text raw = {0};
    uint8_t head[BLOCK_HEAD] = {0};
    bool failed = !allocate(&w);
    for (unsigned d = 0; !failed && d < ARCHIVE_DETECTORS; d++) {
        if (has(&w, d))
            quantise(&w, d);
        failed = w.escape[d].failed;
    }
    if (failed) {
        out->failed = true;
    } else {
        add_payload(&raw, &w);
        fill_head(head, rows, period_ns, step_db);
        add_packed(out, &raw, head);
    }
    text_finish(&raw);
    release(&w);
}
