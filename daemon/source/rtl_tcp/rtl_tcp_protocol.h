/*
 * rtl_tcp_protocol.h - the messages between an rtl_tcp server and its client. Pure, any thread.
 *
 * The server greets with 12 bytes: "RTL0", the type of the tuner and its number of gains. Then it
 * sends samples, cu8, without end. It takes commands of 5 bytes, a number and a value, and answers
 * none. All numbers are big-endian. One client at a time.
 */
#ifndef FFTD_DAEMON_SOURCE_RTL_TCP_RTL_TCP_PROTOCOL_H
#define FFTD_DAEMON_SOURCE_RTL_TCP_RTL_TCP_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RTL_TCP_GREETING = 12, RTL_TCP_COMMAND = 5 };

enum rtl_tcp_command {
    RTL_TCP_CENTER = 0x01,      /* Hz */
    RTL_TCP_RATE = 0x02,        /* samples per second */
    RTL_TCP_GAIN_MODE = 0x03,   /* 0: automatic, 1: manual */
    RTL_TCP_GAIN = 0x04,        /* tenths of a dB, signed */
    RTL_TCP_CORRECTION = 0x05,  /* ppm, signed */
    RTL_TCP_DIGITAL_AGC = 0x08, /* 0, 1 */
    RTL_TCP_DIRECT = 0x09,      /* 0: off, 1: I branch, 2: Q branch */
    RTL_TCP_OFFSET = 0x0a,      /* 0, 1 */
    RTL_TCP_GAIN_INDEX = 0x0d,  /* of the tuner's gains, from 0 on */
    RTL_TCP_BIAS_TEE = 0x0e     /* 0, 1 */
};

struct rtl_tcp_tuner {
    const char *name;
    double min_db, max_db; /* of its gains; equal: it has none */
};

struct rtl_tcp_greeting {
    const struct rtl_tcp_tuner *tuner; /* of an unknown type: "unknown tuner", any gain */
    uint32_t gains;
};

/* Of the bytes that came: false if no greeting begins with them. */
bool rtl_tcp_may_be_greeting(const uint8_t *bytes, size_t count);
/* False: this is no rtl_tcp server. */
bool rtl_tcp_read_greeting(const uint8_t bytes[RTL_TCP_GREETING], struct rtl_tcp_greeting *out);
/* type: of the tuner, a number from 1 on. */
void rtl_tcp_write_greeting(uint8_t out[RTL_TCP_GREETING], uint32_t type, uint32_t gains);
/* Any number may come as the command. */
void rtl_tcp_read_command(const uint8_t bytes[RTL_TCP_COMMAND], enum rtl_tcp_command *command,
                          uint32_t *value);
void rtl_tcp_write_command(uint8_t out[RTL_TCP_COMMAND], enum rtl_tcp_command command,
                           uint32_t value);

#endif
