/* lease_message.c - the message "lease": who may change the radio now. */
#include "daemon/live/message/lease_message.h"

#include <stdio.h>
#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/api/resource_lease.h"
#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/live/live.h"
#include "daemon/wire/ws_message.h"

struct ws_message *lease_message_next(struct subscriber *u)
{
    const struct client *c = live_client(u);
    const struct lease *lease = &u->live->services->radio->lease;
    const struct lease_user self = {.client = c};
    json_t *json = lease_to_json(lease, c->control);
    json_object_set_new(json, "type", json_string("lease"));
    json_object_set_new(json, "yours", json_boolean(lease_is_of(lease, &self, clock_now_ns())));
    json_object_set_new(json, "taken", json_boolean(u->lease.taken));
    u->lease.taken = false;
    return ws_message_from_json(json);
}

struct lease_user lease_message_user(const struct subscriber *u)
{
    const struct client *c = live_client(u);
    struct lease_user user = {.client = c};
    memcpy(user.name, u->lease.name, sizeof user.name);
    address_text(&c->peer->address, user.address);
    return user;
}

void lease_message_name(struct subscriber *u, const char *name)
{
    if (name)
        snprintf(u->lease.name, sizeof u->lease.name, "%s", name);
}

/* Runs while libwebsockets may be in the middle of a callback: it only marks the others. */
void lease_message_leave(struct subscriber *u)
{
    struct reason why = {0};
    const struct lease_user user = {.client = live_client(u)};
    radio_control_release_lease(u->live->services->radio, &user, &why);
}
