/*
 * rtl_tcp_settings.h - what a client of rtl_tcp asks for, as settings of its channel. Pure, any
 * thread.
 *
 * Commands come as a stream of bytes, cut anywhere. Those that have no meaning for a channel are
 * ignored; nothing that a client sends reaches the radio.
 */
#ifndef FFTD_DAEMON_RTL_TCP_RTL_TCP_SETTINGS_H
#define FFTD_DAEMON_RTL_TCP_RTL_TCP_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The tuner that the greeting names, and how many gains it has. */
enum { RTL_TCP_R820T = 5, RTL_TCP_GAINS = 29 };

struct rtl_tcp_settings {
    double frequency_hz; /* as asked for */
    double rate_hz;
    int32_t ppm;
    bool automatic; /* the gain of the channel; else it is gain_db */
    double gain_db;
    bool biased; /* the client asked for power through the antenna socket, which it does not get */
    uint64_t commands, ignored; /* so far */
    /* a command of which not all came */
    uint8_t part[8];
    size_t have;
};

void rtl_tcp_settings_init(struct rtl_tcp_settings *s, double frequency_hz, double rate_hz);
void rtl_tcp_settings_take(struct rtl_tcp_settings *s, const uint8_t *bytes, size_t count);
/*
 * Where the channel has to be. A correction of p ppm is for a clock that is p ppm too fast: an
 * RTL-SDR then tunes lower by p ppm.
 */
double rtl_tcp_settings_center_hz(const struct rtl_tcp_settings *s);

#endif
