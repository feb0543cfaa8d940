/* roof.cu - counts the bytes and operations of the kernels' forms. */
#include "bench/cuda/roof.h"

#include <cmath>

#include "bench/cuda/gpu.h"

namespace
{

constexpr double point_bytes = 8;

/*
 * Between two passes a point is stored and loaded; the roots of a pass are half a point for each.
 */
double exchanged(const cuda_form *form)
{
    const uint32_t divisions = form->parts > 1 ? 1 : 0;
    return 2 * point_bytes * (cuda_form_passes(form) - 1 + divisions);
}

/* As in spectrum_block.h: samples go through a staging buffer; roots and window are in shared
 * memory. */
double block_shared(const cuda_form *form, double sample, bool bulk)
{
    const uint32_t passes = cuda_form_passes(form);
    const uint32_t near_passes = passes > 2 ? passes - 2 : passes - 1;
    double bytes = exchanged(form) + (bulk ? 2 * sample : 0) + near_passes * point_bytes / 2;
    if (bulk && form->points >= 32 && passes == 2)
        bytes += sizeof(float);
    return bytes;
}

} // namespace

roof roof_cost(const cuda_spectrum &s, bool bulk, uint32_t line_frames)
{
    const double sample = (double)fft_iq_bytes(s.plan.format);
    roof cost;
    cost.memory = sample + sizeof(float) / (double)line_frames;
    cost.operations = 5 * log2((double)s.plan.n) + 2 + 4;
    if (s.plain || bulk) {
        cost.shared = block_shared(bulk ? s.bulk : s.plain, sample, bulk);
    } else {
        cost.memory += s.relay ? 0 : 2 * point_bytes;
        cost.shared = exchanged(s.columns) + exchanged(s.rows) + 2 * point_bytes;
    }
    return cost;
}

roof roof_device(const cuda_facts &facts, double memory_rate)
{
    constexpr double lanes = 128, bank_bytes = 128; /* of a processor, each clock */
    int khz = 0;
    GPU(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    const double clocks = 1e3 * khz * facts.processors;
    return {memory_rate, 2 * lanes * clocks, bank_bytes * clocks};
}
