/*
 * vkfft_module.h - the module that contains VkFFT and exports vkfft_module. Nothing else needs
 * VkFFT's header or OpenCL's. It can be built where both were found by the configuration:
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
    /* Plans consecutive forward transforms in place. NULL: not possible. */
    void *(*plan)(struct _cl_device_id *device, struct _cl_context *context, struct _cl_mem *points,
                  uint32_t n, uint32_t batch);
    bool (*run)(void *plan, struct _cl_command_queue *queue); /* enqueues all transforms */
    void (*drop)(void *plan);
};

extern const struct vkfft_module vkfft_module;

#endif
