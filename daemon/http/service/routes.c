/* routes.c - finds what answers a request: a resource, a route of the site, or a file of the page.
 */
#include "daemon/http/service/routes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/api/streams.h"
#include "daemon/base/reason.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/answer/assets.h"
#include "daemon/http/http_server.h"
#include "daemon/http/request.h"
#include "daemon/http/rest/rest.h"

static bool is_route(const char *path, const char *route)
{
    const size_t length = strlen(route);
    return route[length - 1] == '/' ? strncmp(path, route, length) == 0 : strcmp(path, route) == 0;
}

static void answer_file(const struct request *r, struct answer *a)
{
    struct http_server *s = r->server;
    struct asset file;
    const char *path = strcmp(r->path, "/") == 0 ? s->site->index : r->path;
    const int err = asset_load(&file, path, s->options.web_root, r->gzip);
    if (err < 0) {
        char why[512];
        snprintf(why, sizeof why, "%.400s: %s", r->path,
                 err == -ENOENT ? "there is nothing here" : strerror(-err));
        answer_refuse(a, r->path, err == -ENOENT ? 404 : 500, "", why);
        return;
    }
    *a = (struct answer){.status = 200,
                         .type = file.type,
                         .vary = "Accept-Encoding",
                         .encoding = file.gzip ? "gzip" : NULL,
                         .page = true,
                         .fixed = file.fixed};
    memcpy(a->etag, file.etag, sizeof a->etag);
    if (strcmp(r->etag, "*") == 0 || strstr(r->etag, a->etag)) {
        a->status = 304;
        asset_free(&file);
    } else if (body_fits(s, file.memory ? file.size : 0)) {
        a->body = body_create(file.memory, file.data, file.size, &s->body_bytes);
    } else {
        asset_free(&file);
        answer_fault(a, 503, "%s", body_does_not_fit);
    }
}

bool routes_have(struct http_server *s, const char *path)
{
    struct asset file;
    if (s->site->resource(path))
        return true;
    for (size_t i = 0; i < s->route_count; i++) {
        if (is_route(path, s->routes[i].path))
            return true;
    }
    const char *name = strcmp(path, "/") == 0 ? s->site->index : path;
    const int err = asset_load(&file, name, s->options.web_root, true);
    if (err == 0)
        asset_free(&file);
    return err != -ENOENT;
}

static int check_query(const struct request *r, const struct http_route *route, struct reason *why)
{
    const struct api_stream *row = api_stream_find(r->server->site->streams, route->path);
    return route->own_keys ? 0 : query_check(&r->query, row ? row->keys : NULL, why);
}

void routes_answer(const struct request *r, struct answer *a)
{
    const struct http_server *s = r->server;
    struct reason why = {0};
    *a = (struct answer){0};
    if (rest_answer(r, a))
        return;
    for (size_t i = 0; i < s->route_count; i++) {
        const struct http_route *route = &s->routes[i];
        if (!is_route(r->path, route->path))
            continue;
        if (check_query(r, route, &why) < 0)
            answer_refuse(a, r->path, 400, why.key, why.sentence);
        else
            route->answer(route->of, r, a);
        return;
    }
    answer_file(r, a); /* ignores the query */
}
