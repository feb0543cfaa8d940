/* version.c - the version of the library in use. */
#include "fft/version.h"

#define TEXT(number)                      #number
#define VERSION_TEXT(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

int fft_version(void)
{
    return FFT_VERSION;
}

const char *fft_version_text(void)
{
    return VERSION_TEXT(FFT_VERSION_MAJOR, FFT_VERSION_MINOR, FFT_VERSION_PATCH);
}
