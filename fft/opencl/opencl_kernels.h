/* opencl_kernels.h - builds the kernels of one plan and launches them. */
#ifndef FFTD_FFT_OPENCL_OPENCL_KERNELS_H
#define FFTD_FFT_OPENCL_OPENCL_KERNELS_H

#include "fft/opencl/opencl_device.h"

struct opencl_kernels {
    struct opencl_device *device; /* NULL: not initialised */
    struct opencl_program *program;
    struct _cl_kernel *handles[OPENCL_KERNELS];
    uint32_t group[OPENCL_KERNELS]; /* the largest work-group that the driver allows */
    uint32_t count;
};

/* The memory object of each role (NULL: the plan has no such role), and the correction of samples.
 */
struct opencl_buffers {
    struct _cl_mem *by_role[OPENCL_ROLES];
    float correction[OPENCL_CORRECTIONS];
};

struct opencl_kernels_source {
    char *text; /* of the program, malloc'ed; init hands it to the device */
    const char *options;
    const struct opencl_kernel *names; /* [count] */
    uint32_t count;
};

/* Call finish after a failed init, too. It accepts zeroed kernels. */
int opencl_kernels_init(struct opencl_kernels *k, struct opencl_device *d,
                        const struct opencl_kernels_source *source, struct fft_reason why);
void opencl_kernels_finish(struct opencl_kernels *k);

/* Sets *out to launch number `index` of a plan. Returns false if there are no more. */
typedef bool opencl_launches(const void *plan, uint32_t index, struct opencl_launch *out);
/* Returns the largest work-group that all kernels of these launches allow, or 0 if every launch is
 * within its limit. */
uint32_t opencl_kernels_limit(const struct opencl_kernels *k, opencl_launches *launches,
                              const void *plan);

/* Queues a launch. It runs after everything queued before, and after the event *after, unless that
 * is NULL. */
int opencl_kernels_launch(const struct opencl_kernels *k, struct _cl_command_queue *queue,
                          const struct opencl_launch *launch, const struct opencl_buffers *buffers,
                          struct _cl_event *after, struct fft_reason why);

#endif
