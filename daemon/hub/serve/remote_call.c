/* remote_call.c - the resources of a hub's radios over HTTP: each request is a call to the sensor.
 */
#include "daemon/hub/serve/remote_call.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/access/address.h"
#include "daemon/access/peers.h"
#include "daemon/api/carry.h"
#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/answer/pending.h"
#include "daemon/http/connection.h"
#include "daemon/http/rest/rest.h"
#include "daemon/http/rest/rest_values.h"
#include "daemon/http/rest_change.h"
#include "daemon/hub/serve/hub_service.h"
#include "daemon/hub/serve/radio_call.h"

/* One that waits for its answer. */
struct remote_call {
    struct answer_source source;
    struct hub_service *hub;
    struct pending_answer *out; /* NULL: not yet, or nobody waits any more */
    struct address own, visitor;
    const struct api_resource *resource;
    bool is_read;
    char radio[2 * HUB_WORD];
};

/* ---- paths ------------------------------------------------------------------------------ */

const struct api_resource *remote_call_resource(const char *path)
{
    struct radio_call_target t;
    return radio_call_split(path, &t) ? rest_resource(t.path) : NULL;
}

/* ---- who may ----------------------------------------------------------------------------- */

/*
 * As of viewers: a hub with a token wants that, and every radio its own, which its sensor compares.
 * Then the header Authorization is for the hub.
 */
int remote_call_admit(struct http_server *s, struct lws *wsi, const struct api_method *method,
                      char *credential, unsigned *status, struct reason *why)
{
    (void)method; /* a sensor wants its token with every call */
    static const char header[] = "x-radio-token:";
    char bearer[REST_CREDENTIAL];
    const int err = s->login.token.set ? rest_may_change(s, wsi, status, why) : 0;
    const char *token = request_bearer(wsi, bearer, sizeof bearer);
    credential[0] = '\0';
    if (err < 0)
        return err;
    *status = 401;
    if (lws_hdr_custom_length(wsi, header, sizeof header - 1) > 0) {
        if (lws_hdr_custom_copy(wsi, credential, REST_CREDENTIAL, header, sizeof header - 1) < 0)
            credential[0] = '\0';
    } else if (token && !s->login.token.set) {
        snprintf(credential, REST_CREDENTIAL, "%s", token);
    }
    if (!credential[0])
        return reason_set(why, -EKEYREJECTED, "%s",
                          s->login.token.set
                              ? "a radio needs its own control token, too: X-Radio-Token: TOKEN"
                              : "a radio needs its control token: Authorization: Bearer TOKEN");
    const struct address visitor = connection_visitor(wsi);
    const uint32_t wait_ms = login_wait_ms(&s->login, &connection_peer(wsi)->address, &visitor);
    if (wait_ms == 0)
        return 0;
    return reason_set(why, -EACCES,
                      "too many wrong control tokens from this address: try again in %u s",
                      (wait_ms + 999) / 1000);
}

/* ---- answers ----------------------------------------------------------------------------- */

static void answer_result(struct http_server *s, const struct remote_call *c, struct call_reply *r,
                          struct answer *a)
{
    if (r->body) {
        answer_json(s, r->body, a);
        r->body = NULL;
    } else {
        char *bytes = malloc(r->size + 1);
        if (bytes)
            memcpy(bytes, r->bytes, r->size);
        answer_bytes(s, bytes, r->size, a);
    }
    if (a->status == 200)
        a->status = r->status;
    if (a->status == 201 && r->location[0])
        radio_call_location(a->location, sizeof a->location, c->radio, r->location);
}

/* There is no reply. */
static void answer_failure(const struct remote_call *c, const struct hub_answer *answer,
                           struct answer *a)
{
    struct reason why = {0};
    const unsigned status = radio_call_fault(c->hub, answer, c->radio, c->is_read, &why);
    answer_reason(a, status, &why);
}

static void make_answer(struct remote_call *c, const struct hub_answer *answer, struct answer *a,
                        char methods[API_METHODS_TEXT])
{
    struct call_reply reply = answer->call;
    if (reply.status == 0)
        answer_failure(c, answer, a);
    else if (reply.status < 400)
        answer_result(&c->hub->http, c, &reply, a);
    else
        answer_reason(a, reply.status, &reply.why);
    if (a->status == 405)
        a->allow = api_methods_text(c->resource, methods);
    call_reply_finish(&reply);
}

void remote_call_done(struct hub_service *h, const struct hub_request *request,
                      const struct hub_answer *answer)
{
    struct remote_call *c = request->viewer;
    struct answer a;
    char methods[API_METHODS_TEXT];
    if (!c) {
        struct call_reply reply = answer->call;
        call_reply_finish(&reply);
    } else {
        struct pending_answer *out = c->out;
        if (answer->wrong_token)
            login_count_wrong(&h->http.login, &c->own, &c->visitor);
        make_answer(c, answer, &a, methods);
        free(c);
        pending_come(out, &a);
    }
}

static struct remote_call *call_of(struct answer_source *source)
{
    return (struct remote_call *)(void *)((char *)source - offsetof(struct remote_call, source));
}

static void wait_for(struct answer_source *source, struct pending_answer *out)
{
    call_of(source)->out = out;
}

/*
 * libwebsockets 4.3.5 sets a time-out of its own after the callback in which a call with more bytes
 * behind its body has begun, as long as the call may take.
 */
void remote_call_keep_all(const struct hub_service *h)
{
    for (int i = 0; i < HUB_REQUESTS; i++) {
        const struct hub_request *r = &h->requests.all[i];
        const struct remote_call *c = r->number && !r->id ? r->viewer : NULL;
        if (!c || !c->out)
            continue;
        pending_keep(c->out);
        pending_notice(c->out); /* last: the call may be gone */
    }
}

static void leave(struct answer_source *source, struct pending_answer *out)
{
    (void)out;
    struct remote_call *call = call_of(source);
    hub_requests_forget(&call->hub->requests, call);
    free(call);
}

/* ---- calls ------------------------------------------------------------------------------- */

struct asking {
    struct hub_service *hub;
    const char *path, *credential;
    enum api_verb verb;
    const json_t *values;
    struct address own, visitor;
};

/* An address leaves some to others. */
static bool has_share(const struct hub_requests *r, const struct asking *q)
{
    uint32_t all = 0, own = 0, visitor = 0;
    for (int i = 0; i < HUB_REQUESTS; i++) {
        const struct remote_call *c = r->all[i].id ? NULL : r->all[i].viewer;
        if (!r->all[i].number || !c)
            continue;
        const bool same = address_same(&c->own, &q->own);
        all++;
        own += same;
        visitor += same && address_same(&c->visitor, &q->visitor);
    }
    return share_allows_visitor(HUB_REQUESTS / 2, all, own, !address_same(&q->own, &q->visitor),
                                visitor);
}

static uint8_t *write_call(const struct asking *q, const struct radio_call_target *t, size_t *size)
{
    char from[ADDRESS_TEXT];
    const struct call_ask ask = {.token = q->credential,
                                 .from = address_text(&q->visitor, from),
                                 .verb = api_verb_names[q->verb],
                                 .path = t->path,
                                 .values = q->values};
    return call_ask_write(&ask, size);
}

/* Why a call is not made. */
struct refusal {
    unsigned status;
    struct reason why;
};

/* 0, or -errno: the call is not on its way. The same below. */
static int send_call(const struct asking *q, const struct radio_call_target *t,
                     const struct radio *radio, struct remote_call *call, struct refusal *r)
{
    struct radio_call sending = {.viewer = call, .radio = radio};
    sending.data = write_call(q, t, &sending.size);
    const bool fits = !sending.data || sending.size <= CALL_MAX;
    r->status = fits ? 503 : 413;
    const int err = fits ? radio_call_send(q->hub, &sending, &r->why)
                         : reason_set(&r->why, -E2BIG, "the values are too many for a radio");
    free(sending.data);
    return err;
}

static int begin(const struct asking *q, const struct radio_call_target *t, struct answer *a,
                 struct refusal *r)
{
    struct hub_service *h = q->hub;
    const struct radio *radio = hub_service_radio(h, t->radio);
    r->status = 404;
    if (!radio)
        return reason_set(&r->why, -ENOENT, "there is no such radio: SITE.RADIO");
    int err = radio_call_check(h, radio, &r->why);
    r->status = err == -ENOENT ? 503 : 502;
    if (err < 0)
        return err;
    r->status = 503;
    struct remote_call *call = has_share(&h->requests, q) ? calloc(1, sizeof *call) : NULL;
    if (!call)
        return reason_set(&r->why, -EBUSY, "too many requests wait for their answers");
    *call = (struct remote_call){.source = {.wait = wait_for, .leave = leave},
                                 .hub = q->hub,
                                 .own = q->own,
                                 .visitor = q->visitor,
                                 .resource = rest_resource(t->path),
                                 .is_read = q->verb == API_GET};
    memcpy(call->radio, t->radio, sizeof call->radio);
    err = send_call(q, t, radio, call, r);
    if (err < 0)
        free(call);
    else
        *a = (struct answer){.source = &call->source};
    return err;
}

static bool is_utf8(const char *text)
{
    json_t *json = json_string(text);
    json_decref(json);
    return json;
}

/* The path is one of a resource. Its name must not become another one on its way. */
static void ask(const struct asking *q, struct answer *a)
{
    struct radio_call_target t = {.radio = ""};
    struct refusal r = {.status = 404};
    int err;
    if (radio_call_split(q->path, &t) && is_utf8(t.path)) {
        err = begin(q, &t, a, &r);
    } else if (t.radio[0]) {
        r.status = 400;
        err = reason_set(&r.why, -EINVAL, "the path is not UTF-8");
    } else {
        err = reason_set(&r.why, -ENOENT, "there is no such radio");
    }
    if (err == 0)
        return;
    q->hub->requests.outcomes[HUB_REFUSED]++;
    if (r.status == 502)
        answer_fault(a, 502, "%s: %s; %s%s shows its state", t.radio, r.why.sentence,
                     radio_call_paths, t.radio);
    else
        answer_fault(a, r.status, "%s: %s", t.radio, r.why.sentence);
}

void remote_call_change(struct rest_change *c, struct answer *a)
{
    const struct asking q = {.hub = c->server->user,
                             .path = c->path,
                             .credential = c->credential,
                             .verb = c->verb,
                             .values = c->values,
                             .own = connection_peer(c->wsi)->address,
                             .visitor = c->visitor};
    ask(&q, a);
}

bool remote_call_read(const struct request *r, struct answer *a)
{
    struct reason why = {0};
    char credential[REST_CREDENTIAL];
    unsigned status = 400;
    if (!remote_call_resource(r->path))
        return false;
    int err = remote_call_admit(r->server, r->wsi, NULL, credential, &status, &why);
    json_t *values = json_object();
    if (err == 0) {
        status = 400;
        err = rest_values_of_query(&r->query, values, &why);
    }
    const struct asking q = {.hub = r->server->user,
                             .path = r->path,
                             .credential = credential,
                             .verb = API_GET,
                             .values = values,
                             .own = r->own->address,
                             .visitor = r->visitor->address};
    if (err < 0)
        answer_reason(a, status, &why);
    else
        ask(&q, a);
    json_decref(values);
    return true;
}
