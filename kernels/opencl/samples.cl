/* samples.cl - loads raw samples (raw.cl) as points of COLUMNS neighbouring columns, and their
 * window. */
#define SAMPLES(at) JOIN(CORRECT_, COLUMNS)(JOIN(SAMPLES_, COLUMNS)(at) - MIDDLE)
#define SAMPLES_1(at) convert_float2(vload2(0, (at)))
#define SAMPLES_2(at) convert_float4(vload4(0, (at)))
#define WINDOW(at) JOIN(WINDOW_, COLUMNS)(at)
#define WINDOW_1(at) ((float2)(*(at)))
#define WINDOW_2(at) (vload2(0, (at)).xxyy)
