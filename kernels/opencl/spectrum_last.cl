/*
 * spectrum_last.cl - the last pass of fused spectra, and the detectors.
 *
 * Parameters: those of spectrum_middle.cl and detectors.cl. Work-item: columns from j on of the frames
 * of one group: group_frames of the `frames` in this chunk.
 *
 * sum_at, max_at, min_at: rows [groups][POINTS] in `detectors`, which is scratch, or the result if
 * there is one group. last_at, in the result: the powers of frame last_frame. powers_at, in
 * `frame_powers`: those of every frame, [frames][POINTS]. All count floats and are ABSENT if not
 * requested.
 */
__kernel void STAGE(__global const SCRATCH *scratch, __global const VEC *tables, uint from_at,
                    __global REAL *detectors, __global REAL *result, __global REAL *frame_powers,
                    uint frames, uint group_frames, uint sum_at, uint max_at, uint min_at,
                    uint last_at, uint powers_at, uint last_frame, uint resume)
{
    const uint id = get_global_id(0), group = id / ITEMS, j = id % ITEMS * COLUMNS;
    const uint begin = group * group_frames, end = min(begin + group_frames, frames);
    const uint offset = group * POINTS;
    TWIDDLES_OF(j)
    GROWN_BY
    if (begin >= frames)
        return;

    EACH(DETECTORS_BEGIN)
    for (uint frame = begin; frame < end; frame++) {
        __global const SCRATCH *from = PLACE(scratch, from_at + frame * POINTS + j);
#define LOAD(r) POINT c##r = GROWN(FETCH(from, r * (POINTS / RADIX / COLUMNS)));
        EACH(LOAD)
        TWIDDLE_ALL
        DFT
        EACH(DETECTORS_ADD)
#undef LOAD
#if ALL_DETECTORS
        if (frame == last_frame)
            WITH_ROW(result, last_at, POWER_STORE)
#endif
#if POWERS
        WITH_ROW(frame_powers + frame * POINTS / COLUMNS, powers_at, POWER_STORE)
#endif
    }
    if (resume) {
        WITH_ROW(detectors + offset / COLUMNS, sum_at, SUM_FOLD)
#if ALL_DETECTORS
        WITH_ROW(detectors + offset / COLUMNS, max_at, MAX_FOLD)
        WITH_ROW(detectors + offset / COLUMNS, min_at, MIN_FOLD)
#endif
    }
    WITH_ROW(detectors + offset / COLUMNS, sum_at, SUM_END)
#if ALL_DETECTORS
    WITH_ROW(detectors + offset / COLUMNS, max_at, MAX_END)
    WITH_ROW(detectors + offset / COLUMNS, min_at, MIN_END)
#endif
}
