/* http_url.h - the parts of "http://HOST[:PORT][/PATH]" and https. Pure, any thread. */
#ifndef FFTD_DAEMON_TRIGGER_WEBHOOK_HTTP_URL_H
#define FFTD_DAEMON_TRIGGER_WEBHOOK_HTTP_URL_H

#include <stdbool.h>
#include <stdint.h>

enum { HTTP_URL_MAX = 1000, HTTP_URL_HOST = 256 };

struct http_url {
    bool tls;
    char host[HTTP_URL_HOST];           /* an IPv6 address without brackets */
    char authority[HTTP_URL_HOST + 10]; /* "host", or "host:port": as the Host header has it */
    uint16_t port;
    const char *path; /* with its query, "/" if there is none; in the text, or static */
};

/*
 * -EINVAL: the text is no such URL. It has no user, no fragment, only printable ASCII without
 * blanks, and at most HTTP_URL_MAX bytes.
 */
int http_url_parse(const char *text, struct http_url *out);

#endif
