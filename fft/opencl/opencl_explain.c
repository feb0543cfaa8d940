/* opencl_explain.c - prints a plan for people. */
#include "fft/opencl/opencl_strategy.h"

/* Bytes of global memory that step `i` of a chunk reads for each sample. */
static uint32_t reads(const struct opencl_spectrum *s, uint32_t i)
{
    return (uint32_t)(i == 0 ? fft_iq_bytes(s->spec.format) : opencl_point_bytes(s));
}

static uint32_t writes(const struct opencl_spectrum *s, uint32_t i)
{
    return i + 1 < opencl_strategy_of(s)->steps(s) ? (uint32_t)opencl_point_bytes(s) : 0;
}

static void print_radices(const struct opencl_spectrum *s, FILE *to)
{
    for (uint32_t i = 0; i < s->stage_count; i++)
        fprintf(to, "%s%u", i == 0 ? " " : " x ", s->stages[i].radix);
}

/* Prints the launches of the first chunk, and the final launch of the batch if it has one. */
static void print_launches(const struct opencl_spectrum *s, FILE *to)
{
    struct opencl_launch launch;
    const uint32_t steps = opencl_strategy_of(s)->steps(s), dense = s->spec.density.columns > 0;
    const uint32_t first = steps + 2 * dense;
    for (uint32_t i = 0; opencl_spectrum_launch(s, 0, s->spec.max_frames, i, &launch); i++) {
        if (i >= first && launch.kernel < steps + dense)
            continue; /* a later chunk */
        fprintf(to, "  %-8s %8zu work-items in groups of %zu", s->kernels[launch.kernel].name,
                launch.global[0] * (launch.dims > 1 ? launch.global[1] : 1), launch.local[0]);
        if (i >= dense && i < dense + steps)
            fprintf(to, ", %u bytes a sample in, %u out", reads(s, i - dense),
                    writes(s, i - dense));
        fprintf(to, "\n");
    }
}

void opencl_spectrum_explain(const struct opencl_spectrum *s, FILE *to)
{
    char choice[96];
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < opencl_strategy_of(s)->steps(s); i++)
        bytes += reads(s, i) + writes(s, i);
    opencl_choice_print(&s->choice, choice, sizeof choice);
    fprintf(to, "%s: %s, %u points every %u, %u frames: %s\n", s->profile.name,
            fft_iq_name(s->spec.format), s->spec.n, s->spec.hop, s->spec.max_frames, choice);
    fprintf(to, "  radices ");
    print_radices(s, to);
    fprintf(to, ", %u bytes a sample, %u row%s of detectors\n", bytes, s->groups,
            s->groups > 1 ? "s" : "");
    print_launches(s, to);
    fprintf(to, "  tables %zu, scratch %zu, result %zu bytes\n", s->tables_bytes, s->scratch_bytes,
            s->result.bytes);
}
