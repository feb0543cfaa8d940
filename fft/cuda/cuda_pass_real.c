/* cuda_pass_real.c - makes the launches that convert long real rows to complex rows and back. */
#include "fft/cuda/cuda_pass_part.h"

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

static void make(const struct pass_part *part, uint32_t index, struct cuda_launch *out)
{
    const struct cuda_pass *p = part->p;
    const struct engine_pass *pass = &p->around;
    struct pass_args *a = &out->args.pass;
    *out = (struct cuda_launch){
        .module = "real",
        .kernel = kernels[pass->kind][index],
        .grid = {(p->pass.n + THREADS - 1) / THREADS, (uint32_t)part->rows, 1},
        .block = THREADS,
        .cluster = 1,
    };
    *a = (struct pass_args){.from = index ? part->memory->scratch : part->memory->from,
                            .to = index ? part->memory->to : part->memory->scratch,
                            .fine = part->memory->tables + p->part_fine_at,
                            .coarse = part->memory->tables + p->part_coarse_at,
                            .from_stride = pass->from,
                            .to_stride = pass->to,
                            .first = part->first,
                            .rows = part->rows,
                            .n = p->pass.n,
                            .scale = 1, /* the complex pass between them scales */
                            .halved = pass->n % 2 == 0,
                            .paired = cuda_pass_is_paired(pass)};
    cuda_pass_axes(pass, part->rows0, a->axes);
    cuda_pass_merge_axes(a->axes);
    a->axes[3] = (struct pass_axis){1, 0, 0};
}

void cuda_pass_gather(const struct pass_part *part, struct cuda_launch *out)
{
    make(part, 0, out);
}

void cuda_pass_scatter(const struct pass_part *part, struct cuda_launch *out)
{
    make(part, 1, out);
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
