/* event_output.c - events as rows of CSV. */
#include "daemon/output/event_output.h"
#include "daemon/base/reason.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/output/row.h"

/* Nothing stands for a value that there is not. */
static void add_hz(struct text *out, double hz)
{
    if (isfinite(hz))
        text_add_number(out, hz);
    text_add(out, ", ");
}

static uint64_t add_event(struct text *out, const void *item, bool seconds)
{
    const struct event *e = item;
    char time[ROW_CSV_TIME], number[NUMBER_TEXT];
    text_add(out, "%s, %s, %s, %s, ", row_csv_time(e->time_ns, seconds, time),
             number_text(e->duration_s, number), e->trigger, e->type);
    add_hz(out, e->low_hz);
    add_hz(out, e->high_hz);
    add_hz(out, e->peak_hz);
    if (isfinite(e->peak_dbfs))
        text_add(out, "%.2f", e->peak_dbfs);
    text_add(out, ", %llu, %s, %llu\n", (unsigned long long)e->first_sample,
             e->exact ? "exact" : "line", (unsigned long long)e->id);
    return 1;
}

static const struct output_items events = {
    .name = "events", .most = 65536, .at_once = 65536, .add = add_event, .drop = free};

int event_output_start(struct output_queue **out, const struct output_queue_config *config,
                       struct reason *why)
{
    return output_queue_start(out, &events, config, why);
}

void event_output_push(struct output_queue *q, const struct event *e)
{
    struct event *copy = malloc(sizeof *copy);
    if (copy)
        *copy = *e;
    output_queue_push(q, copy);
}
