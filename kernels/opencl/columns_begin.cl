/*
 * columns_begin.cl - begins the first kernel of four steps (group.cl; D. H. Bailey, "FFTs in
 * external or hierarchical memory", 1990). A frame is the matrix [LENGTH][POINTS / LENGTH], row by
 * row. A work-group transforms ROWS neighbouring columns. Neighbouring work-items read neighbouring
 * samples. The window is stored in the order of the reads: [REGISTERS / 4][ITEMS][POINTS /
 * LENGTH][4].
 */
__kernel __attribute__((reqd_work_group_size(ITEMS * ROWS, 1, 1))) void
STAGE(__global const word *samples, __global const float4 *window, __global const float4 *tables,
      __global float2 *scratch, uint to_at, uint samples_at, uint hop CORRECTION)
{
    __local float2 memory[LOCAL_POINTS];
    const uint local_row = get_local_id(0) % ROWS, t = get_local_id(0) / ROWS;
    __local float2 *const row_points = memory + ROW_OFFSET;
    const uint id = get_group_id(0) * ROWS + local_row;
    const uint column = id % (POINTS / LENGTH), frame = id / (POINTS / LENGTH);
    __global const word *from =
        samples + (size_t)frame * hop + samples_at + t * (POINTS / LENGTH) + column;
    __global float2 *to = scratch + to_at + frame * POINTS + t * (POINTS / LENGTH) + column;
    EACH(REGISTER)
    EACH(WORD)
#define LOAD(q) x##q = from[(q) * ITEMS * (POINTS / LENGTH)];
    EACH(LOAD)
#undef LOAD
#define WINDOWS(q) const float4 v##q = window[((q) * ITEMS + t) * (POINTS / LENGTH) + column];
    EACH_QUARTER(WINDOWS)
#undef WINDOWS
#define SAMPLES_CONSUMED
