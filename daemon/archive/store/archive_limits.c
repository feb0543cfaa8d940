/* archive_limits.c - chooses segments by age and by bytes. */
#include "daemon/archive/store/archive_limits.h"

#include <stdio.h>
#include <stdlib.h>

#include "daemon/archive/store/archive_age.h"
#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/unix_time.h"

static const uint64_t log_every_ns = UINT64_C(3600) * 1000000000;

/* 0: a tier that is not in the options any more is kept as long as the oldest one. */
static uint64_t age_of(const struct archive_tiers *tiers, uint64_t period_ns)
{
    for (unsigned i = 0; i < tiers->count; i++)
        if (tiers->tier[i].period_ns == period_ns)
            return tiers->tier[i].age_ns;
    return tiers->tier[tiers->count - 1].age_ns;
}

/* NULL: there is none, or no memory. */
static struct archive_aged *list_segments(struct archive_store *s, size_t *count)
{
    struct archive_aged *list = NULL;
    struct archive_store_totals t;
    sqlite3_stmt *query;
    const char *sql = "SELECT id, period, bytes, ifnull(first, 0), ifnull(last, 0) FROM segment";
    *count = 0;
    archive_store_totals(s, &t);
    if (t.segments == 0 || !(list = calloc((size_t)t.segments, sizeof *list)) ||
        sqlite3_prepare_v2(archive_store_database(s), sql, -1, &query, NULL) != SQLITE_OK)
        return list;
    while (*count < t.segments && sqlite3_step(query) == SQLITE_ROW)
        list[(*count)++] =
            (struct archive_aged){.id = sqlite3_column_int64(query, 0),
                                  .period_ns = (uint64_t)sqlite3_column_int64(query, 1),
                                  .bytes = (uint64_t)sqlite3_column_int64(query, 2),
                                  .first_ns = sqlite3_column_int64(query, 3),
                                  .last_ns = sqlite3_column_int64(query, 4)};
    sqlite3_finalize(query);
    return list;
}

static void log_deleted(struct archive_deleted *d, const char *folder, const char *reason)
{
    char from[UNIX_TIME_TEXT], to[UNIX_TIME_TEXT], more[48] = "";
    if (d->count == 0)
        return;
    if (d->count > 1)
        snprintf(more, sizeof more, " and %llu more", (unsigned long long)d->count - 1);
    log_info("archive: %s/%s%s deleted, rows from %.19sZ to %.19sZ: %s", folder, d->name, more,
             unix_time_text(d->first_ns, "%Y-%m-%dT%H:%M:%S", from),
             unix_time_text(d->last_ns, "%Y-%m-%dT%H:%M:%S", to), reason);
    d->count = 0;
    d->log_at_ns = clock_now_ns() + log_every_ns;
}

static void log_all(struct archive_limits *l, const char *folder, uint64_t steady_ns)
{
    static const char *const reason[] = {[ARCHIVE_OLD] = "older than archive-tiers allows",
                                         [ARCHIVE_MANY] = "more than archive-max-bytes"};
    for (int i = 0; i < ARCHIVE_REASONS; i++)
        if (steady_ns >= l->deleted[i].log_at_ns)
            log_deleted(&l->deleted[i], folder, reason[i]);
}

void archive_limits_finish(struct archive_limits *l, const char *folder)
{
    log_all(l, folder, UINT64_MAX);
}

static void count_deleted(struct archive_deleted *d, const char *name, const struct archive_aged *a)
{
    if (d->count++ == 0) {
        snprintf(d->name, sizeof d->name, "%s", name);
        d->first_ns = a->first_ns;
        d->last_ns = a->last_ns;
    }
    d->first_ns = a->first_ns < d->first_ns ? a->first_ns : d->first_ns;
    d->last_ns = a->last_ns > d->last_ns ? a->last_ns : d->last_ns;
}

void archive_limits_apply(struct archive_limits *l, struct archive_store *s,
                          const struct archive_tiers *tiers, uint64_t max_bytes, int64_t now_ns)
{
    size_t count;
    uint64_t bytes = 0;
    char name[ARCHIVE_NAME];
    struct archive_aged *list = list_segments(s, &count);
    archive_age_sort(list, count, now_ns);
    for (size_t i = 0; i < count; i++)
        bytes += list[i].bytes;
    for (size_t i = 0; i < count; i++) {
        const bool old = list[i].age_ns > age_of(tiers, list[i].period_ns);
        const bool many = max_bytes > 0 && bytes > max_bytes;
        if ((!old && !many) || !archive_store_delete(s, list[i].id, name))
            continue;
        bytes -= list[i].bytes;
        count_deleted(&l->deleted[old ? ARCHIVE_OLD : ARCHIVE_MANY], name, &list[i]);
    }
    free(list);
    log_all(l, archive_store_folder(s), clock_now_ns());
}
