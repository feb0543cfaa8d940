/* hanging_lookup.c - preloaded: the look-up of a name never ends, as if no server answered. */
#include <netdb.h>
#include <unistd.h>

int getaddrinfo(const char *restrict name, const char *restrict service,
                const struct addrinfo *restrict req, struct addrinfo **restrict pai)
{
    (void)name;
    (void)service;
    (void)req;
    (void)pai;
    for (;;)
        pause();
}
