/* rows_frame.cl - see rows_begin.cl: a frame's row. KEPT: the roots stay in registers from frame to frame. */
    for (uint i = 0; i < group_frames; i++) {
        const uint frame = i < row_frames ? begin + i : 0;
        EACH(REGISTER)
        __global const float2 *from = scratch + from_at + frame * POINTS + k1 * LENGTH + t;
#define LOAD(q) c##q = from[POINT_OF(q)];
        EACH(LOAD)
#undef LOAD
