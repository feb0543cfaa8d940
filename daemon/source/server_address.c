/* server_address.c - splits HOST:PORT. */
#include "daemon/source/server_address.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char name_characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789-._";
static const char ipv6_characters[] = "0123456789abcdefABCDEF:.";

static bool is_port(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    const long port = strtol(text, NULL, 10);
    return digits > 0 && digits <= 5 && text[digits] == '\0' && port > 0 && port < 65536;
}

int server_address_parse(const char *text, struct server_address *out)
{
    struct server_address a;
    const bool bracket = text[0] == '[';
    const char *host = text + bracket, *colon = strrchr(text, ':');
    if (!colon || !is_port(colon + 1) || (bracket && colon[-1] != ']'))
        return -EINVAL;
    const char *end = colon - bracket;
    if (end <= host || (size_t)(end - host) >= sizeof a.host)
        return -EINVAL;
    const size_t length = (size_t)(end - host);
    memcpy(a.host, host, length);
    a.host[length] = '\0';
    memcpy(a.port, colon + 1, strlen(colon + 1) + 1); /* five digits at most */
    if (a.host[strspn(a.host, bracket ? ipv6_characters : name_characters)] != '\0')
        return -EINVAL;
    if (out)
        *out = a;
    return 0;
}
