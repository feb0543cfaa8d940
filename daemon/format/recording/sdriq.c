/* sdriq.c - checks and reads the header of a recording of SDRangel. */
#include "daemon/format/recording/sdriq.h"

#include <errno.h>
#include <math.h>

#include "daemon/base/bytes.h"

#define CENTER_MAX_HZ 300e9
#define SECONDS_MAX   UINT64_C(9214646400)   /* the end of 2261: 64 bits of nanoseconds */
#define MS_MIN        UINT64_C(100000000000) /* 1973 in ms; in s a year that no one records in */

static uint32_t crc32(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static void set_time(struct sdriq *out, uint64_t stamp)
{
    const uint64_t unit_ns = stamp >= MS_MIN ? 1000000 : 1000000000;
    out->has_time = stamp > 0 && stamp <= SECONDS_MAX * (1000000000 / unit_ns);
    out->start_ns = out->has_time ? (int64_t)(stamp * unit_ns) : 0;
}

int sdriq_parse(const uint8_t bytes[SDRIQ_BYTES], struct sdriq *out)
{
    *out = (struct sdriq){
        .rate_hz = bytes_get_u32(bytes), .center_hz = NAN, .bits = bytes_get_u32(bytes + 20)};
    if (bytes_get_u32(bytes + 28) != crc32(bytes, 28))
        return -EINVAL;
    const double center_hz = (double)bytes_get_u64(bytes + 4);
    if (center_hz > 0 && center_hz <= CENTER_MAX_HZ)
        out->center_hz = center_hz;
    set_time(out, bytes_get_u64(bytes + 12));
    return 0;
}
