/*
 * vkfft_module.h - VkFFT's header, compiled into a module of its own, which exports vkfft_module;
 * so nothing else needs the header, nor OpenCL's. Made where both were found when the build was
 * configured:
 *
 *     cmake --build build/release --target fft-bench-vkfft
 */
#ifndef FFTD_BENCH_LIBS_VKFFT_MODULE_H
#define FFTD_BENCH_LIBS_VKFFT_MODULE_H

#include <stdbool.h>
#include <stdint.h>

struct _cl_device_id;
struct _cl_context;
struct _cl_command_queue;
struct _cl_mem;

struct vkfft_module {
    int (*version)(void); /* 10226: 1.2.26 */
    /* Transforms in place, forward, one behind the other. NULL: it cannot. */
    void *(*plan)(struct _cl_device_id *device, struct _cl_context *context, struct _cl_mem *points,
                  uint32_t n, uint32_t batch);
    bool (*run)(void *plan, struct _cl_command_queue *queue); /* queues all of them */
    void (*drop)(void *plan);
};

extern const struct vkfft_module vkfft_module;

#endif
