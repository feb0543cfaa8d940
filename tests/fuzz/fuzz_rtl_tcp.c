/* fuzz_rtl_tcp.c - libFuzzer target: the greeting of an rtl_tcp server, the text of its
 * address, and the commands of a client.
 */
#include <math.h>

#include "daemon/rtl_tcp/rtl_tcp_settings.h"
#include "daemon/source/rtl_tcp/rtl_tcp_protocol.h"
#include "daemon/source/server_address.h"
#include "tests/fuzz/fuzz.h"

static void check_greeting(const uint8_t bytes[RTL_TCP_GREETING])
{
    struct rtl_tcp_greeting greeting = {0};
    const bool good = rtl_tcp_read_greeting(bytes, &greeting);
    check(good == (memcmp(bytes, "RTL0", 4) == 0));
    check(!good || (greeting.tuner->name[0] && greeting.tuner->min_db <= greeting.tuner->max_db));
}

static void check_address(const char *text)
{
    struct server_address a;
    char again[300];
    if (server_address_parse(text, &a) < 0)
        return;
    const int port = atoi(a.port);
    check(a.host[0] && port > 0 && port < 65536);
    snprintf(again, sizeof again, text[0] == '[' ? "[%s]:%s" : "%s:%s", a.host, a.port);
    check(strcmp(again, text) == 0);
}

/* Commands in two parts are those in one. */
static void check_commands(const char *text)
{
    struct rtl_tcp_settings a, b;
    const size_t count = strlen(text), half = count / 3;
    rtl_tcp_settings_init(&a, 100e6, 2.048e6);
    b = a;
    rtl_tcp_settings_take(&a, (const uint8_t *)text, count);
    rtl_tcp_settings_take(&b, (const uint8_t *)text, half);
    rtl_tcp_settings_take(&b, (const uint8_t *)text + half, count - half);
    check(a.commands == count / RTL_TCP_COMMAND && a.ignored <= a.commands);
    check(a.rate_hz >= 1 && a.rate_hz <= 4e6 && fabs(a.gain_db) <= 120);
    check(fabs(rtl_tcp_settings_center_hz(&a) - rtl_tcp_settings_center_hz(&b)) <= 0);
    check(fabs(a.rate_hz - b.rate_hz) <= 0 && a.automatic == b.automatic && a.have == b.have);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    uint8_t greeting[RTL_TCP_GREETING];
    take_bytes(&in, greeting, sizeof greeting);
    check_greeting(greeting);
    char *text = take_text(&in);
    check_address(text);
    check_commands(text);
    free(text);
    return 0;
}
