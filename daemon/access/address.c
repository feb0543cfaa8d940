/* address.c - makes keys of socket addresses and of their texts. */
#include "daemon/access/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

static struct address from_v4(const void *bytes)
{
    struct address a = {.bits = 32};
    memcpy(a.bytes, bytes, 4);
    a.loopback = a.bytes[0] == 127;
    return a;
}

static struct address from_v6(const struct in6_addr *v6)
{
    struct address a = {.bits = 64, .loopback = IN6_IS_ADDR_LOOPBACK(v6)};
    if (IN6_IS_ADDR_V4MAPPED(v6))
        return from_v4(v6->s6_addr + 12);
    memcpy(a.bytes, v6->s6_addr, 8);
    return a;
}

struct address address_from_socket(const struct sockaddr *peer)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    if (peer->sa_family == AF_INET) {
        memcpy(&v4, peer, sizeof v4);
        return from_v4(&v4.sin_addr);
    }
    if (peer->sa_family == AF_INET6) {
        memcpy(&v6, peer, sizeof v6);
        return from_v6(&v6.sin6_addr);
    }
    return (struct address){0};
}

bool address_parse(const char *text, struct address *out)
{
    char host[INET6_ADDRSTRLEN];
    struct in_addr v4;
    struct in6_addr v6;
    const bool bracketed = text[0] == '[';
    text += bracketed;
    const bool has_one_colon = strchr(text, ':') && strchr(text, ':') == strrchr(text, ':');
    const size_t length = bracketed ? strcspn(text, "]") : strcspn(text, has_one_colon ? ":" : "");
    if (length >= sizeof host || (bracketed && text[length] != ']'))
        return false;
    memcpy(host, text, length);
    host[length] = '\0';
    if (!bracketed && inet_pton(AF_INET, host, &v4) == 1)
        *out = from_v4(&v4);
    else if (inet_pton(AF_INET6, host, &v6) == 1)
        *out = from_v6(&v6);
    else
        return false;
    return true;
}

bool address_same(const struct address *a, const struct address *b)
{
    return a->bits == b->bits && a->loopback == b->loopback &&
           memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

bool address_is_local(const struct address *a)
{
    return a->loopback || a->bits == 0;
}

const char *address_text(const struct address *a, char into[ADDRESS_TEXT])
{
    struct in6_addr v6 = {0};
    char host[INET6_ADDRSTRLEN] = "?";
    memcpy(v6.s6_addr, a->bytes, sizeof a->bytes);
    if (a->bits == 0)
        snprintf(into, ADDRESS_TEXT, "a Unix socket");
    else if (a->bits == 64 && a->loopback)
        snprintf(into, ADDRESS_TEXT, "::1");
    else if (inet_ntop(a->bits == 32 ? AF_INET : AF_INET6, &v6, host, sizeof host))
        snprintf(into, ADDRESS_TEXT, a->bits == 32 ? "%s" : "%s/64", host);
    return into;
}
