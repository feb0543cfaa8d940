/*
 * rows_begin.cl - the second of four steps (group.cl): row k1 of the matrix [POINTS / LENGTH][LENGTH] that
 * the first one left of each frame, at from_at in scratch; its bin k2 is k1 + POINTS / LENGTH * k2 of the
 * frame's. The arguments of traces are spectrum_last.cl's.
 *
 * Between columns and rows point c of row k1 is to be multiplied by exp(-2 pi i c k1 / POINTS). That costs
 * nothing: it moves all of the row's bins by k1 / (POINTS / LENGTH), and so does a table of roots that are
 * moved likewise. There is one a row, [POINTS / LENGTH][ROOTS_PER_ROW], and the first pass has roots, too.
 */
__kernel __attribute__((reqd_work_group_size(ITEMS * ROWS, 1, 1))) void
STAGE(__global const float2 *scratch, __global const float4 *all_tables, uint from_at,
      __global float *traces, __global float *result, __global float *frame_powers, uint frames,
      uint group_frames, uint sum_at, uint max_at, uint min_at, uint last_at, uint powers_at,
      uint last_frame, uint resume)
{
    __local float4 memory[LOCAL_POINTS / 2];
    const uint local_row = get_local_id(0) / ITEMS, t = get_local_id(0) % ITEMS;
    __local float2 *const row_points = (__local float2 *)memory + ROW_OFFSET;
    const uint row_id = get_group_id(0) * ROWS + local_row;
    const uint k1 = row_id % (POINTS / LENGTH), group = row_id / (POINTS / LENGTH);
    const uint offset = group * POINTS;
    const uint begin = group * group_frames;
    const uint row_frames = begin < frames ? min(group_frames, frames - begin) : 0;
    __global const float4 *const tables = all_tables + k1 * (ROOTS_PER_ROW / 2);
    EACH(TRACES_BEGIN)
/* The bin of register 0 in the spectrum, and where it lies in the rows' traces. */
#define FIRST_BIN (k1 + POINTS / LENGTH * t)
#define FIRST_STORED (k1 * LENGTH + t)
