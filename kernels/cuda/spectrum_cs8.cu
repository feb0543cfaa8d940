/* spectrum_cs8.cu - instantiates the kernels that read cs8 samples. */
#include "kernels/cuda/spectrum.h"

SPECTRUM_KERNELS(cs8)
