/*
 * wav_auxi.h - parses the chunk "auxi" that SDR recorders write into WAV files. Pure, any thread.
 *
 *     binary  two SYSTEMTIMEs of 16 bytes (start, stop; UTC), u32 centre in Hz, ...; little-endian.
 *             SpectraVue, HDSDR, SDRuno, SDRconnect, SDRangel
 *     XML     SDR Console, in UTF-16 or UTF-8, with attributes (or elements) of these names:
 *             RadioCenterFreq="162550000" SampleRate="2500000" UTCSeconds="1579485024"
 *             CurrentTimeUTC="20-01-2020 01:50:24", used without UTCSeconds
 */
#ifndef FFTD_DAEMON_FORMAT_RECORDING_WAV_AUXI_H
#define FFTD_DAEMON_FORMAT_RECORDING_WAV_AUXI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wav_auxi {
    double center_hz; /* NAN: not given */
    double rate_hz;   /* 0: not given */
    bool has_time;
    int64_t start_ns; /* Unix time */
};

/* Values that are missing or not plausible count as not given. */
void wav_auxi_parse(const uint8_t *bytes, size_t size, struct wav_auxi *out);

#endif
