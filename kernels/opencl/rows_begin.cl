/*
 * rows_begin.cl - begins the second kernel of four steps (group.cl): row k1 of the matrix [POINTS /
 * LENGTH][LENGTH] that the first kernel left for each frame, at from_at in scratch. Its bin k2 is
 * bin k1 + POINTS / LENGTH * k2 of the frame. The arguments for detectors are those of
 * spectrum_last.cl.
 *
 * Between columns and rows, point c of row k1 must be multiplied by exp(-2 pi i c k1 / POINTS).
 * This costs no operation: it shifts all bins of the row by k1 / (POINTS / LENGTH), and so does a
 * root table that is shifted likewise. Each row has its own table, [POINTS /
 * LENGTH][ROOTS_PER_ROW], and the first pass has roots, too.
 */
__kernel __attribute__((reqd_work_group_size(ITEMS * ROWS, 1, 1))) void
STAGE(__global const float2 *scratch, __global const float4 *all_tables, uint from_at,
      __global float *detectors, __global float *result, __global float *frame_powers, uint frames,
      uint group_frames, uint sum_at, uint max_at, uint min_at, uint last_at, uint powers_at,
      uint last_frame, uint resume)
{
    __local float2 memory[LOCAL_POINTS];
    const uint local_row = get_local_id(0) / ITEMS, t = get_local_id(0) % ITEMS;
    __local float2 *const row_points = memory + ROW_OFFSET;
    const uint row_id = get_group_id(0) * ROWS + local_row;
    const uint k1 = row_id % (POINTS / LENGTH), group = row_id / (POINTS / LENGTH);
    const uint offset = group * POINTS;
    const uint begin = group * group_frames;
    const uint row_frames = begin < frames ? min(group_frames, frames - begin) : 0;
    __global const float4 *const tables = all_tables + k1 * (ROOTS_PER_ROW / 2);
    EACH(DETECTORS_BEGIN)
/* The bin of register 0 in the spectrum, and its index in the detectors of the rows. */
#define FIRST_BIN (k1 + POINTS / LENGTH * t)
#define FIRST_STORED (k1 * LENGTH + t)
