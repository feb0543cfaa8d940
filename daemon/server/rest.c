/* rest.c - carries calls of resources over HTTP (rest.h). */
#include "daemon/server/rest.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/json.h"
#include "daemon/server/internal.h"

/* ---- methods ---------------------------------------------------------------------------- */

static const enum lws_token_indexes verb_tokens[API_VERBS] = {
    [API_GET] = WSI_TOKEN_GET_URI,       [API_PUT] = WSI_TOKEN_PUT_URI,
    [API_PATCH] = WSI_TOKEN_PATCH_URI,   [API_POST] = WSI_TOKEN_POST_URI,
    [API_DELETE] = WSI_TOKEN_DELETE_URI,
};

/* API_VERBS: none of these; HEAD is GET. */
static enum api_verb verb_of(struct lws *wsi)
{
    enum api_verb verb = API_GET;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0)
        return API_GET;
    while (verb < API_VERBS && lws_hdr_total_length(wsi, verb_tokens[verb]) <= 0)
        verb++;
    return verb;
}

enum rest_kind rest_kind_of(const struct server *s, struct lws *wsi, const char *path)
{
    const char *name;
    const enum api_verb verb = verb_of(wsi);
    char now[256];
    if (verb == API_GET)
        return REST_READ;
    if (api_moved(path, now, sizeof now))
        path = now;
    const struct api_resource *r = s->services ? api_find(path, &name) : NULL;
    return r && verb < API_VERBS && api_method_of(r, verb) ? REST_CHANGE : REST_OTHER;
}

/* ---- replies ---------------------------------------------------------------------------- */

unsigned rest_status_of(int err)
{
    static const struct {
        int err;
        unsigned status;
    } statuses[] = {{-ENOENT, 404}, {-EBUSY, 409},   {-EALREADY, 409}, {-ENOMEM, 503},
                    {-EMFILE, 503}, {-ENOBUFS, 503}, {-ENOSPC, 503},   {-EAGAIN, 503}};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (err == statuses[i].err)
            return statuses[i].status;
    return 400;
}

static size_t digits_of(const struct api_reply *reply)
{
    return JSON_REAL_PRECISION(reply->digits > 0 ? reply->digits : 12) | JSON_ENCODE_ANY;
}

void rest_reply(struct server *s, const struct api_resource *resource, int err,
                struct api_reply *reply, const struct reason *why, struct answer *a)
{
    if (err < 0) {
        answer_fault_key(a, rest_status_of(err), why->key, "%s", why->sentence);
        api_reply_finish(reply);
        return;
    }
    if (reply->bytes && server_has_room(s, reply->size)) {
        *a = (struct answer){
            .status = 200,
            .type = "application/octet-stream",
            .body = body_create(reply->bytes, reply->bytes, reply->size, &s->body_bytes)};
        reply->bytes = NULL;
    } else if (reply->bytes) {
        answer_fault(a, 503, "%s", server_full);
    } else {
        answer_json(s, reply->json ? json_incref(reply->json) : json_object(), digits_of(reply), a);
        if (a->status == 200 && reply->later)
            a->status = 202;
        if (a->status == 200 && reply->made[0]) {
            a->status = 201;
            api_location(resource, reply, a->location, sizeof a->location);
        }
    }
    api_reply_finish(reply);
}

/* ---- values ----------------------------------------------------------------------------- */

/* libwebsockets has decoded the parameters. It makes "/" of an empty last one. */
static int read_query(struct lws *wsi, json_t *values, struct reason *why)
{
    char pair[HEADER_MAX];
    for (int i = 0; lws_hdr_copy_fragment(wsi, pair, sizeof pair, WSI_TOKEN_HTTP_URI_ARGS, i) >= 0;
         i++) {
        char *equals = strchr(pair, '=');
        if (strcmp(pair, "/") == 0 || !pair[0])
            continue;
        if (!equals)
            return reason_say(why, -EINVAL, "a parameter has the form KEY=VALUE");
        *equals = '\0';
        json_t *value = json_string(equals + 1), *key = json_string(pair);
        const bool is_text = value && key; /* UTF-8 */
        json_decref(key);
        if (!is_text) {
            json_decref(value);
            return reason_say(why, -EINVAL, "a parameter is not UTF-8");
        }
        if (json_object_get(values, pair)) {
            json_decref(value);
            return reason_key(why, -EINVAL, pair, "%s: given twice", pair);
        }
        json_object_set_new(values, pair, value);
    }
    return 0;
}

/* Adds the members of a body. One that is also in the query is given twice. */
static int read_body(const char *bytes, size_t size, json_t *values, struct reason *why)
{
    json_error_t fault;
    const char *key;
    json_t *value, *body = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &fault);
    int err = 0;
    if (!body)
        return reason_say(why, -EINVAL, "the body is not JSON: %s (line %d, column %d)", fault.text,
                          fault.line, fault.column);
    if (!json_is_object(body))
        err = reason_say(why, -EINVAL, "the body is not a JSON object");
    json_object_foreach(body, key, value)
    {
        if (err < 0 || json_object_get(values, key)) {
            err = err < 0 ? err
                          : reason_key(why, -EINVAL, key, "%s: given in the query and in the body",
                                       key);
            break;
        }
        json_object_set(values, key, value);
    }
    json_decref(body);
    return err;
}

/* ---- reading ---------------------------------------------------------------------------- */

/* As the query was read for a request. */
static int query_values(const struct query *q, json_t *values, struct reason *why)
{
    for (unsigned i = 0; i < q->count; i++) {
        const struct parameter *p = &q->parameter[i];
        if (json_object_get(values, p->name))
            return reason_key(why, -EINVAL, p->name, "%s: given twice", p->name);
        if (p->cut)
            return reason_key(why, -EINVAL, p->name, "%s: the value is too long", p->name);
        json_object_set_new(values, p->name, json_string(p->value));
    }
    return 0;
}

bool rest_answer(struct server *s, const struct request *r, struct answer *a)
{
    struct api_call call = {.on = s->services};
    struct api_reply reply = {0};
    struct reason why = {.key = ""};
    const struct api_resource *resource = s->services ? api_find(r->path, &call.name) : NULL;
    const struct api_method *m = resource ? api_method_of(resource, API_GET) : NULL;
    if (!m)
        return false;
    const struct lease_user nobody = {.client = NULL};
    json_t *values = json_object();
    call.by = &nobody;
    call.values = values;
    int err = query_values(&r->query, values, &why);
    if (err == 0)
        err = api_run(m, &call, &reply, &why);
    rest_reply(s, resource, err, &reply, &why, a);
    json_decref(values);
    return true;
}

/* ---- old paths -------------------------------------------------------------------------- */

bool rest_answer_moved(struct lws *wsi, const struct request *r)
{
    char now[256], pair[HEADER_MAX];
    struct answer a;
    if (!api_moved(r->path, now, sizeof now))
        return false;
    answer_fault(&a, 308, "this path is %s now", now);
    size_t at = api_encode(a.location, sizeof a.location, 0, now);
    for (int i = 0; lws_hdr_copy_fragment(wsi, pair, sizeof pair, WSI_TOKEN_HTTP_URI_ARGS, i) >= 0;
         i++) {
        if (at + 2 < sizeof a.location)
            a.location[at++] = i == 0 ? '?' : '&';
        at = api_encode(a.location, sizeof a.location, at, pair);
    }
    http_answer_now(wsi, &a, r->head);
    return true;
}

/* ---- changes ---------------------------------------------------------------------------- */

struct rest_change {
    struct server *server;
    struct lws *wsi;
    const struct api_resource *resource;
    const struct api_method *method;
    struct lease_user by;
    char name[256];
    json_t *values;
    struct reason why;
    size_t size, expected; /* of the body */
    char body[];
};

void rest_change_destroy(struct rest_change *c)
{
    if (!c)
        return;
    json_decref(c->values);
    free(c);
}

static int refuse(struct lws *wsi, unsigned status, const char *why)
{
    struct answer a;
    answer_fault(&a, status, "%s", why);
    return http_answer_now(wsi, &a, false);
}

/* Runs the call. Answers, and frees the change. -1 */
static int run(struct rest_change *c, int err)
{
    struct answer a;
    struct api_reply reply = {0};
    const struct api_call call = {
        .on = c->server->services, .by = &c->by, .name = c->name, .values = c->values};
    if (err == 0 && c->size > 0)
        err = read_body(c->body, c->size, c->values, &c->why);
    if (err == 0)
        err = api_run(c->method, &call, &reply, &c->why);
    const size_t length = strlen(c->why.sentence);
    if (err == -EBUSY && c->method->right != API_WATCH)
        snprintf(c->why.sentence + length, sizeof c->why.sentence - length,
                 ": PUT /api/v1/lease takes it over");
    rest_reply(c->server, c->resource, err, &reply, &c->why, &a);
    http_answer_now(c->wsi, &a, false);
    rest_change_destroy(c);
    return -1;
}

/* NULL, or why this page or address may make no change, and a status. */
static const char *refusal(struct server *s, struct lws *wsi, const struct request *r,
                           unsigned *status, char *error, size_t error_size)
{
    const char *refused = server_refuse_origin(s, wsi, r->host);
    *status = 403;
    return refused ? refused : server_refuse_change(s, wsi, status, error, error_size);
}

/* Bytes of the body in *size. NULL, or why there may be none, and a status. */
static const char *find_body(struct lws *wsi, size_t *size, unsigned *status)
{
    char length[24], type[64];
    char *end;
    *size = 0;
    *status = 411;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
        return "the body has no Content-Length";
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0)
        return NULL;
    *status = 413;
    header_copy(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, length, sizeof length);
    const unsigned long long value = strtoull(length, &end, 10);
    if (value > REST_BODY_MAX || strlen(length) > 6)
        return "the body has more than 65536 bytes";
    *status = 400;
    if (!isdigit((unsigned char)length[0]) || *end ||
        lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, 1) > 0)
        return "Content-Length is not a number";
    *size = (size_t)value;
    *status = 415;
    header_copy(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, type, sizeof type);
    type[strcspn(type, "; ")] = '\0';
    return *size == 0 || strcasecmp(type, "application/json") == 0
               ? NULL
               : "the body is not application/json (Content-Type)";
}

/* Programs that send a body only after they are told to. */
static void tell_continue(struct lws *wsi)
{
    static const char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    unsigned char bytes[LWS_PRE + sizeof text];
    memcpy(bytes + LWS_PRE, text, sizeof text - 1);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_EXPECT) > 0)
        lws_write(wsi, bytes + LWS_PRE, sizeof text - 1, LWS_WRITE_RAW);
}

int rest_begin_change(struct server *s, struct lws *wsi, struct pending_answer *out,
                      const struct request *r)
{
    char error[256];
    unsigned status = 0;
    size_t size;
    const char *name;
    const char *refused = refusal(s, wsi, r, &status, error, sizeof error);
    if (!refused)
        refused = find_body(wsi, &size, &status);
    if (refused)
        return refuse(wsi, status, refused);
    const struct api_resource *resource = api_find(r->path, &name);
    struct rest_change *c = calloc(1, sizeof *c + size);
    if (!c || strlen(name) >= sizeof c->name) {
        free(c);
        return refuse(wsi, c ? 404 : 503, c ? "there is no such name" : "no memory");
    }
    const struct address visitor = server_address_of(wsi);
    c->server = s;
    c->wsi = wsi;
    c->resource = resource;
    c->method = api_method_of(resource, verb_of(wsi));
    c->values = json_object();
    c->expected = size;
    snprintf(c->name, sizeof c->name, "%s", name);
    address_text(&visitor, c->by.address);
    const int err = read_query(wsi, c->values, &c->why);
    if (err < 0 || size == 0)
        return run(c, err);
    pending_drop(out);
    *out = (struct pending_answer){.change = c};
    connection_waits(wsi, true);
    tell_continue(wsi);
    return 0;
}

/*
 * True if these are not the body's bytes, but the request itself. libwebsockets (4.1.6, 4.3.5)
 * keeps a request that came before the answer to the one before it, and then hands over the
 * beginning of what it kept, in place of the body. No JSON value begins like a request.
 */
static bool is_request_again(const struct rest_change *c, const char *bytes, size_t size)
{
    const char *name = api_verb_names[c->method->verb];
    const size_t length = strlen(name);
    return c->size == 0 && size > 0 && memcmp(bytes, name, size < length ? size : length) == 0;
}

int rest_on_body(struct pending_answer *out, const void *bytes, size_t size)
{
    struct rest_change *c = out ? out->change : NULL;
    if (!c || size > c->expected - c->size)
        return -1;
    if (is_request_again(c, bytes, size)) {
        out->change = NULL;
        return run(c, reason_say(&c->why, -EINVAL,
                                 "a request with a body came before the answer to the one before "
                                 "it: wait for that answer, or use another connection"));
    }
    memcpy(c->body + c->size, bytes, size);
    c->size += size;
    return 0;
}

int rest_on_body_end(struct pending_answer *out)
{
    struct rest_change *c = out ? out->change : NULL;
    if (!c)
        return -1;
    out->change = NULL;
    return run(c, c->size == c->expected ? 0 : -EINVAL);
}
