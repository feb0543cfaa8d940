/* batch.c - runs one batch of a planned spectrum on a test device. */
#include "tests/support/opencl/batch.h"

#include <stdlib.h>

#include "fft/iq.h"
#include "tests/support/cmocka_all.h"

static void *at(const struct batch_result *r, size_t offset)
{
    return offset == OPENCL_ABSENT ? NULL : (char *)r->memory + offset;
}

static void build(struct program *p, const struct device *d, const struct opencl_spectrum *s)
{
    const size_t length = opencl_spectrum_source(s, NULL, 0);
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(opencl_spectrum_source(s, text, length + 1), length);
    program_build(p, d, text, s->options, s->kernels, s->kernel_count);
    free(text);
}

struct batch_result batch_run(const struct device *d, const struct opencl_spectrum *s,
                              const void *raw, uint32_t samples_at, uint32_t frames)
{
    struct batch_result r = {.bytes = s->result.bytes};
    const size_t head = samples_at * fft_iq_bytes(s->spec.format);
    const size_t span =
        ((size_t)(frames - 1) * s->spec.hop + s->spec.n) * fft_iq_bytes(s->spec.format);
    struct program p;
    struct opencl_launch launch;
    cl_mem roles[OPENCL_ROLES] = {0};
    void *tables = malloc(s->tables_bytes);
    assert_non_null(tables);
    opencl_spectrum_tables(s, tables);
    build(&p, d, s);

    roles[OPENCL_SAMPLES] = buffer_create(d, head + s->samples_bytes);
    roles[OPENCL_TABLES] = buffer_create(d, s->tables_bytes);
    roles[OPENCL_SCRATCH] = buffer_create(d, s->scratch_bytes);
    roles[OPENCL_RESULT] = buffer_create(d, s->result.bytes);
    buffer_write(d, roles[OPENCL_SAMPLES], raw, head + span);
    buffer_write(d, roles[OPENCL_TABLES], tables, s->tables_bytes);
    while (opencl_spectrum_launch(s, samples_at, frames, r.launches, &launch)) {
        launch_run(d, &p, &launch, roles);
        r.launches++;
    }
    r.memory = malloc(s->result.bytes);
    assert_non_null(r.memory);
    buffer_read(d, roles[OPENCL_RESULT], r.memory, s->result.bytes);
    for (int i = 0; i < OPENCL_ROLES; i++) {
        if (roles[i])
            clReleaseMemObject(roles[i]);
    }
    program_free(&p);
    free(tables);
    r.sum = at(&r, s->result.sum);
    r.max = at(&r, s->result.max);
    r.min = at(&r, s->result.min);
    r.last = at(&r, s->result.last);
    r.hits = at(&r, s->result.hits);
    return r;
}
