/* event_table.c - the SQL of events: their table, and the statements that write and read it. */
#include "daemon/trigger/event_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/age_clock.h"

static const char *const steps[] = {
    "CREATE TABLE event (id INTEGER PRIMARY KEY, name TEXT NOT NULL, time_ns INTEGER NOT NULL,"
    " end_ns INTEGER NOT NULL, stored_ns INTEGER NOT NULL, json TEXT NOT NULL);"
    "CREATE INDEX event_name ON event (name, id);"
    "CREATE INDEX event_time ON event (time_ns);"
    "CREATE INDEX event_stored ON event (stored_ns)",
};
static const struct database_schema schema = {steps, sizeof steps / sizeof steps[0]};

static int fail(sqlite3 *db, struct reason *why)
{
    return reason_set(why, -EIO, "%s", sqlite3_errmsg(db));
}

/* ---- opening ----------------------------------------------------------------------------- */

/* Rows with other ids are none of fftd's: they are left alone and never read. */
#define ID_MAX   "4503599627370496" /* 2^52 */
#define ID_SOUND "id BETWEEN 1 AND " ID_MAX

/* After the newest id there must be room for those of this run. */
static int read_newest(sqlite3 *db, const char *path, uint64_t *newest, struct reason *why)
{
    const int64_t most = INT64_C(1) << 51;
    int64_t id = 0, strange = 0;
    int err =
        database_read_number(db, "SELECT max(id) FROM event WHERE " ID_SOUND, NULL, 0, 0, &id);
    if (err == 0)
        err = database_read_number(db, "SELECT count(*) FROM event WHERE id < 1 OR id > " ID_MAX,
                                   NULL, 0, 0, &strange);
    if (err < 0)
        return reason_set(why, err, "%s: %s", path, sqlite3_errmsg(db));
    if (id > most)
        return reason_set(why, -EINVAL, "%s: ids cannot go on after %lld", path, (long long)id);
    if (strange > 0)
        log_warn("%s: %lld rows with impossible ids are left out", path, (long long)strange);
    *newest = (uint64_t)id;
    return 0;
}

static int open_sound(sqlite3 **db, const char *path, uint64_t *newest, struct reason *why)
{
    int err = database_open(db, path, &schema, why);
    if (err == 0)
        err = database_check(*db, path, why);
    if (err == 0)
        err = read_newest(*db, path, newest, why);
    if (err < 0) {
        database_close(*db);
        *db = NULL;
    }
    return err;
}

int event_table_open(sqlite3 **db, const char *path, uint64_t *newest, struct reason *why)
{
    int err = open_sound(db, path, newest, why);
    if (err != -EINVAL)
        return err;
    const size_t prefix = strlen(path) + 2; /* of the reason */
    if (database_move_aside(path, strlen(why->sentence) > prefix ? why->sentence + prefix
                                                                 : "damaged") < 0)
        return err;
    return open_sound(db, path, newest, why);
}

/* ---- writing ----------------------------------------------------------------------------- */

static int bind_event(sqlite3_stmt *s, const struct event *e, const char *json, int64_t now_ns)
{
    int code = sqlite3_reset(s);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(s, 1, (int64_t)e->id);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(s, 2, event_end_ns(e));
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(s, 3, json, -1, SQLITE_STATIC);
    if (code == SQLITE_OK && sqlite3_bind_parameter_count(s) == 3)
        return code;
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(s, 4, e->trigger, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(s, 5, e->time_ns);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(s, 6, now_ns);
    return code;
}

static int step(sqlite3_stmt *s)
{
    const int code = sqlite3_step(s);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

struct writer {
    sqlite3 *db;
    sqlite3_stmt *update, *insert;
    int64_t now_ns;
    size_t added;
};

static int write_one(struct writer *w, const struct event *e)
{
    json_t *object = event_to_json(e);
    char *json = json_text(object, JSON_COMPACT);
    json_decref(object);
    int code = json ? bind_event(w->update, e, json, w->now_ns) : SQLITE_NOMEM;
    if (code == SQLITE_OK)
        code = step(w->update);
    const bool is_new = code == SQLITE_OK && sqlite3_changes(w->db) == 0;
    if (is_new)
        code = bind_event(w->insert, e, json, w->now_ns);
    if (is_new && code == SQLITE_OK)
        code = step(w->insert);
    sqlite3_reset(w->update); /* they would keep the text and the transaction */
    sqlite3_reset(w->insert);
    free(json);
    w->added += is_new;
    return code;
}

/* Rows that a clock before 2026 or far ahead has stored count from now. */
static int prune_old(sqlite3 *db, const struct event_limits *limits, struct event_batch *b)
{
    const double most_ns = limits->max_age_s * 1e9;
    const int64_t bounds[] = {b->now_ns, AGE_CLOCK_FIRST_NS, b->now_ns + AGE_CLOCK_GAP_NS};
    const int64_t oldest_ns = most_ns < (double)b->now_ns ? b->now_ns - llround(most_ns) : 0;
    int err = database_run(db,
                           "UPDATE event SET stored_ns = ?1 WHERE stored_ns < ?2 OR "
                           "stored_ns > ?3",
                           bounds, 3);
    if (err == 0)
        err = database_run(db, "DELETE FROM event WHERE stored_ns < ?", &oldest_ns, 1);
    b->old = err == 0 ? (uint64_t)sqlite3_changes(db) : 0;
    return err;
}

/* Ids follow each other. */
static int prune(sqlite3 *db, const struct event_limits *limits, struct event_batch *b)
{
    const int64_t max = (int64_t)limits->max;
    int err = 0;
    b->old = b->many = 0;
    if (max > 0) {
        err = database_run(
            db, "DELETE FROM event WHERE id <= (SELECT max(id) FROM event WHERE " ID_SOUND ") - ?",
            &max, 1);
        b->many = err == 0 ? (uint64_t)sqlite3_changes(db) : 0;
    }
    if (err == 0 && limits->max_age_s > 0)
        err = prune_old(db, limits, b);
    return err == 0 ? SQLITE_OK : SQLITE_ERROR;
}

static int write_all(struct writer *w, struct event_batch *batch, const struct event_limits *limits)
{
    int code = sqlite3_prepare_v2(w->db, "UPDATE event SET end_ns = ?2, json = ?3 WHERE id = ?1",
                                  -1, &w->update, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(w->db,
                                  "INSERT INTO event (id, end_ns, json, name, time_ns, stored_ns)"
                                  " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                                  -1, &w->insert, NULL);
    for (size_t i = 0; code == SQLITE_OK && i < batch->count; i++)
        code = write_one(w, &batch->event[i]);
    if (code == SQLITE_OK)
        code = prune(w->db, limits, batch);
    return code;
}

int event_table_write(sqlite3 *db, struct event_batch *batch, const struct event_limits *limits,
                      struct reason *why)
{
    struct writer w = {.db = db, .now_ns = batch->stored_ns};
    int code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = write_all(&w, batch, limits);
    sqlite3_finalize(w.update);
    sqlite3_finalize(w.insert);
    if (code == SQLITE_OK)
        code = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    batch->added = code == SQLITE_OK ? w.added : 0;
    if (code != SQLITE_OK)
        batch->old = batch->many = 0;
    if (code == SQLITE_OK)
        return 0;
    const int err = fail(db, why);
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL); /* it may be rolled back already */
    return err;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* NULL: the row is none of fftd's. */
static json_t *read_json(sqlite3_stmt *s)
{
    enum { JSON_MAX = 16384 };
    const int64_t id = sqlite3_column_int64(s, 0);
    if (sqlite3_column_type(s, 1) != SQLITE_TEXT || sqlite3_column_bytes(s, 1) > JSON_MAX)
        return NULL;
    const char *text = (const char *)sqlite3_column_text(s, 1);
    json_t *event = text ? json_loads(text, 0, NULL) : NULL;
    if (json_is_object(event) && json_integer_value(json_object_get(event, "id")) == id)
        return event;
    json_decref(event);
    return NULL;
}

/* What belongs to an earlier run: its recordings are not known any more, and nothing lasts. */
static int append(json_t *list, sqlite3_stmt *s, uint64_t earlier)
{
    json_t *event = read_json(s);
    if (!event) {
        log_limited(LOG_PRIORITY_WARN, "events: row %lld is no event: it is left out",
                    (long long)sqlite3_column_int64(s, 0));
        return 0;
    }
    if ((uint64_t)sqlite3_column_int64(s, 0) <= earlier) {
        json_object_set_new(event, "open", json_false());
        json_object_set_new(event, "recording", json_null());
    }
    return json_array_append_new(list, event) < 0 ? -ENOMEM : 0;
}

static const char select_newest[] =
    "SELECT id, json FROM (SELECT id, json FROM event WHERE id > ?1 AND id < ?2 AND"
    " (?3 IS NULL OR name = ?3) AND time_ns <= ?4 AND end_ns >= ?5 ORDER BY id DESC LIMIT ?6)"
    " ORDER BY id";
static const char select_first[] =
    "SELECT id, json FROM event WHERE id > ?1 AND id < ?2 AND (?3 IS NULL OR name = ?3) AND"
    " time_ns <= ?4 AND end_ns >= ?5 ORDER BY id LIMIT ?6";

static int bind_filter(sqlite3_stmt *s, const struct event_filter *f, uint64_t end)
{
    int code = sqlite3_bind_int64(s, 1, (int64_t)f->after);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(s, 2, (int64_t)end);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(s, 3, f->trigger, -1, SQLITE_STATIC); /* NULL binds NULL */
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(s, 4, f->to_ns);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(s, 5, f->from_ns);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(s, 6, (int64_t)f->limit);
    return code;
}

int event_table_read(sqlite3 *db, const struct event_filter *filter, struct event_ids ids,
                     json_t *list, struct reason *why)
{
    sqlite3_stmt *s = NULL;
    int err = 0;
    int code = sqlite3_prepare_v2(db, filter->newest ? select_newest : select_first, -1, &s, NULL);
    if (code == SQLITE_OK)
        code = bind_filter(s, filter, ids.end);
    while (code == SQLITE_OK && err == 0 && (code = sqlite3_step(s)) == SQLITE_ROW) {
        err = append(list, s, ids.earlier);
        code = SQLITE_OK;
    }
    if (code != SQLITE_OK && code != SQLITE_DONE)
        err = fail(db, why);
    else if (err < 0)
        reason_set(why, err, "no memory");
    sqlite3_finalize(s);
    return err;
}
