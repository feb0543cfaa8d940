/* rtl_tcp_protocol.c - the greeting, the commands, and the gains of tuners. */
#include "daemon/source/rtl_tcp/rtl_tcp_protocol.h"

#include <string.h>

/* By the type in the greeting. */
static const struct rtl_tcp_tuner tuners[] = {
    {"unknown tuner", -100, 100}, {"E4000", -1, 42}, {"FC0012", -9.9, 19.2},
    {"FC0013", -9.9, 19.7},       {"FC2580", 0, 0},  {"R820T", 0, 49.6},
    {"R828D", 0, 49.6},
};

static uint32_t read_32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static const char magic[4] = {'R', 'T', 'L', '0'};

bool rtl_tcp_may_be_greeting(const uint8_t *bytes, size_t count)
{
    return memcmp(bytes, magic, count < sizeof magic ? count : sizeof magic) == 0;
}

bool rtl_tcp_read_greeting(const uint8_t bytes[RTL_TCP_GREETING], struct rtl_tcp_greeting *out)
{
    if (!rtl_tcp_may_be_greeting(bytes, RTL_TCP_GREETING))
        return false;
    const uint32_t type = read_32(bytes + 4);
    out->tuner = &tuners[type < sizeof tuners / sizeof tuners[0] ? type : 0];
    out->gains = read_32(bytes + 8);
    return true;
}

static void write_32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

void rtl_tcp_write_greeting(uint8_t out[RTL_TCP_GREETING], uint32_t type, uint32_t gains)
{
    memcpy(out, magic, sizeof magic);
    write_32(out + 4, type);
    write_32(out + 8, gains);
}

void rtl_tcp_read_command(const uint8_t bytes[RTL_TCP_COMMAND], enum rtl_tcp_command *command,
                          uint32_t *value)
{
    *command = (enum rtl_tcp_command)bytes[0];
    *value = read_32(bytes + 1);
}

void rtl_tcp_write_command(uint8_t out[RTL_TCP_COMMAND], enum rtl_tcp_command command,
                           uint32_t value)
{
    out[0] = (uint8_t)command;
    write_32(out + 1, value);
}
