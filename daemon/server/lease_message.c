/* lease_message.c - the control lease for clients: their messages, the path, the notices. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/server/internal.h"

const char server_lease_path[] = "/api/v1/lease";

/* ---- notices ---------------------------------------------------------------------------- */

static void announce(struct server *s)
{
    s->lease_renewed = false;
    for (struct client *c = s->clients; c; c = c->next)
        c->lease_due = true;
    server_request_writes(s);
}

/* The address is of no concern to those who may not change the radio. */
static json_t *user_to_json(const struct lease_user *user, bool with_address)
{
    char address[ADDRESS_TEXT];
    json_t *json =
        json_pack("{so sb}", "name", text_to_json(user->name), "websocket", user->client != NULL);
    if (with_address)
        json_object_set_new(json, "address", json_string(address_text(&user->address, address)));
    return json;
}

static json_t *lease_to_json(const struct lease *l, bool with_address)
{
    const double seconds = lease_seconds(l, clock_now_ns());
    json_t *user = seconds > 0 ? user_to_json(&l->user, with_address) : json_null();
    return json_pack("{so sf sf}", "user", user, "seconds", seconds, "period", l->period_s);
}

bool lease_is_news(const struct client *c)
{
    return c->welcomed && c->lease_due;
}

struct frame *lease_message_next(struct client *c)
{
    const struct lease *l = &c->server->lease;
    const struct lease_user self = {.client = c};
    json_t *json = lease_to_json(l, c->control);
    json_object_set_new(json, "type", json_string("lease"));
    json_object_set_new(json, "yours", json_boolean(lease_is_of(l, &self, clock_now_ns())));
    json_object_set_new(json, "taken", json_boolean(c->lease_taken));
    c->lease_due = c->lease_taken = false;
    return frame_from_json(json);
}

void lease_on_tick(struct server *s)
{
    struct lease *l = &s->lease;
    const bool ended = l->until_ns > 0 && !(lease_seconds(l, clock_now_ns()) > 0);
    if (ended)
        lease_release(l);
    if (ended || s->lease_renewed)
        announce(s);
}

/* ---- who has it ------------------------------------------------------------------------- */

static struct lease_user user_of(const struct client *c)
{
    struct lease_user user = {.client = c, .address = c->peer->address};
    memcpy(user.name, c->name, sizeof user.name);
    return user;
}

static struct lease_user http_user(struct lws *wsi)
{
    return (struct lease_user){.address = server_address_of(wsi)};
}

/* A new user is announced at once, a renewal within a second. */
static void hold(struct server *s, const struct lease_user *user)
{
    struct lease *l = &s->lease;
    const uint64_t now_ns = clock_now_ns();
    const bool renewed = lease_is_of(l, user, now_ns);
    const bool other = !renewed && lease_seconds(l, now_ns) > 0;
    const bool same_name = !user->name[0] || strcmp(l->user.name, user->name) == 0;
    for (struct client *c = s->clients; other && c; c = c->next)
        c->lease_taken = c->lease_taken || c == l->user.client;
    lease_hold(l, user, now_ns);
    s->lease_renewed = l->period_s > 0;
    if ((!renewed || !same_name) && l->period_s > 0)
        announce(s);
}

static void release(struct server *s, const struct lease_user *user)
{
    if (!lease_is_of(&s->lease, user, clock_now_ns()))
        return;
    lease_release(&s->lease);
    announce(s);
}

int client_check_lease(const struct client *c, char *error, size_t error_size)
{
    const struct lease_user user = user_of(c);
    return lease_check(&c->server->lease, &user, clock_now_ns(), error, error_size);
}

void client_hold_lease(struct client *c)
{
    const struct lease_user user = user_of(c);
    hold(c->server, &user);
}

void client_name(struct client *c, const char *name)
{
    if (name)
        snprintf(c->name, sizeof c->name, "%s", name);
}

/* Runs while libwebsockets may be in the middle of a callback: it only marks the others. */
void lease_leave(struct client *c)
{
    const struct lease_user user = {.client = c};
    release(c->server, &user);
}

int client_change_lease(struct client *c, const struct control *m, char *error, size_t error_size)
{
    const struct lease_user user = user_of(c);
    if (!(c->server->lease.period_s > 0))
        return reason_set(error, error_size, -ENOTSUP, "there are no leases (see control-lease)");
    if (m->lease == LEASE_RELEASE)
        release(c->server, &user);
    else if (m->lease == LEASE_TAKE || lease_is_of(&c->server->lease, &user, clock_now_ns()))
        hold(c->server, &user);
    return 0;
}

/* ---- HTTP ------------------------------------------------------------------------------- */

void answer_lease(struct server *s, const struct request *r, struct answer *a)
{
    (void)r;
    answer_json(s, lease_to_json(&s->lease, false), JSON_REAL_PRECISION(6), a);
}

int http_check_lease(struct server *s, struct lws *wsi, char *error, size_t error_size)
{
    const struct lease_user user = http_user(wsi);
    const int err = lease_check(&s->lease, &user, clock_now_ns(), error, error_size);
    if (err < 0)
        strncat(error, ": PUT /api/v1/lease takes it over", error_size - strlen(error) - 1);
    return err;
}

void http_hold_lease(struct server *s, struct lws *wsi)
{
    const struct lease_user user = http_user(wsi);
    hold(s, &user);
}

static int add_name(void *into, const char *key, const char *value, char *error, size_t error_size)
{
    struct lease_user *user = into;
    if (strcmp(key, "name") != 0)
        return reason_set(error, error_size, -EINVAL, "there is no such parameter; there is: name");
    if (!fields_is_name(value))
        return reason_set(error, error_size, -EINVAL, "name: at most %d bytes of text",
                          CLIENT_NAME - 1);
    snprintf(user->name, sizeof user->name, "%s", value);
    return 0;
}

int http_change_lease(struct server *s, struct lws *wsi, bool take, char *error, size_t error_size)
{
    struct lease_user user = http_user(wsi);
    if (!(s->lease.period_s > 0))
        return reason_set(error, error_size, -ENOTSUP, "there are no leases (see control-lease)");
    const int err = change_each_parameter(wsi, add_name, &user, error, error_size);
    if (err < 0)
        return err;
    if (take)
        hold(s, &user);
    else
        release(s, &user);
    return 0;
}
