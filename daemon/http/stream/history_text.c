/* history_text.c - writes rows of the history. */
#include "daemon/http/stream/history_text.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/unix_time.h"
#include "daemon/wire/history_frame.h"

static void add_breaks(struct text *out, const struct history_row *row)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {{HISTORY_LOSS, "loss"}, {HISTORY_RETUNE, "retune"},
                 {HISTORY_PLAN, "plan"}, {HISTORY_RESTART, "restart"},
                 {HISTORY_LOOP, "loop"}, {HISTORY_MISSED, "missed"}};
    const char *separator = "";
    text_add(out, "\"breaks\": [");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!(row->breaks & names[i].bit))
            continue;
        text_add(out, "%s\"%s\"", separator, names[i].name);
        separator = ", ";
    }
    text_add(out, "], \"lost\": %llu", (unsigned long long)row->lost);
}

/* null if it follows from an assumed rate. */
static void add_hz(struct text *out, const struct history_row *row, const char *name, double hz)
{
    char number[NUMBER_TEXT];
    text_add(out, "\"%s\": %s, ", name, row->rate_assumed ? "null" : number_text(hz, number));
}

static void add_row(struct text *out, const struct history_line *line, unsigned d)
{
    const struct history_row *row = &line->row;
    char time[UNIX_TIME_TEXT];
    text_add(out,
             "{\"line\": %lld, \"first_line\": %lld, \"lines\": %u, \"archived\": %s, "
             "\"time\": \"%sZ\", ",
             (long long)row->line, (long long)row->first_line, row->lines,
             row->archived ? "true" : "false",
             unix_time_text(row->time_ns, "%Y-%m-%dT%H:%M:%S", time));
    add_hz(out, row, "low_hz", row->low_hz);
    add_hz(out, row, "column_hz", row->column_hz);
    add_breaks(out, row);
    text_add(out, ",\n  \"levels\": [");
    for (uint32_t i = 0; i < row->columns; i++)
        text_add(out, "%s%.2f", i ? ", " : "",
                 (double)(row->offset_db[d] + row->step_db[d] * (float)line->levels[i]));
    text_add(out, "]}");
}

static void add_json(struct text *out, const struct history_result *r, unsigned d)
{
    text_add(out, "{\"detector\": \"%s\", \"unit\": \"dBFS\", \"oldest\": %s, \"rows\": [",
             detector_name(d), r->oldest ? "true" : "false");
    for (uint32_t i = 0; i < r->rows; i++) {
        text_add(out, i ? ",\n " : "\n ");
        add_row(out, &r->line[i], d);
    }
    text_add(out, "]}\n");
}

static int add_binary(struct text *out, const struct history_result *r, unsigned d)
{
    struct ws_message *frame = history_frame_create(r, d, 0, WIRE_PLAIN);
    if (!frame)
        return -ENOMEM;
    text_add_bytes(out, (const char *)frame->data, frame->size);
    ws_message_unref(frame);
    return 0;
}

int history_write(struct text *out, const struct past_source *past,
                  const struct history_query *query, bool binary)
{
    struct history_result result;
    int err = archive_past_read(past, query, &result);
    if (err < 0)
        return err;
    if (binary)
        err = add_binary(out, &result, query->detector);
    else
        add_json(out, &result, query->detector);
    history_result_finish(&result);
    return err < 0 ? err : out->failed ? -ENOMEM : 0;
}
