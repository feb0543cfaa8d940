/* rows.c - rows of work-items that exchange points through local memory (kernels/opencl/group.cl). */
#include "fft/opencl/plan_parts.h"

enum { SPARE_BYTES = 16 }; /* of local memory, that some drivers take for themselves */

uint32_t opencl_row_items(uint32_t length, const struct opencl_stage *stages)
{
    return length / stages[0].radix;
}

/* Padded, or between others, as PLACE has it. */
static uint64_t row_bytes(uint32_t length, bool across)
{
    return (length + (across ? 0 : length / 16)) * (uint64_t)sizeof(struct iq);
}

uint32_t opencl_rows(const struct opencl_profile *profile, uint32_t length,
                     const struct opencl_stage *stages, uint32_t group, bool across)
{
    const uint32_t items = opencl_row_items(length, stages);
    const uint64_t room =
        profile->local_bytes > SPARE_BYTES ? profile->local_bytes - SPARE_BYTES : 0;
    const uint64_t fitting = least(room / row_bytes(length, across), profile->max_group / items);
    uint32_t rows = 1;
    if (fitting == 0)
        return 0;
    while (2 * rows <= fitting && 2 * rows * items <= group)
        rows *= 2;
    return rows;
}

void opencl_row_source(struct opencl_text *t, uint32_t length, const struct opencl_stage *stages,
                       uint32_t count, uint32_t rows, const char *begin, const char *end)
{
    opencl_text_number(t, "LENGTH", length);
    opencl_text_number(t, "REGISTERS", stages[0].radix);
    opencl_text_number(t, "ROWS", rows);
    opencl_text_number(t, "RADIX", stages[0].radix);
    opencl_text_number(t, "JOINED", 1);
    opencl_text_file(t, begin);
    for (uint32_t i = 1; i < count; i++) {
        opencl_text_number(t, "TWIDDLES", stages[i].twiddles_at);
        opencl_text_number(t, "RADIX_BEFORE", stages[i - 1].radix);
        opencl_text_number(t, "JOINED_BEFORE", stages[i - 1].joined);
        opencl_text_number(t, "RADIX_HERE", stages[i].radix);
        opencl_text_number(t, "JOINED_HERE", stages[i].joined);
        opencl_text_add(t, "#undef RADIX\n#undef JOINED\n");
        opencl_text_file(t, "group_stage");
    }
    opencl_text_file(t, end);
}
