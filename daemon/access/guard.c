/* guard.c - parses and compares the hosts and origins of requests. */
#include "daemon/access/guard.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

/* The parts of "name:port", "1.2.3.4:port" or "[::1]:port"; the port is optional. */
struct authority {
    char name[256]; /* without brackets */
    char port[6];   /* "" if missing */
    bool bracketed;
};

static bool parse_port(const char *text, char port[6])
{
    port[0] = '\0';
    if (!*text)
        return true;
    const size_t digits = strspn(text + 1, "0123456789");
    if (text[0] != ':' || digits < 1 || digits > 5 || text[1 + digits])
        return false;
    memcpy(port, text + 1, digits + 1);
    return true;
}

static bool parse_authority(const char *text, struct authority *a)
{
    a->bracketed = text[0] == '[';
    text += a->bracketed;
    const size_t length = strcspn(text, a->bracketed ? "]" : ":");
    if (length == 0 || length >= sizeof a->name)
        return false;
    memcpy(a->name, text, length);
    a->name[length] = '\0';
    text += length;
    if (a->bracketed && *text++ != ']')
        return false;
    return parse_port(text, a->port);
}

static bool is_literal(const struct authority *a)
{
    unsigned char address[sizeof(struct in6_addr)];
    return inet_pton(a->bracketed ? AF_INET6 : AF_INET, a->name, address) == 1;
}

/* Allows only characters that have no meaning in a header that repeats the name. */
static bool is_name(const char *name)
{
    for (; *name; name++) {
        if (!isalnum((unsigned char)*name) && !strchr("-._", *name))
            return false;
    }
    return true;
}

bool guard_listed(const char *item, const char *list)
{
    const size_t length = strlen(item);
    while (list && *list) {
        list += strspn(list, " ,");
        size_t entry = strcspn(list, ",");
        const char *next = list + entry;
        while (entry > 0 && list[entry - 1] == ' ')
            entry--;
        if (entry == length && length > 0 && strncasecmp(item, list, length) == 0)
            return true;
        list = next;
    }
    return false;
}

bool guard_host(const char *host, const char *allowed)
{
    struct authority a;
    if (!parse_authority(host, &a))
        return false;
    if (is_literal(&a))
        return true;
    return !a.bracketed && is_name(a.name) &&
           (strcasecmp(a.name, "localhost") == 0 || guard_listed(a.name, allowed));
}

bool guard_host_is_local(const char *host)
{
    struct authority a;
    if (!parse_authority(host, &a))
        return false;
    if (a.bracketed)
        return strcmp(a.name, "::1") == 0;
    return strcasecmp(a.name, "localhost") == 0 ||
           (is_literal(&a) && strncmp(a.name, "127.", 4) == 0);
}

/* The port, or the scheme's default port if there is none. */
static const char *port_or_default(const struct authority *a, const char *own)
{
    return a->port[0] ? a->port : own;
}

/* False: the origin is not of HTTP, or one of them is malformed. */
static bool parse_both(const char *origin, const char *host, struct authority *from,
                       struct authority *to)
{
    const bool tls = strncasecmp(origin, "https://", 8) == 0;
    if (!tls && strncasecmp(origin, "http://", 7) != 0)
        return false;
    return parse_authority(origin + (tls ? 8 : 7), from) && parse_authority(host, to);
}

static bool is_same_name(const struct authority *a, const struct authority *b)
{
    return strcasecmp(a->name, b->name) == 0 && a->bracketed == b->bracketed;
}

bool guard_origin(const char *origin, const char *host, const char *allowed)
{
    struct authority from;
    struct authority to;
    if (!origin || guard_listed(origin, allowed))
        return true;
    if (!parse_both(origin, host, &from, &to))
        return false;
    const char *own = strncasecmp(origin, "https://", 8) == 0 ? "443" : "80";
    return is_same_name(&from, &to) &&
           strcmp(port_or_default(&from, own), port_or_default(&to, own)) == 0;
}

bool guard_host_lacks_port(const char *origin, const char *host)
{
    struct authority from;
    struct authority to;
    return parse_both(origin, host, &from, &to) && is_same_name(&from, &to) && from.port[0] &&
           !to.port[0];
}
