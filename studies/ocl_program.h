/*
 * ocl_program.h - OpenCL programs, kernels and launches of the studies. Programs consist of files
 * of the studies' kernels/ and of the engine's kernels/opencl/. All functions return 0, or -errno
 * after one line on standard error.
 */
#ifndef FFTD_STUDIES_OCL_PROGRAM_H
#define FFTD_STUDIES_OCL_PROGRAM_H

#include "bench/device/ocl.h"

/* Returns the text of STEM.cl of a study; NULL: no such file. */
const char *ocl_source(const char *stem);

/*
 * Builds a program once for the device; it is freed with the device.
 *
 * stems: its files in order, ended by NULL, each from the studies' kernels/ or else from
 * kernels/opencl/. defines: text before the files. options: the compiler's; they must outlive the
 * device, so use a literal.
 */
int ocl_build(struct ocl *o, struct opencl_program **out, const char *const *stems,
              const char *defines, const char *options);
/* Builds a whole text, malloc'ed. The device owns the text, also after a failure. */
int ocl_build_text(struct ocl *o, struct opencl_program **out, char *text, const char *options);
/* Returns the text that ocl_build would build, malloc'ed; NULL: no memory or no such file. */
char *ocl_text(const char *const *stems, const char *defines);

struct ocl_kernel {
    struct _cl_kernel *handle;
    size_t group; /* the largest work-group of this kernel here */
    /* Bytes of a work-item and of a work-group, from the driver; PoCL 3.1 reports 1024 and 0 for
     * all kernels. */
    uint64_t private_bytes, local_bytes;
};

int ocl_kernel(struct ocl *o, struct ocl_kernel *k, struct opencl_program *p, const char *name);
void ocl_kernel_free(struct ocl *o, struct ocl_kernel *k); /* may be zeroed */

struct ocl_arg {
    size_t bytes;
    union {
        struct _cl_mem *memory;
        uint32_t word;
        float real;
    } u;
    bool is_local; /* `bytes` of local memory */
};

#define OCL_MEMORY(m)    ((struct ocl_arg){sizeof(struct _cl_mem *), {.memory = (m)}, false})
#define OCL_WORD(x)      ((struct ocl_arg){sizeof(uint32_t), {.word = (x)}, false})
#define OCL_REAL(x)      ((struct ocl_arg){sizeof(float), {.real = (x)}, false})
#define OCL_LOCAL(bytes) ((struct ocl_arg){(bytes), {0}, true})

enum { OCL_ARGS = 16, OCL_DIMS = 3 };

struct ocl_launch {
    const struct ocl_kernel *kernel;
    size_t global[OCL_DIMS]; /* 0: this dimension and those after it are not used */
    size_t local[OCL_DIMS];  /* local[0] 0: the driver's choice */
    uint32_t arg_count;
    struct ocl_arg args[OCL_ARGS];
};

int ocl_launch(struct ocl *o, const struct ocl_launch *l); /* enqueues it */

#endif
