/*
 * fuzz_address.c - libFuzzer target: the addresses of listeners, and of clients as proxies name
 * them.
 *
 * The text of a client's address, without its prefix length, is an address of the same key.
 */
#include "daemon/access/address.h"
#include "daemon/access/listen_address.h"
#include "tests/fuzz/fuzz.h"

#include <errno.h>

static void check_client(const char *text)
{
    struct address a, again;
    char printed[ADDRESS_TEXT];
    if (!address_parse(text, &a))
        return;
    check(a.bits == 32 || a.bits == 64);
    address_text(&a, printed);
    printed[strcspn(printed, "/")] = '\0';
    check(address_parse(printed, &again) && address_same(&a, &again));
}

static void check_listener(const struct listen_address *a)
{
    check(a->size <= sizeof a->socket);
    check(!a->tls || a->kind == LISTEN_TCP);
    if (a->kind == LISTEN_UNIX)
        check(strcmp(a->socket.local.sun_path, a->text + strlen("unix:")) == 0);
    if (a->kind == LISTEN_TCP)
        check(a->socket.any.sa_family == AF_INET || a->socket.any.sa_family == AF_INET6);
}

static void check_listeners(const char *text)
{
    struct listen_address all[LISTEN_ADDRESSES], one;
    const int count = listen_addresses_parse(text, all);
    check(count == -EINVAL || (count > 0 && count <= LISTEN_ADDRESSES));
    for (int i = 0; i < count; i++)
        check_listener(&all[i]);
    const bool plain = count == 1 && all[0].kind == LISTEN_TCP && !all[0].tls;
    check(listen_address_parse_tcp(text, &one) == (plain ? 0 : -EINVAL));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    char *text = take_text(&in);
    check_client(text);
    check_listeners(text);
    free(text);
    return 0;
}
