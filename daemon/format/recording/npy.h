/*
 * npy.h - parses the header of a NumPy array (numpy.save). Pure, any thread.
 *
 *     "\x93NUMPY", u8 major, u8 minor, u16 (1.0) or u32 (2.0, 3.0) size of the text, little-endian
 *     {'descr': '<c8', 'fortran_order': False, 'shape': (1000,), }    a literal of Python
 *     samples
 *
 *     descr                          shape           samples
 *     <c8 <c16                       (n,)            cf32, cf64; (1, n) and (n, 1), too
 *     |i1 |u1 <i2 <u2 <i4 <u4 <f4 <f8  (n, 2)        cs8, cu8, cs16, cu16, cs32, cu32, cf32, cf64
 *     the same                       (n,)            ri8, ru8, ... rf64: real samples
 *     [('re', '<i2'), ('im', '<i2')] (n,)            as (n, 2); any two names
 *
 * and the same in big-endian order, '>'.
 *
 * Source: NEP 1, "A Simple File Format for NumPy Arrays".
 */
#ifndef FFTD_DAEMON_FORMAT_RECORDING_NPY_H
#define FFTD_DAEMON_FORMAT_RECORDING_NPY_H

#include <stddef.h>
#include <stdint.h>

struct iq_sample;
struct reason;

enum { NPY_HEADER_MAX = 65536 }; /* bytes; a longer header is refused */

struct npy {
    size_t data_at; /* byte position of the first sample */
    uint64_t data_bytes;
    const struct iq_sample *sample;
};

/*
 * Parses the first `size` bytes. 0: complete. > 0: call again with this many bytes. -EINVAL: no
 * such header. -ENOTSUP: an array that fftd cannot read as samples; `why` says what helps. data_at
 * is valid then, too.
 */
int npy_parse(const uint8_t *bytes, size_t size, struct npy *out, struct reason *why);

#endif
