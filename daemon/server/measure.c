/*
 * measure.c - the measurements for clients: /api/v1/measure, the message "measure", and changes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/measure/report_json.h"
#include "daemon/server/internal.h"

const char server_measure_path[] = "/api/v1/measure/";

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

json_t *server_keys_json(const struct measure_text *text, const struct option_family *family,
                         const struct option_type *type)
{
    json_t *keys = json_object();
    for (size_t i = 0; i < text->count; i++) {
        const char *key = text->keys[i].key, *value = text->keys[i].value;
        const struct config_option *o = option_family_find(family, type, key);
        const char *place = o ? option_place(o) : NULL;
        if (!o || (place && strcmp(place, "file") != 0))
            continue; /* the type has a member of its own; a URL may have a secret in it */
        json_object_set_new(keys, key, json_string(place ? base_name(value) : value));
    }
    return keys;
}

/* Of one set-up: its newest result, or that there is none yet; and its keys. */
static json_t *result_to_json(const struct measure_snapshot *newest,
                              const struct measure_setup *setup)
{
    const struct measure_report *r = measure_snapshot_find(newest, 0, setup->text.name);
    const struct option_family family = measure_family();
    const struct option_type type = measure_type(setup->ops);
    json_t *result = r ? report_to_json(newest, r) : setup_to_json(setup);
    if (result)
        json_object_set_new(result, "keys", server_keys_json(&setup->text, &family, &type));
    return result;
}

/* {"measurements": [...]}, the newest results; NULL: no memory. */
static json_t *results_to_json(struct server *s)
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
    answer_json(s, results_to_json(s), JSON_REAL_PRECISION(12), a);
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
    if (!setup || sizeof server_measure_path - 1 != (size_t)(name - r->path)) {
        answer_text(a, 404, "%s: there is no such measurement\n", r->path);
        return;
    }
    struct measure_snapshot *newest = measurer_newest(s->hooks.measurer);
    answer_json(s, result_to_json(newest, setup), JSON_REAL_PRECISION(12), a);
    measure_snapshot_drop(newest);
}

/* ---- the message "measure" -------------------------------------------------------------- */

/* A megabyte of text a second is made for all clients. */
static const uint64_t message_ns = 1000000000 / MEASURE_MESSAGES_PER_S, byte_ns = 1000;

static struct frame *make_message(struct server *s)
{
    json_t *json = results_to_json(s);
    if (json)
        json_object_set_new(json, "type", json_string("measure"));
    char *text = json ? json_dumps(json, REPORT_JSON_FLAGS) : NULL;
    struct frame *frame = text ? frame_from_text(text, strlen(text)) : NULL;
    json_decref(json);
    free(text);
    return frame;
}

static bool is_wanted(const struct server *s)
{
    const struct client *c = s->clients;
    while (c && !c->measures_wanted)
        c = c->next;
    return c;
}

/* A client that is slow to read gets the newest message, and the ones in between never. */
void server_push_measures(struct server *s)
{
    const uint64_t now = clock_now_ns();
    if (!s->hooks.measurer || now < s->next_measures_ns || !is_wanted(s))
        return;
    struct measure_snapshot *newest = measurer_newest(s->hooks.measurer);
    const bool news = newest != s->measured || s->measures_changed;
    measure_snapshot_drop(s->measured);
    s->measured = newest;
    struct frame *frame = news ? make_message(s) : NULL;
    if (!frame)
        return;
    frame_drop(s->measures);
    s->measures = frame;
    s->measures_changed = false;
    s->next_measures_ns = now + message_ns + frame->size * byte_ns;
    for (struct client *c = s->clients; c; c = c->next)
        c->measures_due = c->measures_wanted;
    server_request_writes(s);
}

/* ---- changes ---------------------------------------------------------------------------- */

int server_set_measure_text(struct server *s, const struct measure_text *text, char *error,
                            size_t error_size)
{
    struct measure_setup *setup;
    if (!s->hooks.measurer)
        return reason_set(error, error_size, -ENOTSUP, "no measurements are possible here");
    if (!text->name || !measure_name_is_valid(text->name))
        return reason_set(error, error_size, -EINVAL, "name: expected %s", measure_name_expected);
    int err = measure_setup_create(&setup, text, NULL, error, error_size);
    if (err < 0)
        return err;
    err = measurer_set(s->hooks.measurer, setup);
    wishes_update(s);
    if (err == -EMFILE)
        reason_set(error, error_size, err, "there are %d measurements, and no more are possible",
                   MEASUREMENTS_MAX);
    s->measures_changed = true;
    return err;
}

int server_set_measure(struct server *s, const json_t *object, char *error, size_t error_size)
{
    struct measure_text text;
    int err = measure_text_from_json(&text, object, error, error_size);
    if (err == 0)
        err = server_set_measure_text(s, &text, error, error_size);
    measure_text_finish(&text);
    return err;
}

int server_remove_measure(struct server *s, const char *name, char *error, size_t error_size)
{
    const int err = s->hooks.measurer ? measurer_remove(s->hooks.measurer, 0, name) : -ENOENT;
    if (err == -ENOENT)
        reason_set(error, error_size, err, "there is no such measurement");
    s->measures_changed = true;
    return err;
}
