/* spectrum_cs8.cu - the kernels that read cs8. */
#include "kernels/cuda/spectrum.h"

SPECTRUM_KERNELS(cs8)
