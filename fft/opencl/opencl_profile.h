/*
 * opencl_profile.h - one OpenCL device as the planner sees it: the answers to its queries, or a
 * simulated device.
 *
 * Pure, any thread. The engine fills a profile from the device. The table in opencl_profile.c has
 * devices whose plans can be printed and tested without the device.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_PROFILE_H
#define FFTD_FFT_OPENCL_OPENCL_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

enum opencl_type { OPENCL_GPU, OPENCL_CPU, OPENCL_OTHER };

struct opencl_profile {
    char name[64]; /* "mali-t760", or the name that the device reports */
    char vendor[32];
    enum opencl_type type;
    bool local_is_fast; /* CL_DEVICE_LOCAL_MEM_TYPE is CL_LOCAL */
    bool unified;       /* CL_DEVICE_HOST_UNIFIED_MEMORY */
    bool fp64, fp16, subgroups;
    uint32_t units;          /* CL_DEVICE_MAX_COMPUTE_UNITS */
    uint32_t clock_mhz;      /* 0: unknown */
    uint32_t max_group;      /* CL_DEVICE_MAX_WORK_GROUP_SIZE */
    uint32_t local_bytes;    /* CL_DEVICE_LOCAL_MEM_SIZE, or more */
    uint32_t local_reported; /* CL_DEVICE_LOCAL_MEM_SIZE if local_bytes is more, else 0 */
    uint32_t registers;      /* of 32 bits that a work-item may use; 0: estimated */
    uint64_t cache_bytes;    /* CL_DEVICE_GLOBAL_MEM_CACHE_SIZE; 0: none or unknown */
    uint64_t memory_bytes;   /* CL_DEVICE_GLOBAL_MEM_SIZE */
    uint64_t alloc_bytes;    /* CL_DEVICE_MAX_MEM_ALLOC_SIZE */
};

/*
 * The local memory of a work-group on NVIDIA's devices, by compute capability (CUDA C++ Programming
 * Guide, technical specifications). The driver reports 48 KiB, but supports what a kernel declares
 * up to this size. 0: unknown.
 */
uint32_t opencl_nvidia_local_bytes(uint32_t major, uint32_t minor);

/* The registers of 32 bits that a work-item may use. */
uint32_t opencl_profile_registers(const struct opencl_profile *p);

/* Finds a simulated device. Returns false if there is none of that name. */
bool opencl_profile_find(const char *name, struct opencl_profile *out);
const char *opencl_profile_name(uint32_t index); /* NULL: there are no more */

#endif
