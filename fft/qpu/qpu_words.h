/*
 * qpu_words.h - copies to and from memory that the QPUs share. /dev/mem maps it as device memory,
 * where every access must be aligned. memcpy and vector code may use unaligned accesses.
 */
#ifndef FFTD_FFT_QPU_QPU_WORDS_H
#define FFTD_FFT_QPU_QPU_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Copies to shared memory. bytes: a multiple of 4. */
static inline void qpu_words_put(void *shared, const void *from, size_t bytes)
{
    volatile uint32_t *to = shared;
    for (size_t i = 0; i < bytes / 4; i++) {
        uint32_t word;
        memcpy(&word, (const char *)from + 4 * i, sizeof word);
        to[i] = word;
    }
}

/* Fills shared memory with zeros. bytes: a multiple of 4. */
static inline void qpu_words_clear(void *shared, size_t bytes)
{
    volatile uint32_t *to = shared;
    for (size_t i = 0; i < bytes / 4; i++)
        to[i] = 0;
}

/* Copies from shared memory. bytes: a multiple of 4. */
static inline void qpu_words_get(void *to, const void *shared, size_t bytes)
{
    const volatile uint32_t *from = shared;
    for (size_t i = 0; i < bytes / 4; i++) {
        const uint32_t word = from[i];
        memcpy((char *)to + 4 * i, &word, sizeof word);
    }
}

#endif
