/* stand_in_image.c - a build without kernels has none; the mock driver takes anything. */
#include <string.h>

#include "fft/cuda/image.h"

const void *cuda_image(const char *module)
{
    return strcmp(module, "stand_in") == 0 ? "an image" : NULL;
}
