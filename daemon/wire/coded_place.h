/*
 * coded_place.h - reads from a range-coded line which lines it has, without its levels. Pure.
 */
#ifndef FFTD_DAEMON_WIRE_CODED_PLACE_H
#define FFTD_DAEMON_WIRE_CODED_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct coded_place {
    bool complete; /* the frame has a base of its own */
    uint64_t base; /* number of the base's newest line: of that base, or as it was given */
    uint64_t line; /* number of the frame's newest line */
    uint32_t merged;
};

/* True if the frame begins with a base; then coded_place_read does not read `base`. */
bool coded_place_has_base(const uint8_t *bytes, size_t size);
/*
 * base: line of the base that a frame without its own refers to. -EINVAL: the bytes are no frame of
 * slot 0, or its numbers are impossible. Bytes after the numbers are not checked.
 */
int coded_place_read(const uint8_t *bytes, size_t size, uint64_t base, struct coded_place *out);

#endif
