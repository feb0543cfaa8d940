/* kernels.h - the kernels of one plan: made before they are needed, then launched. */
#ifndef FFTD_FFT_OPENCL_KERNELS_H
#define FFTD_FFT_OPENCL_KERNELS_H

#include "fft/opencl/device.h"

struct opencl_kernels {
    struct opencl_program *program;
    struct _cl_kernel *handles[OPENCL_KERNELS];
    uint32_t group[OPENCL_KERNELS]; /* the largest work-group that the driver can give it */
    uint32_t count;
};

/* What each role of a launch's arguments is: NULL where the plan has no such role. */
struct opencl_buffers {
    struct _cl_mem *by_role[OPENCL_ROLES];
};

/* text: of the program, malloc'ed; it is the device's then. finish follows also a failed init. */
int opencl_kernels_init(struct opencl_kernels *k, struct opencl_device *d, char *text,
                        const char *options, const struct opencl_kernel *names, uint32_t count,
                        struct reason why);
void opencl_kernels_finish(struct opencl_kernels *k, struct opencl_device *d);

/* Launch number `index` of a plan; false: there are no more. */
typedef bool opencl_launches(const void *plan, uint32_t index, struct opencl_launch *out);
/* The largest work-group that suits all kernels of these launches, 0 if all may have what they
 * want. */
uint32_t opencl_kernels_limit(const struct opencl_kernels *k, opencl_launches *launches,
                              const void *plan);

/* Queued behind what is in the queue, and behind *after, unless that is NULL. */
int opencl_kernels_launch(const struct opencl_kernels *k, const struct opencl_device *d,
                          struct _cl_command_queue *queue, const struct opencl_launch *what,
                          const struct opencl_buffers *buffers, struct _cl_event *after,
                          struct reason why);

#endif
