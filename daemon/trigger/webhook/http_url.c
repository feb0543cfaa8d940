/* http_url.c - splits a URL of HTTP. */
#include "daemon/trigger/webhook/http_url.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/si.h"

static bool is_plain(const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~' || text[i] == '#')
            return false;
    return length <= HTTP_URL_MAX;
}

static const char *skip_scheme(const char *text, bool *tls)
{
    static const char http[] = "http://", https[] = "https://";
    *tls = strncasecmp(text, https, sizeof https - 1) == 0;
    if (*tls)
        return text + sizeof https - 1;
    return strncasecmp(text, http, sizeof http - 1) == 0 ? text + sizeof http - 1 : NULL;
}

/* ":8080"; "" leaves the port as it is. */
static int parse_port(const char *text, size_t length, uint16_t *port)
{
    if (length == 0)
        return 0;
    return text[0] == ':' && si_parse_port(text + 1, length - 1, port) && *port > 0 ? 0 : -EINVAL;
}

int http_url_parse(const char *text, struct http_url *out)
{
    *out = (struct http_url){0};
    const char *at = is_plain(text) ? skip_scheme(text, &out->tls) : NULL;
    if (!at)
        return -EINVAL;
    const size_t all = strcspn(at, "/?");
    const bool bracket = at[0] == '[';
    const char *host = at + bracket;
    const size_t length = strcspn(host, bracket ? "]/?" : ":/?");
    if (length == 0 || all >= sizeof out->host || memchr(at, '@', all) ||
        (bracket && host[length] != ']') || at[all] == '?')
        return -EINVAL;
    memcpy(out->host, host, length);
    memcpy(out->authority, at, all);
    out->port = out->tls ? 443 : 80;
    out->path = at[all] ? at + all : "/";
    const size_t used = length + (bracket ? 2 : 0);
    return parse_port(at + used, all - used, &out->port);
}
