/* measure_output.c - snapshots of results as rows of JSON. */
#include "daemon/output/measure_output.h"
#include "daemon/base/reason.h"

#include "daemon/measure/report_json.h"

static uint64_t add_rows(struct text *out, const void *item, bool seconds)
{
    const struct measure_snapshot *s = item;
    (void)seconds;
    snapshot_add_rows(out, s);
    return s->count;
}

static void drop_snapshot(void *item)
{
    measure_snapshot_unref(item);
}

static const struct output_items results = {.name = "measure",
                                            .most = 64,
                                            .at_once = 1,
                                            .waits = true,
                                            .add = add_rows,
                                            .drop = drop_snapshot};

int measure_output_start(struct output_queue **out, const struct output_queue_config *config,
                         struct reason *why)
{
    return output_queue_start(out, &results, config, why);
}

void measure_output_push(struct output_queue *q, struct measure_snapshot *s)
{
    output_queue_push(q, measure_snapshot_ref(s));
}
