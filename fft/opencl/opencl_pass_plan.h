/*
 * opencl_pass_plan.h - plans the kernels of one pass of a transform. Pure, as opencl_plan.h.
 *
 * All passes on one device share one program: lengths and strides are kernel arguments.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_PASS_PLAN_H
#define FFTD_FFT_OPENCL_OPENCL_PASS_PLAN_H

#include "fft/engine.h"
#include "fft/opencl/opencl_plan.h"

/* A planned pass. The first group of fields is for the caller, the rest for the functions below. */
struct opencl_pass {
    size_t tables_bytes, scratch_bytes; /* may be 0 */
    const char *options;
    uint32_t kernel_count;
    struct opencl_kernel kernels[OPENCL_KERNELS];

    struct opencl_profile profile;
    struct engine_pass spec;
    struct opencl_choice choice;
    bool rows_adjacent; /* rows are closer together than the points of a row */
    uint32_t stage_count;
    struct opencl_stage stages[OPENCL_PASSES_MAX];
    uint32_t chunk_rows; /* rows that pass through all stages before the next rows start */
};

/* Returns 0, or -ENOTSUP if there are no kernels for this kind or length, or indices exceed 32
 * bits. */
int opencl_pass_plan(struct opencl_pass *out, const struct opencl_profile *profile,
                     const struct engine_pass *spec, const struct opencl_choice *choice);
size_t opencl_pass_source(const struct opencl_pass *p, char *out, size_t size);
void opencl_pass_tables(const struct opencl_pass *p, void *tables);
/* rows0: the count of rows[0] in this call, not above the planned one. */
bool opencl_pass_launch(const struct opencl_pass *p, uint32_t rows0, uint32_t index,
                        struct opencl_launch *out);

/* For opencl_pass_launch.c: the index of the kernel for this radix and number of columns. */
uint32_t opencl_pass_kernel(uint32_t radix, uint32_t columns);

#endif
