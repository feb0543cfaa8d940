/* radio_report.c - writes the table of radios. */
#include "daemon/hub/radio_report.h"

#include <math.h>

#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/base/unix_time.h"
#include "daemon/hub/archive_report.h"

static void set_count(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, count_to_json(value));
}

static void set_time(json_t *object, const char *key, int64_t ns)
{
    if (ns > 0)
        json_object_set_new(object, key, json_integer(ns));
}

double radio_report_age_ms(const struct radio *radio, int64_t unix_ns)
{
    return unix_time_seconds(radio->last_line_ns, unix_ns) * 1e3;
}

static void set_newest(json_t *o, const struct radio *radio, int64_t unix_ns)
{
    if (radio->last_line_ns <= 0)
        return;
    set_time(o, "last_line_ns", radio->last_line_ns);
    json_object_set_new(o, "age_ms", json_integer(llround(radio_report_age_ms(radio, unix_ns))));
    json_object_set_new(o, "skew_ms", number_to_json(radio->skew_ms));
}

json_t *radio_report_row(const struct radio *radio, int64_t unix_ns)
{
    static const char *const copied[] = {"latitude", "longitude"};
    const struct {
        const char *key;
        uint64_t value;
    } counts[] = {{"frames", radio->frames},   {"lines", radio->lines},
                  {"missing", radio->missing}, {"before", radio->before},
                  {"again", radio->again},     {"undecoded", radio->undecoded},
                  {"events", radio->events},   {"malformed", radio->malformed},
                  {"runs", radio->runs},       {"bytes", radio->bytes}};
    json_t *o = json_pack("{si ss ss ss}", "id", (int)radio->id, "site", radio->site, "radio",
                          radio->name, "state", radio_state_name(radio->state));
    if (!o)
        return NULL;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        set_count(o, counts[i].key, counts[i].value);
    if (radio->state == RADIO_GONE)
        set_time(o, "gone_since_ns", radio->gone_since_ns);
    set_newest(o, radio, unix_ns);
    archive_report_row(o, &radio->archive);
    for (size_t i = 0; i < sizeof copied / sizeof copied[0]; i++) {
        json_t *value = json_object_get(radio->announce, copied[i]);
        if (value)
            json_object_set(o, copied[i], value);
    }
    if (radio->announce)
        json_object_set(o, "announce", radio->announce);
    return o;
}

static json_t *faults_json(const struct radios *r)
{
    json_t *o = json_object();
    for (int i = 0; i < HUB_FAULTS; i++)
        set_count(o, hub_fault_name((enum hub_fault)i), (unsigned long long)r->faults[i]);
    return o;
}

static json_t *broker_json(const struct link_reader_state *broker, uint64_t dropped)
{
    json_t *o = json_object();
    json_object_set_new(o, "connected", json_boolean(broker->connected));
    set_count(o, "links", broker->links);
    set_time(o, "since_ns", broker->since_ns);
    set_count(o, "dropped_messages", dropped);
    return o;
}

json_t *radio_report_head(const struct radios *r, const struct link_reader_state *broker,
                          uint64_t dropped, int64_t unix_ns)
{
    json_t *head = json_pack("{ss sI so so}", "type", "radios", "sent_ns", (json_int_t)unix_ns,
                             "broker", broker_json(broker, dropped), "malformed", faults_json(r));
    archive_report_head(head, &r->archives);
    return head;
}

json_t *radio_report_list(const struct radios *r, const struct link_reader_state *broker,
                          uint64_t dropped)
{
    const int64_t now_ns = clock_unix_ns();
    json_t *list = radio_report_head(r, broker, dropped, now_ns), *all = json_array();
    for (uint32_t i = 0; i < r->used; i++)
        if (r->all[i])
            json_array_append_new(all, radio_report_row(r->all[i], now_ns));
    json_object_set_new(list, "radios", all);
    return list;
}

json_t *radio_report_one(const struct radio *radio)
{
    const struct {
        const char *key;
        json_t *value;
    } newest[] = {{"ledger", radio->ledger}, {"status", radio->status}, {"link", radio->link}};
    json_t *o = radio_report_row(radio, clock_unix_ns());
    for (size_t i = 0; o && i < sizeof newest / sizeof newest[0]; i++)
        json_object_set(o, newest[i].key, newest[i].value ? newest[i].value : json_null());
    return o;
}

/* ---- metrics ----------------------------------------------------------------------------- */

static void add_value(const struct metric_writer *m, const char *name, const struct radio *radio,
                      uint64_t value)
{
    fprintf(m->f, "%s_total", name);
    metric_label(m->f, "site", radio->site, '{');
    metric_label(m->f, "radio", radio->name, ',');
    fprintf(m->f, "} %llu\n", (unsigned long long)value);
}

static uint64_t announced_count(const struct radio *radio, const char *key)
{
    const json_int_t value = json_integer_value(json_object_get(radio->announce, key));
    return value > 0 ? (uint64_t)value : 0;
}

/* What the sensors say that they made: the account of the others. */
static void add_announced(const struct metric_writer *m, const struct radios *r)
{
    static const char name[] = "fftd_hub_announced_lines";
    metric_head(m, name, METRIC_COUNTER, "Lines of the sensor's newest run, as it announced them.");
    for (uint32_t i = 0; i < r->used; i++)
        if (r->all[i])
            add_value(m, name, r->all[i],
                      announced_count(r->all[i], "lines") + announced_count(r->all[i], "missed"));
}

static void add_radios(const struct metric_writer *m, const struct radios *r)
{
    static const struct {
        const char *name, *help;
        size_t member; /* a uint64_t of struct radio */
    } families[] = {
        {"fftd_hub_lines", "Lines that came.", offsetof(struct radio, lines)},
        {"fftd_hub_missing_lines", "Lines that did not come, by their numbers.",
         offsetof(struct radio, missing)},
        {"fftd_hub_earlier_lines", "Lines of its first run before the first that came.",
         offsetof(struct radio, before)},
        {"fftd_hub_radio_malformed", "Malformed messages under its name.",
         offsetof(struct radio, malformed)},
        {"fftd_hub_radio_bytes", "Bytes of all messages under its name.",
         offsetof(struct radio, bytes)},
    };
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        metric_head(m, families[i].name, METRIC_COUNTER, families[i].help);
        for (uint32_t k = 0; k < r->used; k++)
            if (r->all[k])
                add_value(m, families[i].name, r->all[k],
                          *(const uint64_t *)((const char *)r->all[k] + families[i].member));
    }
    add_announced(m, r);
}

static void add_states(const struct metric_writer *m, const struct radios *r)
{
    metric_head(m, "fftd_hub_radios", METRIC_GAUGE, "Radios by their state.");
    for (int i = 0; i < RADIO_STATES; i++) {
        const enum radio_state state = (enum radio_state)i;
        fprintf(m->f, "fftd_hub_radios{state=\"%s\"} %u\n", radio_state_name(state),
                radios_in_state(r, state));
    }
}

void radio_report_metrics(const struct metric_writer *m, const struct radios *r,
                          const struct link_reader_state *broker, uint64_t dropped)
{
    add_states(m, r);
    metric_gauge(m, "fftd_hub_broker_connected", "1 while the broker is connected.",
                 broker->connected);
    metric_counter(m, "fftd_hub_broker_links", "Times that the connection came up.", broker->links);
    metric_counter(m, "fftd_hub_messages", "Messages of the broker.", r->messages);
    metric_counter(m, "fftd_hub_message_bytes", "Their bytes.", r->bytes);
    metric_counter(m, "fftd_hub_dropped_messages", "Messages that waited without room.", dropped);
    metric_gauge(m, "fftd_hub_kept_bytes", "Frames that are kept for viewers.",
                 (double)r->log_bytes);
    metric_head(m, "fftd_hub_malformed", METRIC_COUNTER, "Malformed messages, by cause.");
    for (int i = 0; i < HUB_FAULTS; i++)
        fprintf(m->f, "fftd_hub_malformed_total{cause=\"%s\"} %llu\n",
                hub_fault_name((enum hub_fault)i), (unsigned long long)r->faults[i]);
    add_radios(m, r);
    archive_report_metrics(m, r);
}
