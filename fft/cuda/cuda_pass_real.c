/* cuda_pass_real.c - makes the launches that convert long real rows to complex rows and back. */
#include "fft/cuda/cuda_pass_chunk.h"

enum { THREADS = 256 };

/* Kernels before and after the complex transform, by kind. */
static const char *const kernels[][2] = {
    [PASS_R2C] = {"real_gather", "real_part"}, [PASS_C2R] = {"real_join", "real_scatter"}};

bool cuda_pass_is_paired(const struct engine_pass *pass)
{
    const bool from = pass->kind == PASS_R2C;
    bool even = pass->n % 2 == 0 && (from ? pass->from : pass->to) == 1;
    for (uint32_t i = 0; i < 3; i++)
        even &= (from ? pass->rows[i].from : pass->rows[i].to) % 2 == 0;
    return even;
}

static void make(const struct pass_chunk *chunk, uint32_t index, struct cuda_launch *out)
{
    const struct cuda_pass *p = chunk->p;
    const struct engine_pass *pass = &p->around;
    struct pass_args *a = &out->args.pass;
    *out = (struct cuda_launch){
        .module = "real",
        .kernel = kernels[pass->kind][index],
        .grid = {(p->pass.n + THREADS - 1) / THREADS, (uint32_t)chunk->rows, 1},
        .block = THREADS,
        .cluster = 1,
    };
    *a = (struct pass_args){.from = index ? chunk->memory->scratch : chunk->memory->from,
                            .to = index ? chunk->memory->to : chunk->memory->scratch,
                            .fine = chunk->memory->tables + p->part_fine_at,
                            .coarse = chunk->memory->tables + p->part_coarse_at,
                            .from_stride = pass->from,
                            .to_stride = pass->to,
                            .first = chunk->first,
                            .rows = chunk->rows,
                            .n = p->pass.n,
                            .scale = 1, /* the complex pass between them scales */
                            .halved = pass->n % 2 == 0,
                            .paired = cuda_pass_is_paired(pass)};
    cuda_pass_axes(pass, chunk->rows0, a->axes);
    cuda_pass_merge_axes(a->axes);
    a->axes[3] = (struct pass_axis){1, 0, 0};
}

void cuda_pass_gather(const struct pass_chunk *chunk, struct cuda_launch *out)
{
    make(chunk, 0, out);
}

void cuda_pass_scatter(const struct pass_chunk *chunk, struct cuda_launch *out)
{
    make(chunk, 1, out);
}

bool cuda_pass_real_kernel(const struct cuda_pass *p, uint32_t index, const char **module,
                           const char **name, uint32_t *shared)
{
    if (index > 1)
        return false;
    *module = "real";
    *name = kernels[p->around.kind][index];
    *shared = 0;
    return true;
}
