/*
 * group_frame.cl - begins the loop over frames of group_begin.cl. All rows loop equally often,
 * since they meet at barriers. PREFETCH: the samples of the next frame are loaded during this one.
 * KEPT: window and roots stay in registers between frames.
 */
    for (uint i = 0; i < group_frames; i++) {
#if !PREFETCH
        FETCH_FRAME(i)
#endif
#if !KEPT
        EACH_QUARTER(WINDOWS)
#endif
        EACH(REGISTER)
