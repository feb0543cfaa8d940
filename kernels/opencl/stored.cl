/*
 * stored.cl - points between passes in scratch: as they are, or (HALF) as 16-bit floats, which
 * halves the traffic. Arithmetic stays in 32 bits; vload_half and vstore_half need no extension.
 *
 * A 16-bit float has 11 bits and ends at 65504. The window of the first pass includes a power of two
 * that moves a full-scale signal to 2048 at most, and each middle pass divides by its radix, by
 * which such a signal grows. SCALE_AT, a point of the tables, has the inverse of all these factors
 * for the last pass.
 *
 * Places count points, and FETCH and KEEP the registers after a place. Pairs are two points wide
 * whatever COLUMNS is.
 */
#if HALF
#define SCRATCH half
#define SCRATCH_PAIR half
#define PLACE(points, at) ((points) + 2 * (at))
#define PLACE_PAIR PLACE
#define FETCH(from, i) JOIN(FETCH_, COLUMNS)(from, i)
#define FETCH_1(from, i) vloada_half2((i), (from))
#define FETCH_2(from, i) vloada_half4((i), (from))
#define KEEP(value, to, i) JOIN(KEEP_, COLUMNS)(value, to, i)
#define KEEP_1(value, to, i) vstorea_half2((value), (i), (to))
#define KEEP_2(value, to, i) vstorea_half4((value), (i), (to))
#define KEEP_PAIR KEEP_2
#define SHRUNK(point) ((point) * (1.0f / RADIX))
#define GROWN_BY const float grown = ((__global const float *)tables)[2 * SCALE_AT];
#define GROWN(point) ((point) * grown)
#else
#define SCRATCH VEC
#define SCRATCH_PAIR float4
#define PLACE(points, at) ((points) + (at) / COLUMNS)
#define PLACE_PAIR(points, at) ((points) + (at) / 2)
#define FETCH(from, i) (from)[i]
#define KEEP(value, to, i) (to)[i] = (value)
#define KEEP_PAIR KEEP
#define SHRUNK(point) (point)
#define GROWN_BY
#define GROWN(point) (point)
#endif
