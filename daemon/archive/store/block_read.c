/* block_read.c - reads a block row by row. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "daemon/archive/store/block_code.h"
#include "daemon/base/bytes.h"

enum { RAW_MAX = 1 << 30 };

/* ---- the head --------------------------------------------------------------------------- */

int block_read_head(const uint8_t bytes[BLOCK_HEAD], struct block_head *out)
{
    const uint32_t step = (uint32_t)bytes_get(bytes + 64, 4);
    *out = (struct block_head){.checksum = (uint32_t)bytes_get(bytes + 4, 4),
                               .size = (uint32_t)bytes_get(bytes + 8, 4),
                               .raw_size = (uint32_t)bytes_get(bytes + 12, 4),
                               .period_ns = bytes_get(bytes + 16, 8),
                               .start_ns = (int64_t)bytes_get(bytes + 24, 8),
                               .end_ns = (int64_t)bytes_get(bytes + 32, 8),
                               .layout = {.low_hz = bytes_get_double(bytes + 40),
                                          .column_hz = bytes_get_double(bytes + 48),
                                          .columns = (uint32_t)bytes_get(bytes + 56, 4),
                                          .detectors = (unsigned)bytes_get(bytes + 62, 2),
                                          .bins = (uint32_t)bytes_get(bytes + 68, 4)},
                               .rows = (uint32_t)bytes_get(bytes + 60, 2)};
    memcpy(&out->step_db, &step, sizeof step);
    const struct archive_layout *l = &out->layout;
    const bool sound =
        bytes_get(bytes, 4) == BLOCK_MAGIC && out->size > BLOCK_HEAD && out->raw_size <= RAW_MAX &&
        out->period_ns > 0 && out->rows > 0 && out->rows <= ARCHIVE_ROWS && l->columns > 0 &&
        l->columns <= ARCHIVE_COLUMNS && l->detectors > 0 &&
        l->detectors < 1U << ARCHIVE_DETECTORS && isfinite(l->low_hz) && isfinite(l->column_hz) &&
        l->column_hz > 0 && isfinite(out->step_db) && out->step_db > 0 &&
        out->end_ns >= out->start_ns && out->start_ns >= ARCHIVE_TIME_LEAST &&
        out->end_ns <= ARCHIVE_TIME_MOST && out->period_ns <= ARCHIVE_PERIOD_MOST;
    return sound ? 0 : -EBADMSG;
}

int block_check(const uint8_t *bytes, const struct block_head *head)
{
    return crc32(0, bytes + 8, head->size - 8) == head->checksum ? 0 : -EBADMSG;
}

/* ---- the payload ------------------------------------------------------------------------ */

static bool has(const struct block_reader *r, unsigned detector)
{
    return (r->head.layout.detectors & 1U << detector) != 0;
}

static bool is_sound(const struct archive_row *row)
{
    return row->time_ns >= ARCHIVE_TIME_LEAST && row->time_ns <= ARCHIVE_TIME_MOST &&
           row->duration_ns >= 0 && row->duration_ns <= ARCHIVE_TIME_MOST - row->time_ns;
}

static void read_rows(struct block_reader *r, struct bytes_reader *in)
{
    struct archive_row last = {.time_ns = r->head.start_ns};
    for (uint32_t i = 0; i < r->head.rows; i++) {
        struct archive_row *row = &r->row[i];
        row->time_ns = (int64_t)((uint64_t)last.time_ns + (uint64_t)bytes_signed(in));
        row->duration_ns = (int64_t)bytes_varint(in);
        row->first_line = last.first_line + (uint64_t)bytes_signed(in);
        row->first_sample = last.first_sample + (uint64_t)bytes_signed(in);
        row->lines = (uint32_t)bytes_varint(in);
        row->epoch = (uint32_t)bytes_varint(in);
        row->frames = bytes_varint(in);
        row->lost = bytes_varint(in);
        row->breaks = (unsigned)bytes_varint(in);
        in->failed = in->failed || !is_sound(row);
        last = *row;
    }
}

static void read_bases(struct block_reader *r, struct bytes_reader *in)
{
    const uint32_t columns = r->head.layout.columns;
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++) {
        const float part =
            block_step(d, r->head.layout.detectors, r->head.step_db) / block_fields[d].parts;
        uint64_t base = 0;
        for (uint32_t c = 0; has(r, d) && c < columns; c++) {
            base += (uint64_t)bytes_signed(in);
            r->base[d][c] = (float)(int64_t)base * part;
        }
    }
    for (uint32_t c = 0; has(r, BLOCK_MEAN) && c < columns; c++)
        r->base_power[c] = powf(10, r->base[BLOCK_MEAN][c] / 10);
    for (uint32_t c = 0; block_has_distance(r->head.layout.detectors) && c < columns; c++)
        r->base[BLOCK_MIN][c] = expf(r->base[BLOCK_MIN][c]);
}

static int allocate(struct block_reader *r)
{
    const size_t columns = r->head.layout.columns;
    r->row = calloc(r->head.rows, sizeof *r->row);
    r->memory = malloc((ARCHIVE_DETECTORS + 2) * columns * sizeof *r->memory);
    r->facts = malloc(ARCHIVE_FACTS);
    if (!r->row || !r->memory || !r->facts)
        return -ENOMEM;
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++)
        r->base[d] = r->memory + d * columns;
    r->base_power = r->memory + ARCHIVE_DETECTORS * columns;
    r->mean = r->base_power + columns;
    return 0;
}

static int read_payload(struct block_reader *r)
{
    struct bytes_reader in = {.at = r->raw, .end = r->raw + r->head.raw_size};
    uint64_t escapes[ARCHIVE_DETECTORS];
    const uint64_t facts = bytes_varint(&in);
    const uint8_t *text = facts < ARCHIVE_FACTS ? bytes_skip(&in, facts) : NULL;
    if (!text)
        return -EBADMSG;
    memcpy(r->facts, text, (size_t)facts);
    r->facts[facts] = '\0';
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++)
        escapes[d] = bytes_varint(&in);
    read_rows(r, &in);
    read_bases(r, &in);
    r->symbol = bytes_skip(&in, (uint64_t)r->head.rows * r->head.layout.columns);
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++) {
        r->escape[d] = bytes_skip(&in, escapes[d]);
        r->escapes_end[d] = in.at;
    }
    return in.failed || in.at != in.end ? -EBADMSG : 0;
}

static int decompress(struct block_reader *r, const uint8_t *bytes)
{
    r->raw = malloc(r->head.raw_size + 1U);
    if (!r->raw)
        return -ENOMEM;
    const size_t size =
        ZSTD_decompress(r->raw, r->head.raw_size, bytes + BLOCK_HEAD, r->head.size - BLOCK_HEAD);
    return ZSTD_isError(size) || size != r->head.raw_size ? -EBADMSG : 0;
}

int block_open(struct block_reader *r, const uint8_t *bytes, size_t size)
{
    *r = (struct block_reader){0};
    int err = size < BLOCK_HEAD ? -EBADMSG : block_read_head(bytes, &r->head);
    if (err == 0)
        err = r->head.size == size ? block_check(bytes, &r->head) : -EBADMSG;
    if (err == 0)
        err = decompress(r, bytes);
    if (err == 0)
        err = allocate(r);
    if (err == 0)
        err = read_payload(r);
    if (err < 0)
        block_finish(r);
    return err;
}

void block_finish(struct block_reader *r)
{
    free(r->facts);
    free(r->row);
    free(r->raw);
    free(r->memory);
    *r = (struct block_reader){0};
}

/* ---- rows ------------------------------------------------------------------------------- */

/* What a code adds to its base, or multiplies it by: 0 or 1 for the escape, which comes later. */
struct table {
    float value[8];
};

static struct table make_sums(const struct block_field *f, float step)
{
    struct table t = {{0}};
    for (int code = 0; code <= 2 * f->reach; code++)
        t.value[code] = (float)(code - f->reach) * step;
    return t;
}

static struct table make_factors(const struct block_field *f, float step)
{
    struct table t = make_sums(f, step);
    for (int code = 0; code < 8; code++)
        t.value[code] = expf(t.value[code]);
    return t;
}

/* Without branches: codes are noise. */
static void add_table(const struct block_reader *r, unsigned d, const struct table *t, float *out)
{
    const struct block_field f = block_fields[d];
    const float *base = r->base[d];
    for (uint32_t c = 0; c < r->head.layout.columns; c++)
        out[c] = base[c] + t->value[r->symbol[c] >> f.shift & f.mask];
}

static void multiply_table(const struct block_reader *r, unsigned d, const float *base,
                           const struct table *t, float *out)
{
    const struct block_field f = block_fields[d];
    for (uint32_t c = 0; c < r->head.layout.columns; c++)
        out[c] = base[c] * t->value[r->symbol[c] >> f.shift & f.mask];
}

/*
 * The escapes of a row: each difference is added to out[c] as a number of steps, and multiplied
 * into product[c] as its exponential function. NULL: not wanted. False: the block is damaged.
 */
struct escapes {
    float step, exponent;
    float *sum, *product;
};
static bool add_escapes(struct block_reader *r, unsigned d, const struct escapes *e)
{
    const struct block_field f = block_fields[d];
    struct bytes_reader in = {.at = r->escape[d], .end = r->escapes_end[d]};
    for (uint32_t c = 0; in.at < in.end && c < r->head.layout.columns; c++) {
        if ((r->symbol[c] >> f.shift & f.mask) != f.mask)
            continue;
        const float difference = (float)bytes_signed(&in);
        if (e->sum)
            e->sum[c] += difference * e->step;
        if (e->product)
            e->product[c] *= expf(difference * e->exponent);
    }
    r->escape[d] = in.at;
    return !in.failed;
}

/* Levels of a detector whose numbers are dB. `db` and `power` may be NULL. */
static bool read_levels(struct block_reader *r, unsigned d, float *db, float *power)
{
    const float step = block_step(d, r->head.layout.detectors, r->head.step_db);
    const float exponent = step * logf(10) / 10;
    if (db) {
        const struct table sums = make_sums(&block_fields[d], step);
        add_table(r, d, &sums, db);
    }
    if (power) {
        const struct table factors = make_factors(&block_fields[d], exponent);
        multiply_table(r, d, r->base_power, &factors, power);
    }
    return add_escapes(r, d, &(struct escapes){step, exponent, db, power});
}

static bool read_distances(struct block_reader *r, const float *mean, float *db)
{
    const float step = block_step(BLOCK_MIN, r->head.layout.detectors, r->head.step_db);
    const struct table factors = make_factors(&block_fields[BLOCK_MIN], step);
    multiply_table(r, BLOCK_MIN, r->base[BLOCK_MIN], &factors, db);
    const bool sound = add_escapes(r, BLOCK_MIN, &(struct escapes){step, step, NULL, db});
    for (uint32_t c = 0; c < r->head.layout.columns; c++) {
        const float distance = block_knee_db * (db[c] - 1);
        db[c] = mean[c] - (distance > 0 ? distance : 0);
    }
    return sound;
}

int block_next_row(struct block_reader *r, const struct block_levels *out)
{
    const unsigned detectors = r->head.layout.detectors;
    float *mean = out->mean_db ? out->mean_db : out->min_db ? r->mean : NULL;
    bool sound = r->next < r->head.rows;
    if (sound && has(r, BLOCK_MEAN) && (mean || out->mean_power))
        sound = read_levels(r, BLOCK_MEAN, mean, out->mean_power);
    if (sound && out->max_db && has(r, BLOCK_MAX))
        sound = read_levels(r, BLOCK_MAX, out->max_db, NULL);
    if (sound && out->min_db && has(r, BLOCK_MIN))
        sound = block_has_distance(detectors) ? read_distances(r, mean, out->min_db)
                                              : read_levels(r, BLOCK_MIN, out->min_db, NULL);
    r->symbol += r->head.layout.columns;
    r->next++;
    return sound ? 0 : -EBADMSG;
}
