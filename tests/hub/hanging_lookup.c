/* hanging_lookup.c - preloaded: the look-up of a name never ends, as if no server answered. */
#include <netdb.h>
#include <unistd.h>

int getaddrinfo(const char *restrict node, const char *restrict service,
                const struct addrinfo *restrict hints, struct addrinfo **restrict out)
{
    (void)node;
    (void)service;
    (void)hints;
    (void)out;
    for (;;)
        pause();
}
