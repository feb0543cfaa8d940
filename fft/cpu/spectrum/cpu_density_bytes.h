/*
 * cpu_density_bytes.h - vectors of bytes, one for each column.
 *
 * Defines DENSITY_BYTES where the instruction set can look bytes up in a table.
 */
#ifndef FFTD_FFT_CPU_SPECTRUM_CPU_DENSITY_BYTES_H
#define FFTD_FFT_CPU_SPECTRUM_CPU_DENSITY_BYTES_H

#include "fft/cpu/base/cpu_vec.h"

enum { RANGE = 16 }; /* rows that are counted together, and the bytes of a table */

#if defined __x86_64__ && CPU_LANES == 16
#define DENSITY_BYTES 1

typedef uint64_t bytes __attribute__((vector_size(64), may_alias));
typedef uint64_t loose_bytes __attribute__((vector_size(64), aligned(1), may_alias));

#define ZMM(v)                   ((__m512i)(v))
#define BYTES_ALL(byte)          ((bytes)_mm512_set1_epi8((char)(byte)))
#define BYTES_UNPACK(half, size) _mm512_unpack##half##_epi##size
#define BYTES_OP(name)           _mm512_##name

INLINE bytes bytes_of_table(const uint8_t *table)
{
    return (bytes)_mm512_broadcast_i32x4(_mm_loadu_si128((const void *)table));
}

/* Bit i: byte i of v is `limit` or more. */
INLINE uint64_t bytes_from(bytes v, bytes limit)
{
    return _mm512_cmpge_epu8_mask(ZMM(v), ZMM(limit));
}

INLINE bytes bits_majority(bytes a, bytes b, bytes c)
{
    return (bytes)_mm512_ternarylogic_epi64(ZMM(a), ZMM(b), ZMM(c), 0xe8);
}

INLINE bytes bits_xor3(bytes a, bytes b, bytes c)
{
    return (bytes)_mm512_ternarylogic_epi64(ZMM(a), ZMM(b), ZMM(c), 0x96);
}

/* RANGE counters. */
INLINE void counters_add(uint32_t *counters, const uint8_t *counts)
{
    const __m512i more = _mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)counts));
    _mm512_storeu_si512(counters, _mm512_add_epi32(_mm512_loadu_si512(counters), more));
}

#elif defined __x86_64__ && CPU_LANES == 8
#define DENSITY_BYTES 1

typedef uint64_t bytes __attribute__((vector_size(32), may_alias));
typedef uint64_t loose_bytes __attribute__((vector_size(32), aligned(1), may_alias));

#define YMM(v)                   ((__m256i)(v))
#define BYTES_ALL(byte)          ((bytes)_mm256_set1_epi8((char)(byte)))
#define BYTES_UNPACK(half, size) _mm256_unpack##half##_epi##size
#define BYTES_OP(name)           _mm256_##name

INLINE bytes bytes_of_table(const uint8_t *table)
{
    return (bytes)_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)table));
}

/* Bit i: byte i of v is `limit` or more. */
INLINE uint64_t bytes_from(bytes v, bytes limit)
{
    const __m256i from = _mm256_cmpeq_epi8(_mm256_max_epu8(YMM(v), YMM(limit)), YMM(v));
    return (uint32_t)_mm256_movemask_epi8(from);
}

INLINE bytes bits_majority(bytes a, bytes b, bytes c)
{
    return (a & b) | ((a ^ b) & c);
}

INLINE bytes bits_xor3(bytes a, bytes b, bytes c)
{
    return a ^ b ^ c;
}

/* RANGE counters. */
INLINE void counters_add(uint32_t *counters, const uint8_t *counts)
{
    for (int i = 0; i < RANGE; i += 8) {
        const __m256i more = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)(counts + i)));
        __m256i *at = (__m256i *)(void *)(counters + i);
        _mm256_storeu_si256(at, _mm256_add_epi32(_mm256_loadu_si256(at), more));
    }
}

#endif

#ifdef DENSITY_BYTES
#if CPU_LANES == 16
#define BYTES(v) ZMM(v)
#else
#define BYTES(v) YMM(v)
#endif

INLINE bytes bytes_load(const uint8_t *from)
{
    return *(const loose_bytes *)from;
}

INLINE void bytes_store(uint8_t *to, bytes v)
{
    *(loose_bytes *)to = v;
}

INLINE bytes bytes_min(bytes a, bytes b)
{
    return (bytes)BYTES_OP(min_epu8)(BYTES(a), BYTES(b));
}

INLINE bytes bytes_max(bytes a, bytes b)
{
    return (bytes)BYTES_OP(max_epu8)(BYTES(a), BYTES(b));
}

INLINE bytes bytes_subtract(bytes a, bytes b)
{
    return (bytes)BYTES_OP(sub_epi8)(BYTES(a), BYTES(b));
}

/* For bytes_look_up: the entry v of its table, none unless v < RANGE. */
INLINE bytes bytes_index(bytes v)
{
    return (bytes)BYTES_OP(adds_epu8)(BYTES(v), BYTES(BYTES_ALL(128 - RANGE)));
}

/* 0 where there is no entry. */
INLINE bytes bytes_look_up(bytes table, bytes index)
{
    return (bytes)BYTES_OP(shuffle_epi8)(BYTES(table), BYTES(index));
}
#endif
#endif
