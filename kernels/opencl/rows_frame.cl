/* rows_frame.cl - begins the loop over frames of rows_begin.cl. */
    for (uint i = 0; i < group_frames; i++) {
        const uint frame = i < row_frames ? begin + i : 0;
        EACH(REGISTER)
        __global const float2 *from = scratch + from_at + frame * POINTS + k1 * LENGTH + t;
#define LOAD(q) c##q = from[POINT_OF(q)];
        EACH(LOAD)
#undef LOAD
