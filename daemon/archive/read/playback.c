/* playback.c - walks through the tiers of an archive in order of time. */
#include "daemon/archive/read/playback.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/read/archive_request.h"
#include "daemon/archive/store/archive_store.h"
#include "daemon/base/pairs.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/database/database.h"

/* A segment. A tier is read from its oldest row on, up to the oldest row of the next finer one. */
struct part {
    uint64_t period_ns;
    int64_t segment;
    int64_t from_ns, to_ns;
    bool back; /* it begins another run, with times that were read already */
};

struct playback {
    char *folder;
    sqlite3 *db;
    struct archive_interval interval;
    struct part *part; /* in the order in which they are read */
    unsigned parts, capacity, now;
    struct archive_interval limit; /* rows that begin outside of it are left out */
    int64_t at_ns;                 /* rows that begin before it are over */
    int64_t after_ns;              /* start of the block that was read last */
    struct block_reader block;     /* row NULL: none */
    float *passed;                 /* [ARCHIVE_COLUMNS] levels of rows that are passed over */
};

/* ---- blocks ----------------------------------------------------------------------------- */

static void drop_block(struct playback *p)
{
    block_finish(&p->block);
    p->block = (struct block_reader){0};
}

static int keep_block(void *user, struct block_reader *r)
{
    struct playback *p = user;
    p->block = *r;
    *r = (struct block_reader){0};
    return 1;
}

static void enter_part(struct playback *p, unsigned part)
{
    drop_block(p);
    p->now = part;
    p->after_ns = INT64_MIN;
    if (p->part[part].back)
        p->at_ns = INT64_MIN;
}

/* What is to be read of a part. */
static struct archive_interval interval_of(const struct playback *p, const struct part *part)
{
    const struct archive_interval *l = &p->limit;
    return (struct archive_interval){part->from_ns > l->from_ns ? part->from_ns : l->from_ns,
                                     part->to_ns < l->to_ns ? part->to_ns : l->to_ns};
}

/* The next block of the part. 1: there is one; 0: none; -errno. */
static int read_block(struct playback *p)
{
    const struct part *part = &p->part[p->now];
    const struct archive_interval interval = interval_of(p, part);
    const int64_t from = p->at_ns > interval.from_ns ? p->at_ns : interval.from_ns;
    drop_block(p);
    if (from >= interval.to_ns)
        return 0;
    const struct archive_blocks which = {.db = p->db,
                                         .folder = p->folder,
                                         .period_ns = part->period_ns,
                                         .segment = part->segment,
                                         .from_ns = from,
                                         .to_ns = interval.to_ns,
                                         .after_ns = p->after_ns};
    const int err = archive_find_blocks(&which, keep_block, p);
    if (err == 1)
        p->after_ns = p->block.head.start_ns;
    return err;
}

/* ---- rows ------------------------------------------------------------------------------- */

void playback_seek(struct playback *p, int64_t time_ns)
{
    unsigned part = 0;
    while (part + 1 < p->parts && p->part[part].to_ns <= time_ns)
        part++;
    enter_part(p, part);
    p->at_ns = time_ns;
}

void playback_limit(struct playback *p, struct archive_interval limit)
{
    p->limit = limit;
}

/* Passes over rows of the block that are over. True: it has one that is not. */
static bool find_row(struct playback *p)
{
    const struct block_levels passed = {
        .mean_power = p->passed, .max_db = p->passed, .min_db = p->passed};
    struct block_reader *b = &p->block;
    const struct archive_interval interval = interval_of(p, &p->part[p->now]);
    for (; b->row && b->next < b->head.rows; block_next_row(b, &passed)) {
        const int64_t start = b->row[b->next].time_ns;
        if (start >= interval.to_ns)
            return false;
        if (start >= p->at_ns && start >= interval.from_ns)
            return true;
    }
    return false;
}

int playback_next(struct playback *p, struct playback_row *out)
{
    while (!find_row(p)) {
        const int err = read_block(p);
        if (err < 0)
            return err;
        if (err == 0 && p->now + 1 == p->parts)
            return -ENODATA;
        if (err == 0)
            enter_part(p, p->now + 1);
    }
    const struct block_reader *b = &p->block;
    *out = (struct playback_row){.row = &b->row[b->next],
                                 .layout = &b->head.layout,
                                 .facts = b->facts,
                                 .period_ns = b->head.period_ns};
    p->at_ns = out->row->time_ns + 1;
    return 0;
}

int playback_levels(struct playback *p, const struct block_levels *out)
{
    const int err = block_next_row(&p->block, out);
    if (err < 0)
        drop_block(p);
    return err;
}

struct archive_interval playback_interval(const struct playback *p)
{
    return p->interval;
}

/* ---- opening ---------------------------------------------------------------------------- */

struct query {
    struct archive_time from, to;
    double resolution_s; /* 0: the shortest rows that there are */
};

static int parse(struct query *out, const char *keys, struct reason *why)
{
    struct pair pair;
    int err = 0;
    *out = (struct query){.from = {INT64_MIN, false}, .to = {INT64_MAX, false}};
    while (err == 0 && *keys && pairs_next(&keys, &pair)) {
        if (strcmp(pair.key, "from") == 0)
            err = archive_time_parse(pair.value, &out->from);
        else if (strcmp(pair.key, "to") == 0)
            err = archive_time_parse(pair.value, &out->to);
        else if (strcmp(pair.key, "resolution") == 0)
            err = si_parse_unit(pair.value, SI_SECONDS, &out->resolution_s);
        else
            return reason_set(why, -EINVAL, "replay-spectra: \"%s\" is not from, to or resolution",
                              pair.key);
        if (err < 0 || !(out->resolution_s >= 0 && out->resolution_s <= 86400))
            return reason_set(why, -EINVAL, "replay-spectra: %s: \"%s\" is not %s", pair.key,
                              pair.value,
                              pair.key[0] == 'r' ? "a time up to 1 d" : ARCHIVE_TIME_EXPECTED);
    }
    return *keys ? reason_set(why, -EINVAL, "replay-spectra: expected KEY=VALUE at \"%s\"", keys)
                 : 0;
}

static int add_part(struct playback *p, const struct part *part)
{
    if (p->parts == p->capacity) {
        const unsigned capacity = p->capacity ? 2 * p->capacity : 16;
        struct part *grown = realloc(p->part, capacity * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        p->part = grown;
        p->capacity = capacity;
    }
    p->part[p->parts++] = *part;
    return 0;
}

/* What a tier reads of one of its segments. */
static struct part part_of(const struct part *tier, const struct archive_segment *s)
{
    struct part part = *tier;
    part.segment = s->id;
    part.from_ns = s->first_ns > tier->from_ns ? s->first_ns : tier->from_ns;
    part.to_ns = s->last_ns < tier->to_ns ? s->last_ns : tier->to_ns;
    return part;
}

/*
 * Segments whose times overlap by more than a row are those of several runs. In each round, the
 * first segment that is left begins a run, which the next ones continue that do not overlap it.
 */
static int add_runs(struct playback *p, const struct part *tier, struct archive_segment *segment,
                    int count)
{
    const int64_t row_ns = (int64_t)tier->period_ns;
    int err = 0;
    for (int left = count, round = 0; left > 0 && err == 0; round++) {
        int64_t end_ns = INT64_MIN;
        for (int i = 0; i < count && err == 0; i++) {
            struct archive_segment *s = &segment[i];
            if (s->id == 0 || (end_ns != INT64_MIN && s->first_ns < end_ns - row_ns))
                continue;
            struct part part = part_of(tier, s);
            part.back = round > 0 && end_ns == INT64_MIN;
            err = add_part(p, &part);
            end_ns = s->last_ns;
            s->id = 0;
            left--;
        }
    }
    return err;
}

/* What overlaps, directly or through others, is read before what comes later. */
static int add_tier(struct playback *p, const struct part *tier)
{
    struct archive_segment *segment;
    const int count =
        archive_find_segments(p->db, tier->period_ns, tier->from_ns, tier->to_ns, &segment);
    int err = count < 0 ? count : 0;
    for (int first = 0, end; first < count && err == 0; first = end) {
        int64_t end_ns = segment[first].last_ns;
        for (end = first + 1;
             end < count && segment[end].first_ns < end_ns - (int64_t)tier->period_ns; end++)
            end_ns = segment[end].last_ns > end_ns ? segment[end].last_ns : end_ns;
        err = add_runs(p, tier, segment + first, end - first);
    }
    free(segment);
    return err;
}

/* Tiers from the coarsest to the finest: each up to where the next one begins. */
static int divide(struct playback *p, const uint64_t *period_ns, int tiers)
{
    int64_t to = p->interval.to_ns;
    struct part tier[ARCHIVE_TIERS];
    int first = ARCHIVE_TIERS, err = 0;
    for (int i = 0; i < tiers && to > p->interval.from_ns; i++) {
        int64_t start;
        if (archive_find_start(p->db, period_ns[i], &p->interval, &start) < 0)
            return -EIO;
        const int64_t from = start > p->interval.from_ns ? start : p->interval.from_ns;
        if (from < to)
            tier[--first] = (struct part){.period_ns = period_ns[i], .from_ns = from, .to_ns = to};
        to = from < to ? from : to;
    }
    for (; first < ARCHIVE_TIERS && err == 0; first++)
        err = add_tier(p, &tier[first]);
    return err < 0 ? err : p->parts > 0 ? 0 : -ENODATA;
}

static int find_parts(struct playback *p, const struct query *q)
{
    uint64_t period_ns[ARCHIVE_TIERS];
    const uint64_t shortest = (uint64_t)llround(q->resolution_s * 1e9);
    int first = 0;
    int tiers = archive_find_periods(p->db, period_ns);
    while (first < tiers && period_ns[first] < shortest)
        first++;
    if (tiers < 0)
        return tiers;
    tiers -= first;
    const int err =
        archive_find_interval(p->db, period_ns + first, tiers, q->from, q->to, &p->interval);
    return err < 0 ? err : divide(p, period_ns + first, tiers);
}

int playback_open(struct playback **out, const char *text, struct reason *why)
{
    struct query query;
    const size_t length = strcspn(text, ",");
    struct playback *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p)
        return reason_set(why, -ENOMEM, "replay-spectra: no memory");
    int err = parse(&query, text + length + (text[length] == ','), why);
    if (err < 0) {
        playback_close(p);
        return err;
    }
    p->folder = strndup(text, length);
    p->passed = malloc(ARCHIVE_COLUMNS * sizeof *p->passed);
    err = p->folder && p->passed ? archive_index_open_read(&p->db, p->folder) : -ENOMEM;
    if (err == 0)
        err = find_parts(p, &query);
    if (err < 0) {
        reason_set(why, err, "%.*s: %s", (int)length, text, archive_describe(err));
        playback_close(p);
        return err;
    }
    p->limit = p->interval;
    playback_seek(p, p->interval.from_ns);
    *out = p;
    return 0;
}

void playback_close(struct playback *p)
{
    if (!p)
        return;
    drop_block(p);
    database_close(p->db);
    free(p->part);
    free(p->folder);
    free(p->passed);
    free(p);
}
