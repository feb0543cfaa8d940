/* group_end.cl - folds a frame into the detectors and ends a kernel on rows (group.cl). RADIX is that
 * of the last pass. */
        if (i < row_frames) {
            EACH(DETECTORS_ADD)
#if ALL_DETECTORS || POWERS
            const uint j = FIRST_BIN;
#endif
#if ALL_DETECTORS
            if (begin + i == last_frame)
                WITH_ROW(result, last_at, POWER_STORE)
#endif
#if POWERS
            WITH_ROW(frame_powers + (begin + i) * POINTS, powers_at, POWER_STORE)
#endif
        }
    }

/* A row stores its bins contiguously in its detector, so that neighbouring work-items write to
 * neighbouring addresses. fold.cl puts the bins into the order of the spectrum. */
#undef BINS_APART
#define BINS_APART 1
#define WITH_DETECTOR(at, f)                                                                       \
    if ((at) != ABSENT) {                                                                          \
        __global float *const row = detectors + offset + (at) + FIRST_STORED;                      \
        EACH(f)                                                                                    \
    }
    if (row_frames == 0)
        return;
    if (resume) {
        WITH_DETECTOR(sum_at, SUM_FOLD)
#if ALL_DETECTORS
        WITH_DETECTOR(max_at, MAX_FOLD)
        WITH_DETECTOR(min_at, MIN_FOLD)
#endif
    }
    WITH_DETECTOR(sum_at, SUM_END)
#if ALL_DETECTORS
    WITH_DETECTOR(max_at, MAX_END)
    WITH_DETECTOR(min_at, MIN_END)
#endif
}
