/* opencl_state.h - the state of an open OpenCL engine: driver, device, and the queue of transforms.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_STATE_H
#define FFTD_FFT_OPENCL_OPENCL_STATE_H

#include "fft/opencl/opencl_device.h"
#include "fft/opencl/opencl_settings.h"

struct opencl_engine {
    struct opencl_driver driver;
    struct opencl_settings settings;
    struct opencl_cache cache;
    struct opencl_device device;
    struct _cl_command_queue *queue; /* of buffers and passes */
};

#endif
