/* preset_message.c - presets for clients: the list, the path of one, storing and recalling. */
#include <errno.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/server/internal.h"
#include "daemon/status/status_json.h"

const char server_preset_path[] = "/api/v1/presets/";

/* ---- the list --------------------------------------------------------------------------- */

/* Names, and what tells them apart; all fields are in the answer over HTTP. */
static json_t *list_to_json(const struct presets *p)
{
    json_t *list = json_array(), *fields;
    const char *name;
    json_object_foreach(p->all, name, fields)
    {
        json_t *one = json_pack("{ss}", "name", name);
        json_t *center = json_object_get(fields, "center_hz"),
               *span = json_object_get(fields, "span");
        json_object_set(one, "center_hz", center ? center : json_null());
        json_object_set(one, "span", span ? span : json_null());
        json_array_append_new(list, one);
    }
    return list;
}

struct frame *presets_message(struct client *c)
{
    c->presets_due = false;
    return frame_from_json(
        json_pack("{ss so}", "type", "presets", "presets", list_to_json(&c->server->presets)));
}

static void announce(struct server *s)
{
    for (struct client *c = s->clients; c; c = c->next)
        c->presets_due = true;
    server_request_writes(s);
}

void answer_presets(struct server *s, const struct request *r, struct answer *a)
{
    (void)r;
    answer_json(s, json_pack("{sO}", "presets", s->presets.all), JSON_REAL_PRECISION(12), a);
}

void answer_preset(struct server *s, const struct request *r, struct answer *a)
{
    json_t *found = json_object_get(s->presets.all, r->path + strlen(server_preset_path));
    if (found)
        answer_json(s, json_incref(found), JSON_REAL_PRECISION(12), a);
    else
        answer_text(a, 404, "%s: there is no such preset\n", r->path);
}

/* ---- changes ---------------------------------------------------------------------------- */

int server_store_preset(struct server *s, const char *name, char *error, size_t error_size)
{
    struct status now;
    server_update_status(s, &now);
    json_t *settings = settings_to_json(&now.settings);
    json_t *fields = preset_fields(settings, now.stream.tuning.center_hz);
    json_decref(settings);
    const int err = presets_store(&s->presets, name, fields, error, error_size);
    if (err == 0)
        announce(s);
    return err;
}

int server_remove_preset(struct server *s, const char *name, char *error, size_t error_size)
{
    const int err = presets_remove(&s->presets, name, error, error_size);
    if (err == 0)
        announce(s);
    return err;
}

int server_recall_preset(struct server *s, const char *name, char *error, size_t error_size)
{
    struct setting_change change;
    const int err = presets_read(&s->presets, name, &change, error, error_size);
    return err < 0 ? err : server_apply_change(s, &change, error, error_size);
}

/* *user: true if the preset is recalled, not stored. */
static int add_parameter(void *user, const char *key, const char *value, char *error,
                         size_t error_size)
{
    if (strcmp(key, "recall") != 0 || strcmp(value, "yes") != 0)
        return reason_set(error, error_size, -EINVAL, "the only parameter is recall=yes");
    *(bool *)user = true;
    return 0;
}

int http_put_preset(struct server *s, struct lws *wsi, const char *name, char *error,
                    size_t error_size)
{
    bool recall = false;
    int err = change_each_parameter(wsi, add_parameter, &recall, error, error_size);
    if (err < 0 || !recall)
        return err < 0 ? err : server_store_preset(s, name, error, error_size);
    err = http_check_lease(s, wsi, error, error_size);
    if (err == 0)
        err = server_recall_preset(s, name, error, error_size);
    if (err == 0)
        http_hold_lease(s, wsi);
    return err;
}
