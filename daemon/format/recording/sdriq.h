/*
 * sdriq.h - parses the header of a recording of SDRangel (.sdriq). Pure, any thread.
 *
 *     byte  0   u32 rate in samples/s
 *           4   u64 centre in Hz
 *          12   u64 start: Unix time in ms; in s before version 6.16.2
 *          20   u32 bits of a component: 16, or 24 in 32
 *          24   u32 0
 *          28   u32 CRC-32 of the bytes before (ISO 3309, as in zlib)
 *          32   samples, I and Q interleaved
 *
 * All little-endian. Source: SDRangel's documents of its file input and rescuesdriq.
 */
#ifndef FFTD_DAEMON_FORMAT_RECORDING_SDRIQ_H
#define FFTD_DAEMON_FORMAT_RECORDING_SDRIQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SDRIQ_BYTES = 32 };

struct sdriq {
    uint32_t rate_hz; /* may be 0 */
    double center_hz; /* NAN: not plausible */
    bool has_time;
    int64_t start_ns; /* Unix time */
    uint32_t bits;    /* 16: cs16; 24: sdriq24 */
};

/* -EINVAL: wrong checksum, no such file. */
int sdriq_parse(const uint8_t bytes[SDRIQ_BYTES], struct sdriq *out);

#endif
