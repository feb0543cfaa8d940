/* engine_absent.c - the engines that this build lacks, and what they need. Apart from
 * engine_list.c, which tests replace. */
#include "fft/engine.h"

const struct engine_absence fft_engines_absent[] = {
#if !FFTD_HAVE_CUDA
    {"cuda", "was built without CUDA: install nvcc of CUDA 12 or 13, and build with FFTD_CUDA=ON"},
#endif
    {NULL, NULL},
};
