/* spectrum_cs16.cu - instantiates the kernels that read cs16 samples. */
#include "kernels/cuda/spectrum.h"

SPECTRUM_KERNELS(cs16)
