/*
 * fold.cl - folds the detectors of groups into one, and levels into hits.
 *
 * Parameters: POINTS of a frame; SPLIT, the number of rows of bins in its detectors, each with every
 * SPLIT-th bin (rows_begin.cl), or 1.
 */
#define STORED(bin) ((bin) % SPLIT * (POINTS / SPLIT) + (bin) / SPLIT)

float combined(uint detector, float a, float b)
{
    return detector == 0 ? a + b : detector == 1 ? fmax(a, b) : fmin(a, b);
}

/* Folds rows of partial detectors into one, in a fixed order. Work-item: a bin of a detector. */
__kernel void combine(__global const float *scratch, __global float *result, uint partial,
                      uint rows, uint groups, uint sum_at, uint max_at, uint min_at)
{
    const uint detector = get_global_id(0) / POINTS, bin = get_global_id(0) % POINTS;
    const uint to = detector == 0 ? sum_at : detector == 1 ? max_at : min_at;
    if (detector > 2 || to == ABSENT)
        return;
    __global const float *from = scratch + partial + detector * rows * POINTS + STORED(bin);
    float value = *from;
    for (uint group = 1; group < groups; group++)
        value = combined(detector, value, from[group * POINTS]);
    result[to + bin] = value;
}

#define GROUP_BINS 16

/* Does the same for many rows. A bin has COMBINE_ITEMS work-items in its work-group. Each folds
 * every COMBINE_ITEMS-th row. Then half of them fold the result of another work-item, and so on. */
__kernel __attribute__((reqd_work_group_size(GROUP_BINS * COMBINE_ITEMS, 1, 1))) void
combine_shared(__global const float *scratch, __global float *result, uint partial, uint rows,
               uint groups, uint sum_at, uint max_at, uint min_at)
{
    __local float partials[COMBINE_ITEMS][GROUP_BINS];
    const uint local_bin = get_local_id(0) % GROUP_BINS, item = get_local_id(0) / GROUP_BINS;
    const uint at = get_group_id(0) * GROUP_BINS + local_bin;
    const uint detector = at / POINTS, bin = at % POINTS;
    const uint to = detector == 0 ? sum_at : detector == 1 ? max_at : min_at;
    __global const float *from = scratch + partial + detector * rows * POINTS + STORED(bin);
    float value = detector == 2 ? INFINITY : 0.0f;
    if (to != ABSENT) {
        for (uint group = item; group < groups; group += COMBINE_ITEMS)
            value = combined(detector, value, from[group * POINTS]);
    }
    for (uint half_of = COMBINE_ITEMS / 2; half_of > 0; half_of /= 2) {
        partials[item][local_bin] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_of)
            value = combined(detector, value, partials[item + half_of][local_bin]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0 && to != ABSENT)
        result[to + bin] = value;
}

/*
 * Density: counts one level for each frame and column, that of the peak bin. Column c has the bins
 * from ceil(c POINTS / columns) on. powers_at, hits_at: [frames][POINTS] in scratch, [columns][levels]
 * in the result, in words.
 */
uint first_bin(uint column, uint columns)
{
    return (uint)(((ulong)column * POINTS + columns - 1) / columns);
}

uint level_of(__global const float *powers, uint first, uint end, uint levels, float offset,
              float slope)
{
    float peak = 0.0f;
    for (uint k = first; k < end; k++)
        peak = fmax(peak, powers[k]);
    return (uint)clamp(offset - slope * log2(peak), 0.0f, (float)(levels - 1));
}

/* Before the launches of density. */
__kernel void clear_hits(__global uint *result, uint hits_at, uint count)
{
    if (get_global_id(0) < count)
        result[hits_at + get_global_id(0)] = 0;
}

/*
 * Work-items (column, row) share a column, each with every rows-th frame, since a device may have
 * more units than columns keep busy. Neighbouring columns count in different cache lines.
 */
__kernel void density(__global const float *scratch, __global uint *result, uint powers_at,
                      uint hits_at, uint frames, uint columns, uint levels, float offset,
                      float slope)
{
    const uint column = get_global_id(0);
    if (column >= columns)
        return;
    const uint first = first_bin(column, columns), end = first_bin(column + 1, columns);
    __global uint *hits = result + hits_at + column * levels;
    for (uint frame = get_global_id(1); frame < frames; frame += get_global_size(1)) {
        __global const float *powers = scratch + powers_at + frame * POINTS;
        atomic_inc(hits + level_of(powers, first, end, levels, offset, slope));
    }
}
