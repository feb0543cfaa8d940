/* radios.c - finds the radio of each message, and notes what the message says. */
#include "daemon/hub/radios.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/bytes.h"
#include "daemon/hub/line_account.h"

static const int64_t second_ns = 1000000000;
static const double interval_most_s = 86400;

static const char *const states[RADIO_STATES] = {
    [RADIO_WAITING] = "waiting", [RADIO_STARTING] = "starting", [RADIO_RUNNING] = "running",
    [RADIO_STALLED] = "stalled", [RADIO_ENDED] = "ended",       [RADIO_FAILED] = "failed",
    [RADIO_GONE] = "gone",
};

const char *radio_state_name(enum radio_state state)
{
    return states[state];
}

/* ---- the table --------------------------------------------------------------------------- */

void radios_init(struct radios *r, const char *prefix)
{
    *r = (struct radios){.prefix = prefix};
}

static void destroy(struct radio *radio)
{
    frame_log_finish(&radio->log);
    json_decref(radio->announce);
    json_decref(radio->ledger);
    json_decref(radio->status);
    json_decref(radio->link);
    free(radio);
}

void radios_finish(struct radios *r)
{
    for (uint32_t i = 0; i < r->used; i++)
        if (r->all[i])
            destroy(r->all[i]);
    r->used = r->count = 0;
}

uint32_t radios_place(uint32_t id)
{
    return (id - 1) % RADIOS_MAX;
}

struct radio *radios_find(const struct radios *r, uint32_t id)
{
    struct radio *radio = id > 0 ? r->all[radios_place(id)] : NULL;
    return radio && radio->id == id ? radio : NULL;
}

struct radio *radios_find_name(const struct radios *r, const char *site, const char *name)
{
    for (uint32_t i = 0; i < r->used; i++) {
        struct radio *radio = r->all[i];
        if (radio && strcmp(radio->name, name) == 0 && strcmp(radio->site, site) == 0)
            return radio;
    }
    return NULL;
}

uint32_t radios_in_state(const struct radios *r, enum radio_state state)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->used; i++)
        count += r->all[i] && r->all[i]->state == state;
    return count;
}

/* A place for another radio; RADIOS_MAX: there is none, because none is gone. */
static uint32_t find_place(struct radios *r)
{
    uint32_t at = RADIOS_MAX;
    if (r->used < RADIOS_MAX)
        return r->used++;
    for (uint32_t i = 0; i < r->used; i++) {
        const struct radio *radio = r->all[i];
        if (!radio)
            return i;
        if (radio->state == RADIO_GONE &&
            (at == RADIOS_MAX || radio->gone_since_ns < r->all[at]->gone_since_ns))
            at = i;
    }
    if (at == RADIOS_MAX)
        return at;
    destroy(r->all[at]);
    r->all[at] = NULL;
    r->count--;
    return at;
}

/* The logs of all radios have equal shares of the memory. */
static void share_memory(const struct radios *r)
{
    for (uint32_t i = 0; i < r->used; i++)
        if (r->all[i])
            frame_log_trim(&r->all[i]->log, frame_log_share(r->count));
}

static int add_radio(struct radios *r, const struct hub_message *m, int64_t now_ns,
                     struct radio **out)
{
    struct radio *radio = calloc(1, sizeof *radio);
    if (!radio)
        return HUB_FAULT_MEMORY;
    const uint32_t place = find_place(r);
    if (place == RADIOS_MAX) {
        free(radio);
        return HUB_FAULT_RADIOS;
    }
    *radio = (struct radio){.id = place + 1 + RADIOS_MAX * r->generation[place]++,
                            .heard_ns = now_ns,
                            .interval_ns = 2 * second_ns,
                            .log.all_bytes = &r->log_bytes};
    memcpy(radio->site, m->site, sizeof radio->site);
    memcpy(radio->name, m->radio, sizeof radio->name);
    r->all[place] = *out = radio;
    r->count++;
    r->changed = true;
    share_memory(r);
    return -1;
}

/* ---- announcements ----------------------------------------------------------------------- */

static int find_state(const json_t *announce)
{
    const char *name = json_string_value(json_object_get(announce, "state"));
    for (int i = 0; name && i < RADIO_STATES; i++)
        if (strcmp(states[i], name) == 0)
            return i;
    return -1;
}

static bool is_within(const json_t *value, double low, double high)
{
    const double number = json_number_value(value);
    return json_is_number(value) && isfinite(number) && number >= low && number <= high;
}

static bool is_text(const json_t *object, const char *key, const char *expected)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text && strcmp(text, expected) == 0;
}

static bool is_position(const json_t *a)
{
    const json_t *latitude = json_object_get(a, "latitude");
    const json_t *longitude = json_object_get(a, "longitude");
    return (!latitude && !longitude) ||
           (is_within(latitude, -90, 90) && is_within(longitude, -180, 180));
}

static bool is_announce(const json_t *a, const struct hub_message *m)
{
    const json_t *protocol = json_object_get(a, "protocol");
    return json_is_integer(protocol) && json_integer_value(protocol) == 1 &&
           is_text(a, "site", m->site) && is_text(a, "radio", m->radio) && find_state(a) >= 0 &&
           is_within(json_object_get(a, "interval_s"), 0.1, 3600) && is_position(a);
}

static bool is_run(const json_t *object)
{
    return is_within(json_object_get(object, "run"), 0, UINT32_MAX);
}

static void set_state(struct radios *r, struct radio *radio, enum radio_state state,
                      int64_t since_ns)
{
    r->changed = r->changed || radio->state != state;
    if (state == RADIO_GONE && radio->state != RADIO_GONE)
        radio->gone_since_ns = since_ns;
    radio->state = state;
}

static uint64_t count_of(const json_t *object, const char *key)
{
    const json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

static void take_announce(struct radios *r, struct radio *radio, const json_t *a, int64_t now_ns)
{
    radio->heard_ns = now_ns;
    const double interval_s = json_number_value(json_object_get(a, "interval_s"));
    radio->interval_ns = (int64_t)(fmax(0, fmin(interval_s, interval_most_s)) * (double)second_ns);
    set_state(r, radio, (enum radio_state)find_state(a), now_ns);
    if (radio->state == RADIO_GONE)
        line_account_end(radio, (uint32_t)count_of(a, "run"),
                         count_of(a, "lines") + count_of(a, "missed"));
}

long long radio_silence_s(const struct radio *radio, int64_t now_ns)
{
    return now_ns > radio->heard_ns ? (long long)((now_ns - radio->heard_ns) / second_ns) : 0;
}

void radios_check_silence(struct radios *r, int64_t now_ns)
{
    for (uint32_t i = 0; i < r->used; i++) {
        struct radio *radio = r->all[i];
        if (radio && radio->state != RADIO_GONE &&
            now_ns - radio->heard_ns > RADIO_SILENT * radio->interval_ns)
            set_state(r, radio, RADIO_GONE, radio->heard_ns);
    }
}

/* ---- messages ---------------------------------------------------------------------------- */

/* A new reference; NULL: not an object with what every object of a sensor has. */
static json_t *read_object(const struct hub_message *m)
{
    json_t *object = json_loadb((const char *)m->data, m->size, JSON_REJECT_DUPLICATES, NULL);
    const bool is_one = json_is_object(object) && is_run(object) &&
                        json_is_integer(json_object_get(object, "sent_ns")) &&
                        (m->kind != HUB_ANNOUNCE || is_announce(object, m));
    if (!is_one) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static void replace(json_t **kept, json_t *object)
{
    json_decref(*kept);
    *kept = json_incref(object);
}

static void note_object(struct radios *r, struct radio *radio, const struct hub_message *m,
                        json_t *object, int64_t now_ns)
{
    json_t **const kept[HUB_KINDS] = {[HUB_ANNOUNCE] = &radio->announce,
                                      [HUB_LEDGER] = &radio->ledger,
                                      [HUB_STATUS] = &radio->status,
                                      [HUB_LINK] = &radio->link};
    if (kept[m->kind])
        replace(kept[m->kind], object);
    radio->events += m->kind == HUB_EVENTS;
    if (m->kind == HUB_ANNOUNCE)
        take_announce(r, radio, object, now_ns);
}

static int take_object(struct radios *r, struct radio *radio, const struct hub_message *m,
                       int64_t now_ns)
{
    json_t *object = read_object(m);
    if (!object)
        return HUB_FAULT_JSON;
    const int fault = radio ? -1 : add_radio(r, m, now_ns, &radio);
    if (fault < 0)
        note_object(r, radio, m, object, now_ns);
    json_decref(object);
    return fault;
}

/* The message with the radio's id before it, as viewers get it. */
static struct ws_message *create_frame(const struct radio *radio, const struct hub_message *m)
{
    enum { ID = 4 };
    struct ws_message *frame = ws_message_create(ID + m->size);
    if (frame) {
        bytes_put(frame->data, radio->id, ID);
        memcpy(frame->data + ID, m->data, m->size);
    }
    return frame;
}

static int take_line(struct radios *r, struct radio *radio, const struct hub_message *m,
                     int64_t now_ns)
{
    struct line_place place;
    int fault = line_place_read(m->data, m->size, radio, &place) < 0 ? HUB_FAULT_LINE : -1;
    if (fault < 0 && !radio)
        fault = add_radio(r, m, now_ns, &radio);
    if (fault >= 0)
        return fault;
    if (!line_account_add(radio, &place, now_ns))
        return -1;
    struct ws_message *frame = create_frame(radio, m);
    if (!frame ||
        !frame_log_add(&radio->log, frame, place.coded.complete, now_ns, frame_log_share(r->count)))
        frame_log_clear(&radio->log); /* those that follow need the next complete frame */
    return frame ? -1 : HUB_FAULT_MEMORY;
}

void radios_take(struct radios *r, const char *subject, const void *data, size_t size,
                 int64_t time_ns)
{
    struct hub_message m;
    r->messages++;
    r->bytes += size;
    int fault = hub_message_read(&m, r->prefix, subject, data, size);
    struct radio *radio = fault == HUB_FAULT_SUBJECT ? NULL : radios_find_name(r, m.site, m.radio);
    if (radio)
        radio->bytes += size;
    if (fault < 0)
        fault = m.kind == HUB_LINES ? take_line(r, radio, &m, time_ns)
                                    : take_object(r, radio, &m, time_ns);
    if (fault < 0)
        return;
    r->faults[fault]++;
    if (radio)
        radio->malformed++;
}
