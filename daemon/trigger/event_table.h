/*
 * event_table.h - events as rows of a SQLite database: writes, finds and deletes them.
 *
 * A row has the columns id, name (of the trigger), time_ns and end_ns (Unix time), stored_ns (when
 * fftd stored it first), and json, the event as event_to_json() makes it. One thread uses a
 * connection. All of it blocks on the disk.
 */
#ifndef FFTD_DAEMON_TRIGGER_EVENT_TABLE_H
#define FFTD_DAEMON_TRIGGER_EVENT_TABLE_H

#include "daemon/database/database.h"
#include "daemon/trigger/event.h"

struct reason;

struct event_limits {
    uint64_t max;     /* events that are kept; 0: no limit */
    double max_age_s; /* since they were stored; 0: no limit */
};

/* To write; the newest id of the file in *newest, 0: it is empty. As database_open. */
int event_table_open(sqlite3 **db, const char *path, uint64_t *newest, struct reason *why);
/* Events that are written together. */
struct event_batch {
    const struct event *event; /* [count] */
    size_t count;
    int64_t now_ns, stored_ns; /* of the age clock: ages count from it; stamp of new rows */
    /* by the write */
    size_t added;       /* events without a row before */
    uint64_t old, many; /* rows that were deleted, by age and by number */
};
/*
 * Stores events, or their new state, and deletes events beyond the limits, in one transaction.
 * -EIO with the reason.
 */
int event_table_write(sqlite3 *db, struct event_batch *batch, const struct event_limits *limits,
                      struct reason *why);
/*
 * Appends the events that pass the filter and whose id is below ids.end to a JSON list, oldest
 * first. Those of earlier runs have ids up to ids.earlier: no recording of this run is theirs.
 * -EIO, -ENOMEM with the reason.
 */
struct event_ids {
    uint64_t end, earlier;
};
int event_table_read(sqlite3 *db, const struct event_filter *filter, struct event_ids ids,
                     json_t *list, struct reason *why);

#endif
