/* rest.c - carries calls of resources over HTTP (rest.h). */
#include "daemon/http/rest/rest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/api/carry.h"
#include "daemon/base/reason.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/connection.h"
#include "daemon/http/http_server.h"
#include "daemon/http/quirks.h"
#include "daemon/http/request.h"
#include "daemon/http/rest/rest_values.h"
#include "daemon/http/rest_change.h"

/* ---- methods ---------------------------------------------------------------------------- */

enum rest_kind rest_kind_of(const struct http_server *s, struct lws *wsi, const char *path)
{
    const enum api_verb verb = rest_verb_of(wsi);
    char now[256];
    if (verb == API_GET)
        return REST_READ;
    if (verb >= API_VERBS)
        return REST_OTHER;
    if (api_moved(path, now, sizeof now))
        return REST_CHANGE; /* any method learns of the new path */
    const struct api_resource *r = s->site->resource(path);
    return r && api_method_of(r, verb) ? REST_CHANGE : REST_OTHER;
}

const struct api_resource *rest_resource(const char *path)
{
    const char *name;
    return api_find(path, &name);
}

/* ---- replies ---------------------------------------------------------------------------- */

/* The reply of a call of the resource as an answer. Frees the reply. */
static void make_answer(struct http_server *s, const struct api_resource *resource, int err,
                        struct api_reply *reply, const struct reason *why, struct answer *a)
{
    char location[320];
    if (err < 0) {
        answer_reason(a, api_status_of(err, NULL), why);
        api_reply_finish(reply);
        return;
    }
    if (reply->bytes) {
        answer_bytes(s, reply->bytes, reply->size, a);
        reply->bytes = NULL;
    } else {
        answer_json(s, reply->json ? json_incref(reply->json) : json_object(), a);
        if (a->status == 200)
            a->status = api_status_of(0, reply);
        api_encode(a->location, sizeof a->location, 0,
                   api_location(resource->path, reply, location, sizeof location));
    }
    api_reply_finish(reply);
}

/* ---- rights ----------------------------------------------------------------------------- */

int rest_may_change(struct http_server *s, struct lws *wsi, unsigned *status, struct reason *why)
{
    char header[1024];
    const char *token = request_bearer(wsi, header, sizeof header);
    *status = 403;
    if (!s->login.token.set)
        return s->listener.local && !connection_is_forwarded(wsi)
                   ? 0
                   : reason_set(why, -ENOKEY,
                                "changes from elsewhere need a control token; none is configured");
    *status = 401;
    if (!token)
        return reason_set(why, -EKEYREJECTED,
                          "changes need the control token: Authorization: Bearer TOKEN");
    const struct address visitor = connection_visitor(wsi);
    return login_check(&s->login, &connection_peer(wsi)->address, &visitor, token, why);
}

/* The token was all that it needs. */
int rest_admit(struct http_server *s, struct lws *wsi, const struct api_method *method,
               char *credential, unsigned *status, struct reason *why)
{
    credential[0] = '\0';
    return api_needs_control(method) ? rest_may_change(s, wsi, status, why) : 0;
}

/* ---- reading ---------------------------------------------------------------------------- */

/* A method that needs control may change something: then the page that asks counts, too. */
static int admit_read(const struct request *r, const struct api_method *m, unsigned *status,
                      struct reason *why)
{
    char none[REST_CREDENTIAL];
    const char *refused =
        api_needs_control(m) ? request_refuse_origin(r->server, r->wsi, r->host) : NULL;
    *status = 403;
    return refused ? reason_set(why, -EACCES, "%s", refused)
                   : rest_admit(r->server, r->wsi, m, none, status, why);
}

bool rest_answer(const struct request *r, struct answer *a)
{
    struct http_server *s = r->server;
    struct api_call call = {.on = s->services};
    struct api_reply reply = {0};
    struct reason why = {.key = ""};
    const struct api_resource *resource = s->services ? api_find(r->path, &call.name) : NULL;
    const struct api_method *m = resource ? api_method_of(resource, API_GET) : NULL;
    if (!m)
        return false;
    unsigned status;
    if (admit_read(r, m, &status, &why) < 0) {
        answer_reason(a, status, &why);
        return true;
    }
    struct lease_user by = {.client = NULL};
    json_t *values = json_object();
    address_text(&r->visitor->address, by.address);
    call.by = &by;
    call.values = values;
    call.control = true;
    int err = rest_values_of_query(&r->query, values, &why);
    if (err == 0)
        err = api_carry(m, &call, &reply, &why);
    make_answer(s, resource, err, &reply, &why, a);
    json_decref(values);
    return true;
}

/* ---- changes ---------------------------------------------------------------------------- */

void rest_change(struct rest_change *c, struct answer *a)
{
    struct api_reply reply = {0};
    struct api_call call = {
        .on = c->server->services, .by = &c->by, .control = true, .values = c->values};
    const struct api_resource *resource = api_find(c->path, &call.name);
    const int err = api_carry(api_method_of(resource, c->verb), &call, &reply, &c->why);
    make_answer(c->server, resource, err, &reply, &c->why, a);
}

/* ---- old paths -------------------------------------------------------------------------- */

bool rest_answer_moved(const struct request *r)
{
    struct lws *wsi = r->wsi;
    char now[256], pair[HTTP_HEADER_MAX];
    struct answer a;
    if (!api_moved(r->path, now, sizeof now))
        return false;
    answer_fault(&a, 308, "this path is %s now", now);
    size_t at = api_encode(a.location, sizeof a.location, 0, now);
    for (int i = 0; quirks_parameter(wsi, i, pair, sizeof pair); i++) {
        if (at + 2 < sizeof a.location)
            a.location[at++] = i == 0 ? '?' : '&';
        at = api_encode(a.location, sizeof a.location, at, pair);
    }
    answer_now(wsi, &a, r->head);
    return true;
}
