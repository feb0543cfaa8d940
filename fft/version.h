/*
 * version.h - the version of the library: of these headers, and of the library that a program runs
 * with. Pure functions, any thread.
 *
 * While the major version is 0, a new minor version may change functions and structs, and the
 * shared library then gets another SONAME (libfftd-fft.so.0.1). A new patch version changes
 * neither.
 */
#ifndef FFTD_FFT_VERSION_H
#define FFTD_FFT_VERSION_H

#include "fft/export.h"

FFT_API_BEGIN

/* Of these headers. CMakeLists.txt has the same numbers. */
#define FFT_VERSION_MAJOR 0
#define FFT_VERSION_MINOR 1
#define FFT_VERSION_PATCH 0

/* Versions as one number that can be compared: 0.1.0 is 100, 1.2.3 is 10203. */
#define FFT_VERSION_NUMBER(major, minor, patch) ((major)*10000 + (minor)*100 + (patch))

#define FFT_VERSION FFT_VERSION_NUMBER(FFT_VERSION_MAJOR, FFT_VERSION_MINOR, FFT_VERSION_PATCH)

/* Of the library in use: FFT_VERSION of its headers, and as text ("0.1.0"). */
int fft_version(void);
const char *fft_version_text(void);

FFT_API_END

#endif
