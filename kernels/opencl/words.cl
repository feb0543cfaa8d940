/*
 * words.cl - a raw sample (raw.cl) as one word, and its conversion to a point. On little-endian
 * devices the word of cs16 has I in its lower half, and a shift extracts Q: converting half words
 * is slow on some devices, so this converts only one.
 */
#if FORMAT == cu8
typedef uchar2 word;
#define RAW_SAMPLE(x) (convert_float2(x) - MIDDLE)
#elif FORMAT == cs8
typedef char2 word;
#define RAW_SAMPLE(x) convert_float2(x)
#elif FORMAT == cs16 && defined(__ENDIAN_LITTLE__)
typedef int word;
#define RAW_SAMPLE(x) ((float2)((float)(short)(x), (float)((x) >> 16)))
#elif FORMAT == cs16
typedef short2 word;
#define RAW_SAMPLE(x) convert_float2(x)
#else
typedef float2 word;
#define RAW_SAMPLE(x) (x)
#endif
#define SAMPLE(x) CORRECT_1(RAW_SAMPLE(x))
#define WORD(q) word x##q;
