/*
 * opencl_text.h - builds the text of a program from the files of kernels and the macros defined
 * before each.
 *
 * A struct opencl_text is a buffer of limited size. Text that does not fit is counted, not written,
 * so the same calls compute the length and write the text (as snprintf does). Pure.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_TEXT_H
#define FFTD_FFT_OPENCL_OPENCL_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Kernels are OpenCL C 1.2. Rounding is the default: no fast-math option. */
#define OPENCL_BUILD_OPTIONS "-cl-std=CL1.2"

struct opencl_text {
    char *out;
    size_t size, length;
};

void opencl_text_add(struct opencl_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds "#define NAME value" and undefines NAME first. */
void opencl_text_define(struct opencl_text *t, const char *name, const char *value);
void opencl_text_number(struct opencl_text *t, const char *name, uint64_t value);
/* Adds a whole file of kernels/opencl/. Messages of the compiler count its own lines. */
void opencl_text_file(struct opencl_text *t, const char *stem);

#endif
