/* listen_address.c - reads "127.0.0.1:8010", "tls:[::1]:8010", "unix:/path", and lists of them. */
#include "daemon/access/listen_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "daemon/base/si.h"

/* Names in place of an address. */
static const struct {
    const char *name, *host;
} hosts[] = {{"", "127.0.0.1"}, {"localhost", "127.0.0.1"}, {"*", "[::]"}};

static const char *host_of(const char *name)
{
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++)
        if (strcmp(hosts[i].name, name) == 0)
            return hosts[i].host;
    return name;
}

/* "127.0.0.1" or "[::1]" */
static bool parse_host(const char *host, in_port_t port, struct listen_address *out)
{
    char inside[INET6_ADDRSTRLEN] = "";
    const size_t length = strlen(host);
    if (host[0] != '[') {
        out->socket.v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = port};
        out->size = sizeof out->socket.v4;
        return inet_pton(AF_INET, host, &out->socket.v4.sin_addr) == 1;
    }
    if (length < 2 || length - 2 >= sizeof inside || host[length - 1] != ']')
        return false;
    memcpy(inside, host + 1, length - 2);
    out->socket.v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = port};
    out->size = sizeof out->socket.v6;
    return inet_pton(AF_INET6, inside, &out->socket.v6.sin6_addr) == 1;
}

/* Splits at the last colon; without one the text is a port. */
static int parse_tcp(const char *text, struct listen_address *out)
{
    char host[INET6_ADDRSTRLEN + 2] = "";
    uint16_t port;
    const char *colon = strrchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : 0;
    out->kind = LISTEN_TCP;
    const char *number = colon ? colon + 1 : text;
    if (length >= sizeof host || !si_parse_port(number, strlen(number), &port))
        return -EINVAL;
    memcpy(host, text, length);
    return parse_host(host_of(host), htons(port), out) ? 0 : -EINVAL;
}

static int parse_unix(const char *path, struct listen_address *out)
{
    struct sockaddr_un *local = &out->socket.local;
    const size_t length = strlen(path);
    out->kind = LISTEN_UNIX;
    if (path[0] != '/' || length < 2 || length >= sizeof local->sun_path)
        return -EINVAL;
    local->sun_family = AF_UNIX;
    memcpy(local->sun_path, path, length);
    out->size = sizeof *local;
    return 0;
}

static int parse_one(const char *text, struct listen_address *out)
{
    static const char tls[] = "tls:";
    *out = (struct listen_address){.kind = LISTEN_NONE};
    if (strlen(text) >= sizeof out->text)
        return -EINVAL;
    memcpy(out->text, text, strlen(text) + 1);
    out->tls = strncmp(text, tls, sizeof tls - 1) == 0;
    if (out->tls)
        return parse_tcp(text + sizeof tls - 1, out);
    if (strcmp(text, "none") == 0)
        return 0;
    if (strcmp(text, "systemd") == 0) {
        out->kind = LISTEN_SYSTEMD;
        return 0;
    }
    return strncmp(text, "unix:", 5) == 0 ? parse_unix(text + 5, out) : parse_tcp(text, out);
}

/* The next of the items between commas, without blanks around it. -EINVAL: it is too long. */
static int copy_item(const char **text, char into[LISTEN_TEXT])
{
    const char *item = *text + strspn(*text, " ");
    size_t length = strcspn(item, ",");
    *text = item + length;
    while (length > 0 && item[length - 1] == ' ')
        length--;
    if (length >= LISTEN_TEXT)
        return -EINVAL;
    memcpy(into, item, length);
    into[length] = '\0';
    return 0;
}

int listen_addresses_parse(const char *text, struct listen_address out[LISTEN_ADDRESSES])
{
    int count = 0, local = 0;
    bool alone = false;
    for (;; text++) {
        char item[LISTEN_TEXT];
        if (count == LISTEN_ADDRESSES || copy_item(&text, item) < 0 ||
            parse_one(item, &out[count]) < 0)
            return -EINVAL;
        alone |= out[count].kind == LISTEN_NONE || out[count].kind == LISTEN_SYSTEMD;
        local += out[count].kind == LISTEN_UNIX;
        count++;
        if (!*text)
            break;
    }
    return (alone && count > 1) || local > 1 ? -EINVAL : count;
}

int listen_address_parse_tcp(const char *text, struct listen_address *out)
{
    struct listen_address all[LISTEN_ADDRESSES];
    if (listen_addresses_parse(text, all) != 1 || all[0].kind != LISTEN_TCP || all[0].tls)
        return -EINVAL;
    *out = all[0];
    return 0;
}
