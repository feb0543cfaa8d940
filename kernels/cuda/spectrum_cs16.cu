/* spectrum_cs16.cu - the kernels that read cs16. */
#include "kernels/cuda/spectrum.h"

SPECTRUM_KERNELS(cs16)
