/* pass_real.c - the launches around the complex rows that long real ones are made into. */
#include "fft/cuda/pass_part.h"

enum { THREADS = 256 };

/* Kernels in front and behind, by kind. */
static const char *const kernels[][2] = {
    [PASS_R2C] = {"real_gather", "real_part"}, [PASS_C2R] = {"real_join", "real_scatter"}};

static bool lies_together(const struct engine_pass *job)
{
    const bool from = job->kind == PASS_R2C;
    bool together = (from ? job->from : job->to) == 1;
    for (uint32_t i = 0; i < 3; i++)
        together &= (from ? job->rows[i].from : job->rows[i].to) % 2 == 0;
    return together;
}

static void make(const struct pass_part *part, uint32_t index, struct cuda_launch *out)
{
    const struct cuda_pass *p = part->p;
    const struct engine_pass *job = &p->around;
    struct pass_args *a = &out->args.pass;
    *out = (struct cuda_launch){
        .module = "real",
        .kernel = kernels[job->kind][index],
        .grid = {(p->job.n + THREADS - 1) / THREADS, (uint32_t)part->rows, 1},
        .block = THREADS,
        .cluster = 1,
    };
    *a = (struct pass_args){.from = index ? part->places->scratch : part->places->from,
                            .to = index ? part->places->to : part->places->scratch,
                            .fine = part->places->tables + p->part_fine_at,
                            .coarse = part->places->tables + p->part_coarse_at,
                            .from_stride = job->from,
                            .to_stride = job->to,
                            .first = part->first,
                            .rows = part->rows,
                            .n = p->job.n,
                            .halved = job->n % 2 == 0,
                            .paired = job->n % 2 == 0 && lies_together(job)};
    pass_axes(job, part->rows0, a->axes);
    pass_merge_axes(a->axes);
    a->axes[3] = (struct pass_axis){1, 0, 0};
}

void pass_gather(const struct pass_part *part, struct cuda_launch *out)
{
    make(part, 0, out);
}

void pass_scatter(const struct pass_part *part, struct cuda_launch *out)
{
    make(part, 1, out);
}

bool pass_real_kernel(const struct cuda_pass *p, uint32_t index, const char **module,
                      const char **name, uint32_t *shared)
{
    if (index > 1)
        return false;
    *module = "real";
    *name = kernels[p->around.kind][index];
    *shared = 0;
    return true;
}
