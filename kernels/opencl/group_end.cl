/* group_end.cl - folds a frame into the traces and ends a kernel on rows (group.cl). RADIX is that
 * of the last pass. */
        if (i < row_frames) {
            EACH(TRACES_ADD)
#if ALL_TRACES || POWERS
            const uint j = FIRST_BIN;
#endif
#if ALL_TRACES
            if (begin + i == last_frame)
                WITH_ROW(result, last_at, POWER_STORE)
#endif
#if POWERS
            WITH_ROW(frame_powers + (begin + i) * POINTS, powers_at, POWER_STORE)
#endif
        }
    }

/* A row stores its bins contiguously in its trace, so that neighbouring work-items write to
 * neighbouring addresses. fold.cl puts the bins into the order of the spectrum. */
#undef BINS_APART
#define BINS_APART 1
#define WITH_TRACE(at, f)                                                                          \
    if ((at) != ABSENT) {                                                                          \
        __global float *const row = traces + offset + (at) + FIRST_STORED;                         \
        EACH(f)                                                                                    \
    }
    if (row_frames == 0)
        return;
    if (resume) {
        WITH_TRACE(sum_at, SUM_FOLD)
#if ALL_TRACES
        WITH_TRACE(max_at, MAX_FOLD)
        WITH_TRACE(min_at, MIN_FOLD)
#endif
    }
    WITH_TRACE(sum_at, SUM_END)
#if ALL_TRACES
    WITH_TRACE(max_at, MAX_END)
    WITH_TRACE(min_at, MIN_END)
#endif
}
