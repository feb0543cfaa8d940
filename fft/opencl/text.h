/*
 * text.h - a program's text, put together of the kernels' files and what is defined before each.
 *
 * A struct opencl_text is a place of limited size; what does not fit is counted, not written, so
 * that asking for the length and writing are the same calls (as snprintf does). Pure.
 */
#ifndef FFTD_FFT_OPENCL_TEXT_H
#define FFTD_FFT_OPENCL_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Kernels are built to OpenCL C 1.2. Rounding stays as it is: no fast-math option. */
#define OPENCL_BUILD_OPTIONS "-cl-std=CL1.2"

struct opencl_text {
    char *out;
    size_t size, length;
};

void opencl_text_add(struct opencl_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "#define NAME value", in place of what NAME was before. */
void opencl_text_define(struct opencl_text *t, const char *name, const char *value);
void opencl_text_number(struct opencl_text *t, const char *name, uint64_t value);
/* What native.cl adds to a simulated device's functions; 0: nothing. */
void opencl_text_noise(struct opencl_text *t, float noise);
/* A whole file of kernels/opencl/, whose own lines the compiler's messages then count. */
void opencl_text_file(struct opencl_text *t, const char *stem);

#endif
