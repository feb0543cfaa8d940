/*
 * libraries.h - other FFT libraries that the document's tables are repeated with. They are loaded
 * or run where they are installed, and never linked.
 */
#ifndef FFTD_STUDIES_FOUR_EASY_WAYS_LIBRARIES_H
#define FFTD_STUDIES_FOUR_EASY_WAYS_LIBRARIES_H

#include "bench/command_line.h"
#include "studies/study.h"

/* KISS FFT, libkissfft-float.so.131. A configuration holds all of its state and is freed with
 * free(). */
struct kiss {
    void *library;
    void *(*alloc)(int n, int inverse, void *memory, size_t *size);
    void (*run)(void *configuration, const struct fft_iq *in, struct fft_iq *out);
};

bool kiss_open(struct kiss *k); /* false: not installed. Call close also then. */
void kiss_close(struct kiss *k);

#endif
