/* rtl_tcp_settings.c - takes the commands of a client. */
#include "daemon/rtl_tcp/rtl_tcp_settings.h"

#include "daemon/source/rtl_tcp/rtl_tcp_protocol.h"

_Static_assert(RTL_TCP_COMMAND <= sizeof((struct rtl_tcp_settings *)0)->part, "a command fits");

/* Of the R820T, in tenths of a dB. */
static const int16_t gains[RTL_TCP_GAINS] = {0,   9,   14,  27,  37,  77,  87,  125, 144, 157,
                                             166, 197, 207, 229, 254, 280, 297, 328, 338, 364,
                                             372, 386, 402, 421, 434, 439, 445, 480, 496};

/* Beyond what a channel of any stream can have. */
static const double rate_max_hz = 4e6;

void rtl_tcp_settings_init(struct rtl_tcp_settings *s, double frequency_hz, double rate_hz)
{
    *s = (struct rtl_tcp_settings){
        .frequency_hz = frequency_hz, .rate_hz = rate_hz, .automatic = true};
}

/* 0 is automatic. Values beyond those of any tuner are none. */
static bool set_gain(struct rtl_tcp_settings *s, int32_t tenths)
{
    enum { MOST = 1200 };
    if (tenths < -MOST || tenths > MOST)
        return false;
    s->automatic = tenths == 0;
    s->gain_db = tenths / 10.0;
    return true;
}

static bool take(struct rtl_tcp_settings *s, enum rtl_tcp_command command, uint32_t value)
{
    enum { PPM_MOST = 1000 };
    const int32_t number = (int32_t)value;
    switch (command) {
    case RTL_TCP_CENTER:
        s->frequency_hz = value;
        return true;
    case RTL_TCP_RATE:
        if (value > 0)
            s->rate_hz = value < rate_max_hz ? value : rate_max_hz;
        return value > 0;
    case RTL_TCP_GAIN_MODE:
        s->automatic = value == 0;
        return true;
    case RTL_TCP_GAIN:
        return set_gain(s, number);
    case RTL_TCP_GAIN_INDEX:
        return value < RTL_TCP_GAINS && set_gain(s, gains[value]);
    case RTL_TCP_CORRECTION:
        if (number >= -PPM_MOST && number <= PPM_MOST)
            s->ppm = number;
        return s->ppm == number;
    case RTL_TCP_DIGITAL_AGC:
        s->automatic = s->automatic || value == 1;
        return true;
    case RTL_TCP_BIAS_TEE:
        s->biased = s->biased || value != 0;
        return value == 0;
    case RTL_TCP_DIRECT:
    case RTL_TCP_OFFSET:
        break;
    }
    return false;
}

void rtl_tcp_settings_take(struct rtl_tcp_settings *s, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        enum rtl_tcp_command command;
        uint32_t value;
        s->part[s->have++] = bytes[i];
        if (s->have < RTL_TCP_COMMAND)
            continue;
        s->have = 0;
        rtl_tcp_read_command(s->part, &command, &value);
        s->commands++;
        s->ignored += !take(s, command, value);
    }
}

double rtl_tcp_settings_center_hz(const struct rtl_tcp_settings *s)
{
    return s->frequency_hz * (1 - s->ppm * 1e-6);
}
