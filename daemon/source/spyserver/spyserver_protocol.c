/* spyserver_protocol.c - headers, bodies and commands of a SpyServer. */
#include "daemon/source/spyserver/spyserver_protocol.h"

#include <math.h>
#include <string.h>

#include "daemon/base/bytes.h"

enum { COMMAND_HELLO = 0, COMMAND_SET = 2, MAX_STAGES = 24 };
/* Major and minor version; the build number of client and server may differ. */
static const uint32_t protocol = 2 << 24 | 0 << 16 | 1700;

/* Number n of a header or body. */
static uint32_t number(const uint8_t *at, unsigned n)
{
    return bytes_get_u32(at + 4 * (size_t)n);
}

bool spyserver_read_header(const uint8_t bytes[SPYSERVER_HEADER], struct spyserver_header *out)
{
    const uint32_t type = number(bytes, 1);
    *out = (struct spyserver_header){.protocol = number(bytes, 0),
                                     .type = type & 0xffff,
                                     .gain_db = type >> 16,
                                     .sequence = number(bytes, 3),
                                     .size = number(bytes, 4)};
    return out->protocol >> 16 == protocol >> 16 && out->size <= SPYSERVER_BODY_MAX;
}

static const char *device_name(uint32_t type)
{
    static const char *const names[] = {"radio", "Airspy", "Airspy HF+", "RTL-SDR"};
    return names[type < sizeof names / sizeof names[0] ? type : 0];
}

bool spyserver_read_device(const uint8_t *body, size_t size, struct spyserver_device *out)
{
    if (size < SPYSERVER_DEVICE)
        return false;
    *out = (struct spyserver_device){.name = device_name(number(body, 0)),
                                     .serial = number(body, 1),
                                     .max_rate_hz = number(body, 2),
                                     .stages = number(body, 4),
                                     .max_gain = number(body, 6),
                                     .min_hz = number(body, 7),
                                     .max_hz = number(body, 8),
                                     .min_stage = number(body, 10),
                                     .forced_format = number(body, 11)};
    return out->max_rate_hz > 0 && out->stages <= MAX_STAGES && out->min_stage <= out->stages &&
           out->min_hz <= out->max_hz;
}

bool spyserver_same_device(const struct spyserver_device *a, const struct spyserver_device *b)
{
    return a->serial == b->serial && a->max_rate_hz == b->max_rate_hz && a->stages == b->stages &&
           a->min_stage == b->min_stage && a->max_gain == b->max_gain && a->min_hz == b->min_hz &&
           a->max_hz == b->max_hz && a->forced_format == b->forced_format;
}

bool spyserver_read_sync(const uint8_t *body, size_t size, struct spyserver_sync *out)
{
    if (size < SPYSERVER_SYNC)
        return false;
    *out = (struct spyserver_sync){.may_control = number(body, 0) != 0,
                                   .gain = number(body, 1),
                                   .center_hz = number(body, 3),
                                   .min_center_hz = number(body, 5),
                                   .max_center_hz = number(body, 6)};
    return true;
}

enum fft_iq_format spyserver_iq_format(uint32_t message)
{
    return message == SPYSERVER_MESSAGE_UINT8   ? FFT_IQ_CU8
           : message == SPYSERVER_MESSAGE_INT16 ? FFT_IQ_CS16
           : message == SPYSERVER_MESSAGE_FLOAT ? FFT_IQ_CF32
                                                : FFT_IQ_FORMATS;
}

int spyserver_stage(const struct spyserver_device *d, double rate_hz)
{
    for (uint32_t stage = d->min_stage; stage <= d->stages; stage++) {
        const double hz = ldexp(d->max_rate_hz, -(int)stage);
        if (fabs(hz - rate_hz) <= 1e-6 * hz)
            return (int)stage;
    }
    return -1;
}

static void write_command(uint8_t *out, uint32_t command, size_t body)
{
    bytes_put(out, command, 4);
    bytes_put(out + 4, (uint32_t)body, 4);
}

size_t spyserver_write_hello(uint8_t out[SPYSERVER_HELLO_MAX])
{
    static const char name[] = "fftd";
    write_command(out, COMMAND_HELLO, 4 + strlen(name));
    bytes_put(out + 8, protocol, 4);
    memcpy(out + 12, name, strlen(name));
    return 12 + strlen(name);
}

size_t spyserver_write_setting(uint8_t out[SPYSERVER_SETTING_BYTES], enum spyserver_setting setting,
                               uint32_t value)
{
    write_command(out, COMMAND_SET, 8);
    bytes_put(out + 8, (uint32_t)setting, 4);
    bytes_put(out + 12, value, 4);
    return SPYSERVER_SETTING_BYTES;
}
