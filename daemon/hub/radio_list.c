/* radio_list.c - compares radios with the rows that were sent. */
#include "daemon/hub/radio_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/text.h"

static const uint64_t second_ns = 1000000000;
static const double skew_step_ms = 500;
enum { SOON_S = 10, LATE_S = 60, SPREAD_S = 30 };

static void forget_text(struct sent_radio *t)
{
    free(t->text);
    t->text = NULL;
}

static void forget(struct sent_radio *t)
{
    forget_text(t);
    json_decref(t->row);
    json_decref(t->announce);
    *t = (struct sent_radio){0};
}

void radio_list_finish(struct radio_list *n)
{
    for (int i = 0; i < RADIOS_MAX; i++)
        forget(&n->sent[i]);
    json_decref(n->head);
    ws_message_unref(n->changes);
    ws_message_unref(n->all);
    n->head = NULL;
    n->changes = n->all = NULL;
}

/* ---- changes ----------------------------------------------------------------------------- */

static uint64_t announced(const struct radio *radio, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(radio->announce, key));
}

/* Grows with every loss. A new run, which counts from 0, is a change of the settings. */
static uint64_t loss_of(const struct radio *radio)
{
    return radio->missing + radio->undecoded + radio->again + radio->malformed + radio->runs +
           announced(radio, "dropped_lines") + announced(radio, "dropped_events");
}

static bool is_live(const struct radio *radio, int64_t unix_ns)
{
    return radio->last_line_ns > 0 && radio_report_age_ms(radio, unix_ns) <= RADIO_LIVE_MS;
}

/* The keys that do not change by themselves. */
static json_t *settings_of(const json_t *announce)
{
    static const char *const counts[] = {"sent_ns",       "lines",          "missed",
                                         "dropped_lines", "dropped_events", "archive"};
    json_t *settings = json_copy((json_t *)announce);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        json_object_del(settings, counts[i]);
    return settings;
}

static bool has_settings(const json_t *announce, const json_t *other)
{
    if (announce == other)
        return true;
    json_t *one = settings_of(announce), *two = settings_of(other);
    const bool same = json_equal(one, two);
    json_decref(one);
    json_decref(two);
    return same;
}

/* state alone: without the rest. */
static bool is_pending(const struct sent_radio *t, const struct radio *radio,
                       struct radio_list_time now, bool state_alone)
{
    const uint64_t since_s = (now.clock_ns - t->sent_ns) / second_ns;
    if (!t->row || t->state != radio->state)
        return true;
    if (state_alone)
        return false;
    if (!has_settings(t->announce, radio->announce))
        return true;
    if (since_s >= LATE_S + radio->id % SPREAD_S && radio->lines > t->lines + t->lines / 10)
        return true;
    return since_s >= SOON_S &&
           (t->recalled || t->loss != loss_of(radio) || t->live != is_live(radio, now.unix_ns) ||
            fabs(t->skew_ms - radio->skew_ms) >= skew_step_ms);
}

static void report(struct sent_radio *t, const struct radio *radio, struct radio_list_time now,
                   json_t *rows)
{
    forget(t);
    *t = (struct sent_radio){.row = radio_report_row(radio, now.unix_ns),
                             .announce = json_incref(radio->announce),
                             .id = radio->id,
                             .state = radio->state,
                             .live = is_live(radio, now.unix_ns),
                             .loss = loss_of(radio),
                             .lines = radio->lines,
                             .skew_ms = radio->skew_ms,
                             .sent_ns = now.clock_ns};
    json_array_append(rows, t->row);
}

/* Appends to rows and left what changed at one place of the table. */
static void update_place(struct sent_radio *t, const struct radio *radio,
                         struct radio_list_time now, bool round, json_t *rows, json_t *left)
{
    if (round)
        forget_text(t);
    if (t->row && (!radio || radio->id != t->id)) {
        json_array_append_new(left, json_integer(t->id));
        forget(t);
    }
    if (radio && is_pending(t, radio, now, !round))
        report(t, radio, now, rows);
}

/* ---- lists ------------------------------------------------------------------------------- */

/* Takes over the arrays; left: NULL if there is none. */
static struct ws_message *create_list(json_t *head, const char *type, json_t *rows, json_t *left)
{
    json_t *list = json_copy(head);
    json_object_set_new(list, "type", json_string(type));
    json_object_set_new(list, "radios", rows);
    if (left)
        json_object_set_new(list, "left", left);
    return ws_message_from_json(list);
}

void radio_list_update(struct radio_list *n, const struct radios *r,
                       const struct link_reader_state *broker, uint64_t dropped,
                       struct radio_list_time now, bool round)
{
    json_t *rows = json_array(), *left = json_array();
    for (uint32_t i = 0; i < r->used; i++)
        update_place(&n->sent[i], r->all[i], now, round, rows, left);
    json_decref(n->head);
    ws_message_unref(n->changes);
    ws_message_unref(n->all);
    n->head = radio_report_head(r, broker, dropped, now.unix_ns);
    n->changes = create_list(n->head, "changes", rows, left);
    n->all = NULL;
    n->number++;
    n->round += round;
}

static json_t *sent_rows(const struct radio_list *n)
{
    json_t *rows = json_array();
    for (int i = 0; i < RADIOS_MAX; i++)
        if (n->sent[i].row)
            json_array_append(rows, n->sent[i].row);
    return rows;
}

struct ws_message *radio_list_message(struct radio_list *n, uint64_t had)
{
    if (had > 0 && had + 1 == n->number && n->changes)
        return ws_message_ref(n->changes);
    if (!n->all)
        n->all = create_list(n->head, "radios", sent_rows(n), NULL);
    return n->all ? ws_message_ref(n->all) : NULL;
}

/* ---- rows for those who want them -------------------------------------------------------- */

static const char *row_text(struct radio_list *n, const struct radios *r, uint32_t id,
                            int64_t unix_ns)
{
    const struct radio *radio = radios_find(r, id);
    if (!radio)
        return NULL;
    struct sent_radio *t = &n->sent[(id - 1) % RADIOS_MAX];
    if (t->id != id) /* the next list has it */
        return NULL;
    if (!t->text) {
        json_t *row = radio_report_row(radio, unix_ns);
        t->text = json_text(row, JSON_COMPACT);
        json_decref(row);
    }
    return t->text;
}

struct ws_message *radio_list_rows(struct radio_list *n, const struct radios *r,
                                   const uint32_t *ids, uint32_t count, int64_t unix_ns)
{
    struct text text = {0};
    uint32_t rows = 0;
    text_add(&text, "{\"type\":\"changes\",\"sent_ns\":%lld,\"radios\":[", (long long)unix_ns);
    for (uint32_t i = 0; i < count; i++) {
        const char *row = row_text(n, r, ids[i], unix_ns);
        if (!row)
            continue;
        text_add(&text, "%s", rows++ > 0 ? "," : "");
        text_add_bytes(&text, row, strlen(row));
    }
    text_add(&text, "]}");
    struct ws_message *f = text.failed ? NULL : ws_message_from_text(text.data, text.length);
    text_finish(&text);
    return f;
}

void radio_list_recall(struct radio_list *n, uint32_t id)
{
    struct sent_radio *t = &n->sent[(id - 1) % RADIOS_MAX];
    t->recalled = t->recalled || t->id == id;
}
