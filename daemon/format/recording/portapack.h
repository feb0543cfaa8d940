/*
 * portapack.h - parses the text file that a PortaPack writes beside a capture. Pure, any thread.
 *
 *     center_frequency=433920000        Hz
 *     sample_rate=500000                samples/s
 *
 * Other lines (latitude, longitude, satinuse) are ignored. Lines may end with CR LF.
 */
#ifndef FFTD_DAEMON_FORMAT_RECORDING_PORTAPACK_H
#define FFTD_DAEMON_FORMAT_RECORDING_PORTAPACK_H

#include <stddef.h>

struct portapack {
    double center_hz; /* NAN: not given */
    double rate_hz;   /* 0: not given */
};

/* Values that are not plausible count as not given. */
void portapack_parse(const char *text, size_t size, struct portapack *out);

#endif
