/* bytes.h - little-endian numbers and variable-length integers in memory. Pure. */
#ifndef FFTD_DAEMON_BASE_BYTES_H
#define FFTD_DAEMON_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void bytes_put(uint8_t *at, uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static inline uint64_t bytes_get(const uint8_t *at, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static inline uint16_t bytes_get_u16(const uint8_t *at)
{
    return (uint16_t)bytes_get(at, 2);
}

static inline uint32_t bytes_get_u32(const uint8_t *at)
{
    return (uint32_t)bytes_get(at, 4);
}

static inline uint64_t bytes_get_u64(const uint8_t *at)
{
    return bytes_get(at, 8);
}

static inline void bytes_put_double(uint8_t *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_put(at, bits, 8);
}

static inline double bytes_get_double(const uint8_t *at)
{
    const uint64_t bits = bytes_get(at, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* These return the end of the written bytes. */
static inline uint8_t *bytes_append(uint8_t *at, const void *from, size_t size)
{
    memcpy(at, from, size);
    return at + size;
}

enum { BYTES_VARINT = 10 /* at most */ };

/* Seven bits a byte, the lowest first; the eighth bit: more follow (LEB128). */
static inline uint8_t *bytes_put_varint(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

/* 0, -1, 1, -2, 2 ... as 0, 1, 2, 3, 4 ... */
static inline uint64_t bytes_zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t bytes_unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1 ^ (~(value & 1) + 1));
}

static inline uint8_t *bytes_put_signed(uint8_t *at, int64_t value)
{
    return bytes_put_varint(at, bytes_zigzag(value));
}

/* Bytes that are read in order. A read past the end gives 0 and sets `failed`. */
struct bytes_reader {
    const uint8_t *at, *end;
    bool failed;
};

static inline const uint8_t *bytes_skip(struct bytes_reader *r, uint64_t count)
{
    const uint8_t *at = r->at;
    if (count > (uint64_t)(r->end - r->at)) {
        r->failed = true;
        r->at = r->end;
        return NULL;
    }
    r->at += count;
    return at;
}

static inline uint64_t bytes_varint(struct bytes_reader *r)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && r->at < r->end; shift += 7) {
        const uint8_t byte = *r->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    r->failed = true;
    return 0;
}

static inline int64_t bytes_signed(struct bytes_reader *r)
{
    return bytes_unzigzag(bytes_varint(r));
}

#endif
