/* spectrum_cf32.cu - instantiates the kernels that read cf32 samples. */
#include "kernels/cuda/spectrum.h"

SPECTRUM_KERNELS(cf32)
