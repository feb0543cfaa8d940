/*
 * group_frame.cl - see group_begin.cl: a frame, through the first pass. All rows go round as often, since they meet
 * at barriers. PREFETCH: the next frame's samples are on their way while this one is worked on. KEPT: window and
 * roots stay in registers from frame to frame.
 */
    for (uint i = 0; i < group_frames; i++) {
#if !PREFETCH
        FETCH_FRAME(i)
#endif
#if !KEPT
        EACH_QUARTER(WINDOWS)
#endif
        EACH(REGISTER)
