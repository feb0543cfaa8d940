/*
 * whole_begin.cl - begins a kernel that transforms whole frames in one work-item. The points stay
 * in the work-item's own part of scratch, that is in the cache of a processor. One kernel consists
 * of this file, whole_first.cl, one whole_middle.cl for each middle pass, and whole_last.cl.
 *
 * Parameters: STAGE, POINTS of a frame, WIDTH columns at a time; for each pass RADIX, JOINED (a
 * multiple of WIDTH except in the first pass) and TWIDDLES (offset in the tables, in floats: for
 * each r = 1 .. RADIX - 1, JOINED real parts, then as many imaginary ones). Work-item: the frames
 * of one group. Its scratch: POINTS real parts and as many imaginary ones, twice. The arguments are
 * those of spectrum_last.cl.
 */
#define WIDE(at) (*(__global REAL *)(at))
#define TABLE(at) (*(__global const REAL *)(at))

/* WIDTH samples with separate parts. */
#define RAW_PAIR(at) JOIN(convert_float, WIDTH)(JOIN(vload, WIDTH)(0, (at)))

point load_samples(__global const raw *at, __global const float *window CORRECTION)
{
    const REAL low = RAW_PAIR(at) - MIDDLE, high = RAW_PAIR(at + WIDTH) - MIDDLE;
    const REAL w = TABLE(window);
    const REAL x = (REAL)(low.even, high.even), y = (REAL)(low.odd, high.odd);
#if CORRECTED
    return of((ii * x + re) * w, (qi * x + (qq * y + im)) * w);
#else
    return of(x * w, y * w);
#endif
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
STAGE(__global const raw *samples, __global const float *tables, __global float *scratch,
      uint samples_at, uint hop, __global float *detectors, __global float *result,
      __global float *frame_powers, uint frames, uint group_frames, uint sum_at, uint max_at,
      uint min_at, uint last_at, uint powers_at, uint last_frame, uint resume CORRECTION)
{
    const uint group = get_group_id(0), begin = group * group_frames;
    const uint end = min(begin + group_frames, frames), offset = group * POINTS;
    __global float *source = scratch + group * 4 * POINTS, *target = source + 2 * POINTS, *swap;

    for (uint j = 0; !resume && j < POINTS; j += WIDTH) {
        if (sum_at != ABSENT)
            WIDE(detectors + sum_at + offset + j) = (REAL)(0.0f);
        if (max_at != ABSENT)
            WIDE(detectors + max_at + offset + j) = (REAL)(0.0f);
        if (min_at != ABSENT)
            WIDE(detectors + min_at + offset + j) = (REAL)(INFINITY);
    }
    for (uint frame = begin; frame < end; frame++) {
        __global const raw *from = samples + 2 * ((size_t)frame * hop + samples_at);
