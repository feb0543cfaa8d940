/* spectrum_cu8.cu - instantiates the kernels that read cu8 samples. */
#include "kernels/cuda/spectrum.h"

SPECTRUM_KERNELS(cu8)
