/* image.c - transforms both axes of an image. */
#include "studies/mali/mali_pipeline.h"

#include <errno.h>

enum { TILE = 16 };

static size_t whole_tiles(uint32_t n)
{
    return ((size_t)n + TILE - 1) / TILE * TILE;
}

static struct ocl_launch transpose_launch(const struct mali_image *m, struct _cl_mem *in,
                                          struct _cl_mem *out, uint32_t width, uint32_t height)
{
    return (struct ocl_launch){
        .kernel = &m->transpose,
        .global = {whole_tiles(width), whole_tiles(height)},
        .local = {TILE, TILE},
        .arg_count = 4,
        .args = {OCL_MEMORY(in), OCL_MEMORY(out), OCL_WORD(width), OCL_WORD(height)}};
}

/* Transforms rows into `between`, transposes to `transposed`, transforms its rows into `between`,
 * and transposes to `out`. */
static int init_transposes(struct mali_image *m, struct ocl *o, const struct mali_image_plan *plan,
                           struct _cl_mem *out)
{
    static const char *const stems[] = {"mali_transpose", NULL};
    const uint32_t height = plan->height, width = plan->width;
    int err = ocl_alloc(o, &m->transposed, (size_t)height * width * sizeof(struct fft_iq));
    if (err == 0)
        err = ocl_build(o, &m->program, stems, "", "");
    if (err == 0)
        err = ocl_kernel(o, &m->transpose, m->program,
                         m->axis == MALI_TILED ? "transpose_tile" : "transpose");
    if (err < 0)
        return err;
    m->to_columns = transpose_launch(m, m->between, m->transposed, width, height);
    m->to_rows = transpose_launch(m, m->between, out, height, width);
    return mali_init(&m->second, o, &plan->form, &(struct mali_batch){height, width, 0},
                     m->transposed, m->between);
}

int mali_image_init(struct mali_image *m, struct ocl *o, const struct mali_image_plan *plan,
                    struct _cl_mem *in, struct _cl_mem *out)
{
    const struct mali_batch rows = {plan->width, plan->height, 0};
    const struct mali_batch columns = {plan->height, 1, plan->width};
    *m = (struct mali_image){.axis = plan->axis};
    int err = ocl_alloc(o, &m->between, (size_t)rows.n * rows.count * sizeof(struct fft_iq));
    if (err == 0)
        err = mali_init(&m->rows, o, &plan->form, &rows, in, m->between);
    if (err < 0)
        return err;
    return plan->axis == MALI_DOWN
               ? mali_init(&m->second, o, &plan->form, &columns, m->between, out)
               : init_transposes(m, o, plan, out);
}

void mali_image_finish(struct mali_image *m)
{
    struct ocl *o = m->rows.ocl;
    if (m->second.ocl)
        mali_finish(&m->second);
    if (o) {
        ocl_kernel_free(o, &m->transpose);
        ocl_free(o, m->transposed);
        ocl_free(o, m->between);
        mali_finish(&m->rows);
    }
    *m = (struct mali_image){0};
}

int mali_image_enqueue(void *image)
{
    struct mali_image *m = image;
    struct ocl *o = m->rows.ocl;
    int err = mali_enqueue(&m->rows);
    if (err == 0 && m->axis != MALI_DOWN)
        err = ocl_launch(o, &m->to_columns);
    if (err == 0)
        err = mali_enqueue(&m->second);
    if (err == 0 && m->axis != MALI_DOWN)
        err = ocl_launch(o, &m->to_rows);
    return err;
}
