/* marker_message.c - the message "markers": readings on the line of the frame that follows. */
#include "daemon/live/message/marker_message.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/text.h"
#include "daemon/calibration/band_rules.h"
#include "daemon/calibration/spurs.h"
#include "daemon/client/readout.h"
#include "daemon/line/line.h"
#include "daemon/live/live.h"
#include "daemon/wire/ws_message.h"

static const uint64_t peaks_ns = 1000000000 / MARKER_PEAK_TABLES_PER_S;

/* Of a client. */
struct marker_choice {
    struct readout_choice choice;
    struct tone_shape shape;
    bool sent;
    uint64_t sent_line; /* of the newest message; valid if `sent` */
    uint64_t next_ns;   /* when the next message may go */
    uint64_t next_peaks_ns;
};

int marker_message_choose(struct subscriber *u, const struct readout_choice *choice)
{
    if (!choice) {
        marker_message_drop(u);
        return 0;
    }
    if (!u->markers && !(u->markers = calloc(1, sizeof *u->markers)))
        return -ENOMEM;
    u->topic[LIVE_MARKERS].on = true;
    u->markers->choice = *choice;
    u->markers->sent = false;
    u->markers->next_ns = u->markers->next_peaks_ns = 0;
    return 0;
}

void marker_message_drop(struct subscriber *u)
{
    free(u->markers);
    u->markers = NULL;
    u->topic[LIVE_MARKERS].on = false;
}

bool marker_message_is_pending(const struct subscriber *u)
{
    const struct marker_choice *m = u->markers;
    struct readout_line from;
    return feed_ready(&u->feed) && feed_shown(u->live->feed, &u->feed, &from) &&
           !(m->sent && m->sent_line == from.line->number) && clock_now_ns() >= m->next_ns;
}

/* A member of an object, which is absent for NAN. */
static void add_number(struct text *out, const char *name, double value, int decimals)
{
    if (!isnan(value))
        text_add(out, "%s\"%s\":%.*f", out->data[out->length - 1] == '{' ? "" : ",", name, decimals,
                 value);
}

static int decimals_of(double error_hz)
{
    return (int)fmin(9, fmax(0, ceil(1 - log10(error_hz))));
}

/* bin_decimals: of the bin's frequency, which is read where there is no tone; < 0: left out. */
static void add_reading(struct text *out, const struct reading *r, int bin_decimals)
{
    if (isnan(r->db)) {
        text_add(out, "null");
        return;
    }
    const int decimals = isnan(r->hz) ? 0 : decimals_of(r->error_hz);
    text_add(out, "{");
    add_number(out, "db", r->db, 3);
    if (bin_decimals >= 0 && isnan(r->hz))
        add_number(out, "bin_hz", r->bin_hz, bin_decimals);
    add_number(out, "hz", r->hz, decimals);
    add_number(out, "error_hz", r->error_hz, decimals);
    add_number(out, "noise_db_hz", r->noise_db_hz, 2);
    text_add(out, "}");
}

static void add_markers(struct text *out, struct marker_choice *m, const struct readout_line *from)
{
    struct reading r;
    if (m->choice.count == 0)
        return;
    text_add(out, ",\"markers\":[");
    for (uint32_t i = 0; i < m->choice.count; i++) {
        readout_marker(from, &m->shape, &m->choice.marker[i], &r);
        text_add(out, "%s", i > 0 ? "," : "");
        add_reading(out, &r, -1);
    }
    text_add(out, "]");
}

static void add_peaks(struct text *out, struct marker_choice *m, const struct readout_line *from)
{
    struct readout_peak peaks[READOUT_PEAKS];
    const uint64_t now = clock_now_ns();
    if (m->choice.peaks.most == 0 || now < m->next_peaks_ns)
        return;
    m->next_peaks_ns = now + peaks_ns;
    const uint32_t count = readout_peaks(from, &m->shape, &m->choice.peaks, peaks);
    const int decimals = decimals_of(0.01 * line_bin_hz(from->line));
    text_add(out, ",\"peaks\":[");
    for (uint32_t i = 0; i < count; i++)
        text_add(out, "%s{\"db\":%.3f,\"hz\":%.*f}", i > 0 ? "," : "", peaks[i].db, decimals,
                 peaks[i].hz);
    text_add(out, "]");
}

/* The old list is held until its rules are replaced: another one cannot have its address. */
static const struct band_rules *update_spurs(struct live *l, const struct line *line)
{
    struct marker_rules *r = &l->rules;
    struct spur_table *table = spurs_ref(l->services->spurs);
    if (!r->rules)
        r->rules = calloc(1, sizeof *r->rules);
    if (r->rules)
        band_rules_update(r->rules, line, table ? &table->list : NULL);
    spur_table_unref(r->table);
    r->table = table;
    return r->rules;
}

void marker_message_finish(struct marker_rules *rules)
{
    spur_table_unref(rules->table);
    free(rules->rules);
}

struct ws_message *marker_message_next(struct subscriber *u)
{
    struct marker_choice *m = u->markers;
    struct readout_line from;
    struct reading peak;
    struct text text = {0};
    feed_shown(u->live->feed, &u->feed, &from);
    if (!m->choice.spurs)
        from.spurs = update_spurs(u->live, from.line);
    m->sent = true;
    m->sent_line = from.line->number;
    if (m->choice.per_second > 0)
        m->next_ns = clock_now_ns() + 1000000000 / m->choice.per_second;
    readout_peak(&from, &m->shape, &peak);
    text_add(&text,
             "{\"type\":\"markers\",\"id\":%u,\"view\":%u,\"line\":%llu,\"peak\":", m->choice.id,
             u->feed.slot[0].view_id, (unsigned long long)from.line->number);
    add_reading(&text, &peak, decimals_of(0.01 * line_bin_hz(from.line)));
    add_markers(&text, m, &from);
    add_peaks(&text, m, &from);
    if (readout_spurs(&from) > 0)
        text_add(&text, ",\"left_out\":%u", readout_spurs(&from));
    text_add(&text, "}");
    struct ws_message *frame = text.failed ? NULL : ws_message_from_text(text.data, text.length);
    text_finish(&text);
    return frame;
}
