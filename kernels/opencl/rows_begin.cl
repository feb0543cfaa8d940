/*
 * rows_begin.cl - the second of four steps (group.cl): row k1 of the matrix [POINTS / LENGTH][LENGTH] that
 * the first one left of each frame, at from_at in scratch; its bin k2 is k1 + POINTS / LENGTH * k2 of the
 * frame's. The arguments of traces are spectrum_last.cl's.
 */
__kernel __attribute__((reqd_work_group_size(ITEMS * ROWS, 1, 1))) void
STAGE(__global const float2 *scratch, __global const float4 *tables, uint from_at,
      __global float *traces, __global float *result, __global float *each, uint frames,
      uint group_frames, uint sum_at, uint max_at, uint min_at, uint last_at, uint powers_at,
      uint last_frame, uint resume)
{
    __local float4 memory[PLACES / 2];
    const uint local_row = get_local_id(0) / ITEMS, t = get_local_id(0) % ITEMS;
    __local float2 *const row_points = (__local float2 *)memory + ROW_AT;
    const uint row_id = get_group_id(0) * ROWS + local_row;
    const uint k1 = row_id % (POINTS / LENGTH), group = row_id / (POINTS / LENGTH);
    const uint j = k1 + POINTS / LENGTH * t, offset = group * POINTS;
    const uint begin = group * group_frames;
    const uint mine = begin < frames ? min(group_frames, frames - begin) : 0;
    EACH(TRACES_BEGIN)

    for (uint i = 0; i < group_frames; i++) {
        const uint frame = i < mine ? begin + i : 0;
        EACH(REGISTER)
        __global const float2 *from = scratch + from_at + frame * POINTS + k1 * LENGTH + t;
#define LOAD(q) c##q = from[POINT_OF(q)];
        EACH(LOAD)
#undef LOAD
