/* rest_change.c - a request that changes something, until it is answered. */
#include "daemon/http/rest_change.h"

#include <stdio.h>
#include <stdlib.h>

#include "daemon/http/connection.h"
#include "daemon/http/request.h"

static const enum lws_token_indexes verb_tokens[API_VERBS] = {
    [API_GET] = WSI_TOKEN_GET_URI,       [API_PUT] = WSI_TOKEN_PUT_URI,
    [API_PATCH] = WSI_TOKEN_PATCH_URI,   [API_POST] = WSI_TOKEN_POST_URI,
    [API_DELETE] = WSI_TOKEN_DELETE_URI,
};

enum api_verb rest_verb_of(struct lws *wsi)
{
    enum api_verb verb = API_GET;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0)
        return API_GET;
    while (verb < API_VERBS && lws_hdr_total_length(wsi, verb_tokens[verb]) <= 0)
        verb++;
    return verb;
}

struct rest_change *rest_change_create(const struct request *r, size_t size)
{
    struct rest_change *c = calloc(1, sizeof *c + size);
    if (!c)
        return NULL;
    c->server = r->server;
    c->wsi = r->wsi;
    c->verb = rest_verb_of(r->wsi);
    c->values = json_object();
    c->expected = size;
    c->visitor = connection_visitor(r->wsi);
    snprintf(c->path, sizeof c->path, "%s", r->path);
    address_text(&c->visitor, c->by.address);
    return c;
}

void rest_change_destroy(struct rest_change *c)
{
    if (!c)
        return;
    json_decref(c->values);
    free(c);
}
