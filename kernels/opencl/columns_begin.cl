/*
 * columns_begin.cl - the first of four steps (group.cl; D. H. Bailey, "FFTs in external or hierarchical
 * memory", 1990): a frame is the matrix [LENGTH][POINTS / LENGTH], row by row, of which a work-group
 * does ROWS neighbouring columns. Work-items across take neighbouring samples.
 */
__kernel __attribute__((reqd_work_group_size(ITEMS * ROWS, 1, 1))) void
STAGE(__global const raw *samples, __global const float *window, __global const float2 *tables,
      __global float2 *scratch, uint to_at, uint samples_at, uint hop)
{
    __local float2 points[PLACES];
    const uint local_row = get_local_id(0) % ROWS, t = get_local_id(0) / ROWS;
    const uint id = get_group_id(0) * ROWS + local_row;
    const uint column = id % (POINTS / LENGTH), frame = id / (POINTS / LENGTH);
    __global const raw *from = samples + 2 * ((size_t)frame * hop + samples_at);
    __global float2 *to = scratch + to_at + frame * POINTS + column;
    EACH(REGISTER)
#define LOAD(q)                                                                                    \
    c##q = SAMPLES(from + 2 * (POINT_OF(q) * (POINTS / LENGTH) + column)) *                        \
           WINDOW(window + POINT_OF(q) * (POINTS / LENGTH) + column);
    EACH(LOAD)
#undef LOAD
    BUTTERFLIES
