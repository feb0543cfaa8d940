/* spectrum_cf32.cu - the kernels that read cf32. */
#include "kernels/cuda/spectrum.h"

SPECTRUM_KERNELS(cf32)
