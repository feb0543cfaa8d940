/*
 * hex_words.h - reads the words of a program from a .hex file of GPU_FFT or vc4asm.
 *
 *     0x00000040, 0xe00217a7, // mov rb_0x40, 0x40
 *
 * Words are separated by commas and white space. A comment ends with its line.
 */
#ifndef FFTD_STUDIES_GPU_FFT_TESTS_HEX_WORDS_H
#define FFTD_STUDIES_GPU_FFT_TESTS_HEX_WORDS_H

#include <stdint.h>
#include <stdio.h>

/* Reads words[max]. The number of words, -E2BIG: more than max, or -EINVAL: other text. */
int hex_words_read(FILE *file, uint32_t *words, int max);

#endif
