/* preset_message.c - the message "presets": the names of all. */
#include "daemon/live/message/preset_message.h"

#include "daemon/base/json.h"
#include "daemon/live/live.h"
#include "daemon/wire/ws_message.h"

/* Names, and what distinguishes them; all fields are in the answer over HTTP. */
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

struct ws_message *preset_message_next(struct subscriber *u)
{
    return ws_message_from_json(json_pack("{ss so}", "type", "presets", "presets",
                                          list_to_json(&u->live->services->radio->presets)));
}
