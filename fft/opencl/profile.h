/*
 * profile.h - one OpenCL device as the planner sees it: what its queries told, or a simulated one.
 *
 * Pure, any thread. The engine fills a profile in from the device; the table here has devices that
 * are not on the desk, so that their plans can be read and tested.
 */
#ifndef FFTD_FFT_OPENCL_PROFILE_H
#define FFTD_FFT_OPENCL_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

enum opencl_type { OPENCL_GPU, OPENCL_CPU, OPENCL_OTHER };

struct opencl_profile {
    char name[64]; /* "mali-t760", or what the device calls itself */
    char vendor[32];
    enum opencl_type type;
    bool local_is_fast; /* CL_DEVICE_LOCAL_MEM_TYPE is CL_LOCAL */
    bool unified;       /* CL_DEVICE_HOST_UNIFIED_MEMORY */
    bool fp64, fp16, subgroups;
    uint32_t units;          /* CL_DEVICE_MAX_COMPUTE_UNITS */
    uint32_t clock_mhz;      /* 0: unknown */
    uint32_t max_group;      /* CL_DEVICE_MAX_WORK_GROUP_SIZE */
    uint32_t local_bytes;    /* CL_DEVICE_LOCAL_MEM_SIZE, or more: */
    uint32_t local_reported; /* ... CL_DEVICE_LOCAL_MEM_SIZE then, else 0 */
    uint32_t cache_line;     /* CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, bytes */
    uint32_t vector_float;   /* CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT */
    uint32_t
        registers; /* of 32 bits that kernels may count on a work-item to have; no query tells */
    uint64_t cache_bytes;  /* CL_DEVICE_GLOBAL_MEM_CACHE_SIZE; 0: none, or unknown */
    uint64_t memory_bytes; /* CL_DEVICE_GLOBAL_MEM_SIZE */
    uint64_t alloc_bytes;  /* CL_DEVICE_MAX_MEM_ALLOC_SIZE */
    float native_noise;    /* simulated: by how much native sine and cosine are off at most */
};

/*
 * Local memory that a work-group of NVIDIA's devices can have, by compute capability (CUDA C++
 * Programming Guide, technical specifications): the driver tells of 48 KiB, and gives what a kernel
 * declares. 0: unknown.
 */
uint32_t opencl_nvidia_local_bytes(uint32_t major, uint32_t minor);

/* Registers of 32 bits that a work-item may have. */
uint32_t opencl_profile_registers(const struct opencl_profile *p);

/* A simulated device. False: there is none of that name. */
bool opencl_profile_find(const char *name, struct opencl_profile *out);
const char *opencl_profile_name(uint32_t index); /* their names; NULL: there are no more */

#endif
