/*
 * fuzz_guard.c - libFuzzer target: the Host and Origin headers of a request.
 *
 * An input has three lines: host, origin and the allowed list. The checks restate guard.h: what is
 * accepted without a list is a plain literal or localhost, and an origin ends in the host itself.
 */
#include <ctype.h>
#include <strings.h>

#include "daemon/access/guard.h"
#include "tests/fuzz/fuzz.h"

/* No character that could end a header, a URL's host, or a quoted string. */
static void check_harmless(const char *host)
{
    for (; *host; host++)
        check(isalnum((unsigned char)*host) || strchr("[]:._-", *host));
}

/* Compares without port and letter case: an origin of the same host has the host's own text. */
static void check_same_host(const char *origin, const char *host)
{
    const char *from = strstr(origin, "://");
    check(from != NULL);
    from += 3;
    const size_t length = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    check(strncasecmp(from, host, length) == 0);
    check(from[length] == '\0' || from[length] == ':');
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    char *host = take_text(&in), *origin = take_text(&in), *allowed = take_text(&in);
    const bool alone = guard_host(host, NULL);
    if (alone) {
        check_harmless(host);
        check(guard_host(host, allowed)); /* a list only adds */
    }
    if (guard_host_is_local(host))
        check(alone);
    if (guard_host(host, allowed) && !alone)
        check(allowed[0] != '\0');
    check(guard_origin(NULL, host, NULL));
    if (guard_origin(origin, host, NULL)) {
        check_same_host(origin, host);
        check(guard_origin(origin, host, allowed));
    }
    if (guard_listed(host, allowed))
        check(host[0] != '\0' && strcasestr(allowed, host) != NULL);
    free(host);
    free(origin);
    free(allowed);
    return 0;
}
