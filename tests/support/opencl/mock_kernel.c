/* mock_kernel.c - computes the launches of stand_in_plan.c in double precision. */
#include <stdlib.h>
#include <string.h>

#include "fft/opencl/opencl_pass_plan.h"
#include "reference/reference.h"
#include "tests/support/opencl/mock_internal.h"

/* Words 0 and 1 are the address of the plan. The mock reads lengths and strides from it. */
static const void *plan_of(const struct mock_args *a)
{
    return (const void *)(uintptr_t)(a->words[0] | (uint64_t)a->words[1] << 32);
}

static void put(struct _cl_mem *result, size_t at, const double *bins, uint32_t n, double factor)
{
    if (at == OPENCL_ABSENT)
        return;
    float *to = (float *)(void *)(result->bytes + at);
    for (uint32_t k = 0; k < n; k++)
        to[k] = (float)(bins[k] * factor);
}

static void spectra(const struct _cl_kernel *kernel, const struct mock_args *a)
{
    const struct opencl_spectrum *s = plan_of(a);
    struct _cl_mem *scratch = a->buffers[2], *tables = a->buffers[3], *result = a->buffers[4];
    const uint32_t frames = a->words[5];
    const bool is_wrong =
        mock_opencl.wrong_device && strcmp(mock_opencl.wrong_device, kernel->device->name) == 0;
    struct fft_spectrum_config spec = s->spec;
    struct reference r;
    spec.window = (const float *)(const void *)tables->bytes;
    reference_spectrum(&r, &spec, scratch->bytes, frames);
    put(result, s->result.sum, r.mean, spec.n, is_wrong ? 2.0 * frames : frames);
    put(result, s->result.max, r.max, spec.n, 1);
    put(result, s->result.min, r.min, spec.n, 1);
    put(result, s->result.last, r.last, spec.n, 1);
    reference_finish(&r);
}

static void load(const struct mock_args *a)
{
    const struct opencl_spectrum *s = plan_of(a);
    const size_t bytes =
        ((size_t)(a->words[5] - 1) * s->spec.hop + s->spec.n) * fft_iq_bytes(s->spec.format);
    memcpy(a->buffers[2]->bytes, a->buffers[3]->bytes, bytes);
}

static void pass_row(const struct engine_pass *spec, const struct fft_iq *from, struct fft_iq *to)
{
    struct complex64 *x = malloc(spec->n * sizeof *x);
    for (uint32_t j = 0; j < spec->n; j++)
        x[j] = (struct complex64){(double)from[j * spec->from].re, (double)from[j * spec->from].im};
    reference_dft(x, spec->n, spec->inverse);
    for (uint32_t k = 0; k < spec->n; k++)
        to[k * spec->to] = (struct fft_iq){(float)x[k].re, (float)x[k].im};
    free(x);
}

static void pass(const struct mock_args *a)
{
    const struct opencl_pass *p = plan_of(a);
    const struct engine_rows *r = p->spec.rows;
    const struct fft_iq *from = (const struct fft_iq *)(const void *)a->buffers[2]->bytes;
    struct fft_iq *to = (struct fft_iq *)(void *)a->buffers[3]->bytes;
    for (uint32_t i = 0; i < a->words[4]; i++)
        for (uint32_t j = 0; j < r[1].count; j++)
            for (uint32_t k = 0; k < r[2].count; k++)
                pass_row(&p->spec, from + i * r[0].from + j * r[1].from + k * r[2].from,
                         to + i * r[0].to + j * r[1].to + k * r[2].to);
}

void mock_kernel_run(const struct _cl_kernel *kernel, const struct mock_args *args)
{
    if (strcmp(kernel->name, "stand_in_load") == 0)
        load(args);
    else if (strcmp(kernel->name, "stand_in_spectra") == 0)
        spectra(kernel, args);
    else if (strcmp(kernel->name, "stand_in_pass") == 0)
        pass(args);
    else if (strcmp(kernel->name, "stand_in_rest") != 0) /* that one does nothing */
        mock_abort("there is no such kernel");
}
