/*
 * group_begin.cl - whole frames (group.cl); the arguments of traces are spectrum_last.cl's. The first pass: raw
 * samples times the window, through one butterfly or several.
 */
__kernel __attribute__((reqd_work_group_size(ITEMS * ROWS, 1, 1))) void
STAGE(__global const raw *samples, __global const float *window, __global const float2 *tables,
      uint samples_at, uint hop, __global float *traces, __global float *result,
      __global float *each, uint frames, uint group_frames, uint sum_at, uint max_at, uint min_at,
      uint last_at, uint powers_at, uint last_frame, uint resume)
{
    __local float2 points[PLACES];
    const uint local_row = get_local_id(0) / ITEMS, t = get_local_id(0) % ITEMS, j = t;
    const uint group = get_group_id(0) * ROWS + local_row, offset = group * POINTS;
    const uint begin = group * group_frames;
    const uint mine = begin < frames ? min(group_frames, frames - begin) : 0;
    EACH(TRACES_BEGIN)

    /* All rows go round as often, since they meet at barriers; without a frame of its own, a row works
     * on the first one for nothing. */
    for (uint i = 0; i < group_frames; i++) {
        const uint frame = i < mine ? begin + i : 0;
        EACH(REGISTER)
        __global const raw *from = samples + 2 * ((size_t)frame * hop + samples_at);
#define LOAD(q)                                                                                    \
    c##q = SAMPLES(from + 2 * (POINT_OF(q))) * WINDOW(window + POINT_OF(q));
        EACH(LOAD)
#undef LOAD
        BUTTERFLIES
