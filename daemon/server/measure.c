/* measure.c - answers /api/v1/measure: the newest results of all measurements, or of one. */
#include <stdlib.h>
#include <string.h>

#include "daemon/measure/report_json.h"
#include "daemon/server/internal.h"

/* Of one set-up: its newest result, or that there is none yet. */
static json_t *result_to_json(const struct measure_snapshot *newest,
                              const struct measure_setup *setup)
{
    const struct measure_report *r = measure_snapshot_find(newest, setup->text.name);
    return r ? report_to_json(newest, r) : setup_to_json(setup);
}

static void answer_json(struct server *s, json_t *json, struct answer *a)
{
    char *text = json ? json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(json);
    if (!text) {
        answer_text(a, 500, "no memory\n");
        return;
    }
    *a = (struct answer){.status = 200,
                         .type = "application/json",
                         .body = body_create(text, text, strlen(text), &s->body_bytes)};
}

json_t *server_measures_json(struct server *s)
{
    struct measurer *m = s->hooks.measurer;
    struct measure_snapshot *newest = m ? measurer_newest(m) : NULL;
    json_t *list = json_array();
    for (size_t i = 0; m && i < measurer_count(m); i++)
        json_array_append_new(list, result_to_json(newest, measurer_setup(m, i)));
    measure_snapshot_drop(newest);
    return json_pack("{so}", "measurements", list);
}

void answer_measures(struct server *s, const struct request *r, struct answer *a)
{
    (void)r;
    answer_json(s, server_measures_json(s), a);
}

static const struct measure_setup *find_setup(const struct server *s, const char *name)
{
    const struct measurer *m = s->hooks.measurer;
    for (size_t i = 0; m && i < measurer_count(m); i++)
        if (strcmp(measurer_setup(m, i)->text.name, name) == 0)
            return measurer_setup(m, i);
    return NULL;
}

void answer_measure(struct server *s, const struct request *r, struct answer *a)
{
    const char *name = strrchr(r->path, '/') + 1;
    const struct measure_setup *setup = find_setup(s, name);
    if (!setup || strlen("/api/v1/measure/") != (size_t)(name - r->path)) {
        answer_text(a, 404, "%s: there is no such measurement\n", r->path);
        return;
    }
    struct measure_snapshot *newest = measurer_newest(s->hooks.measurer);
    answer_json(s, result_to_json(newest, setup), a);
    measure_snapshot_drop(newest);
}
