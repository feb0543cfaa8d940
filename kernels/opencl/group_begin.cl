/*
 * group_begin.cl - begins a kernel on whole frames (group.cl). The arguments for detectors are those
 * of spectrum_last.cl. The window is stored in the order of the reads, four values of a work-item
 * together: [REGISTERS / 4][ITEMS][4].
 */
__kernel __attribute__((reqd_work_group_size(ITEMS * ROWS, 1, 1))) void
STAGE(__global const word *samples, __global const float4 *window, __global const float4 *tables,
      uint samples_at, uint hop, __global float *detectors, __global float *result,
      __global float *frame_powers, uint frames, uint group_frames, uint sum_at, uint max_at,
      uint min_at, uint last_at, uint powers_at, uint last_frame, uint resume CORRECTION)
{
    __local float2 memory[LOCAL_POINTS];
    const uint local_row = get_local_id(0) / ITEMS, t = get_local_id(0) % ITEMS;
    __local float2 *const row_points = memory + ROW_OFFSET;
    const uint group = get_group_id(0) * ROWS + local_row, offset = group * POINTS;
    const uint begin = group * group_frames;
    const uint row_frames = begin < frames ? min(group_frames, frames - begin) : 0;
    __global const word *const first = samples + samples_at + t;
    EACH(DETECTORS_BEGIN)
    EACH(WORD)

/* The bin of register 0 in the spectrum, and its index in the detector of the row. */
#define FIRST_BIN t
#define FIRST_STORED t

#define FETCH(q) x##q = from[(q) * ITEMS];
/* A row without a frame of its own loads the first frame and ignores it. */
#define FETCH_FRAME(i)                                                                             \
    {                                                                                              \
        const uint frame = (i) < row_frames ? begin + (i) : 0;                                     \
        __global const word *const from = first + (size_t)frame * hop;                             \
        EACH(FETCH)                                                                                \
    }
#define WINDOWS(q) const float4 v##q = window[(q) * ITEMS + t];
#if PREFETCH
#define SAMPLES_CONSUMED FETCH_FRAME(i + 1)
    FETCH_FRAME(0)
#else
#define SAMPLES_CONSUMED
#endif
#if KEPT
    EACH_QUARTER(WINDOWS)
#endif
