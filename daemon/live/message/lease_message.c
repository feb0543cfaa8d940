/* lease_message.c - the message "lease": who may change the radio now. */
#include <stdio.h>
#include <string.h>

#include "daemon/access/address.h"
#include "daemon/api/resource_lease.h"
#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/http/internal.h"

/* ---- notices ---------------------------------------------------------------------------- */

bool lease_is_news(const struct client *c)
{
    return c->welcomed && c->lease_due;
}

struct frame *lease_message_next(struct client *c)
{
    const struct lease *l = &c->server->hooks.control->lease;
    const struct lease_user self = {.client = c};
    json_t *json = lease_to_json(l, c->control);
    json_object_set_new(json, "type", json_string("lease"));
    json_object_set_new(json, "yours", json_boolean(lease_is_of(l, &self, clock_now_ns())));
    json_object_set_new(json, "taken", json_boolean(c->lease_taken));
    c->lease_due = c->lease_taken = false;
    return frame_from_json(json);
}

/* ---- clients ---------------------------------------------------------------------------- */

struct lease_user client_user(const struct client *c)
{
    struct lease_user user = {.client = c};
    memcpy(user.name, c->name, sizeof user.name);
    address_text(&c->peer->address, user.address);
    return user;
}

void client_name(struct client *c, const char *name)
{
    if (name)
        snprintf(c->name, sizeof c->name, "%s", name);
}

/* Runs while libwebsockets may be in the middle of a callback: it only marks the others. */
void lease_leave(struct client *c)
{
    struct reason why = {0};
    const struct lease_user user = {.client = c};
    radio_control_release_lease(c->server->hooks.control, &user, &why);
}
