/* spectrum_cu8.cu - the kernels that read cu8. */
#include "kernels/cuda/spectrum.h"

SPECTRUM_KERNELS(cu8)
