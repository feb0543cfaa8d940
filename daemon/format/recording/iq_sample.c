/* iq_sample.c - the table of sample formats, and a loop for each conversion. */
#include "daemon/format/recording/iq_sample.h"

#include <ctype.h>
#include <string.h>

/* ---- components ------------------------------------------------------------------------- */

static uint16_t le16(const uint8_t *b)
{
    return (uint16_t)(b[0] | b[1] << 8);
}

static uint16_t be16(const uint8_t *b)
{
    return (uint16_t)(b[0] << 8 | b[1]);
}

static uint32_t le24(const uint8_t *b)
{
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16;
}

static uint32_t be24(const uint8_t *b)
{
    return (uint32_t)b[0] << 16 | (uint32_t)b[1] << 8 | b[2];
}

static uint32_t le32(const uint8_t *b)
{
    return le24(b) | (uint32_t)b[3] << 24;
}

static uint32_t be32(const uint8_t *b)
{
    return be24(b) << 8 | b[3];
}

static uint64_t le64(const uint8_t *b)
{
    return le32(b) | (uint64_t)le32(b + 4) << 32;
}

static uint64_t be64(const uint8_t *b)
{
    return (uint64_t)be32(b) << 32 | be32(b + 4);
}

static float float32(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float float64(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return (float)value;
}

static float signed32(uint32_t bits)
{
    return (float)(int32_t)bits * 0x1p-31F;
}

/* The largest code is full scale: its own value, one step less, would not count as clipped. */
static float clip(int32_t value, int32_t largest, float scale)
{
    return (float)(value == largest ? value + 1 : value) * scale;
}

static float signed24(uint32_t bits)
{
    const int32_t value = (int32_t)(bits & 0xffffff) - (int32_t)((bits & 0x800000) << 1);
    return clip(value, 0x7fffff, 0x1p-23F);
}

static float signed16(uint16_t bits)
{
    return clip((int16_t)bits, INT16_MAX, 0x1p-15F);
}

static float signed8(uint8_t bits)
{
    return clip((int8_t)bits, INT8_MAX, 0x1p-7F);
}

static float unsigned8(uint8_t bits)
{
    return ((float)bits - 127.5F) / 127.5F;
}

static int16_t low12(const uint8_t *b)
{
    return (int16_t)((int16_t)(uint16_t)(b[0] << 4 | (b[1] & 15) << 12) >> 4);
}

static int16_t high12(const uint8_t *b)
{
    return (int16_t)((int16_t)(uint16_t)((b[1] & 0xf0) | b[2] << 8) >> 4);
}

/* ---- loops ------------------------------------------------------------------------------ */

#define CONVERT(name, type, size, value)                                                           \
    static void name(const uint8_t *restrict from, void *restrict into, size_t samples)            \
    {                                                                                              \
        type *restrict out = into;                                                                 \
        for (size_t i = 0; i < 2 * samples; i++) {                                                 \
            const uint8_t *b = from + i * (size);                                                  \
            out[i] = (type)(value);                                                                \
        }                                                                                          \
    }

CONVERT(wav8, uint8_t, 1, b[0] ^ 0x80)
CONVERT(cu16, int16_t, 2, le16(b) ^ 0x8000)
CONVERT(cu16_be, int16_t, 2, be16(b) ^ 0x8000)
CONVERT(cs16_be, int16_t, 2, be16(b))
CONVERT(cf32_be, float, 4, float32(be32(b)))
CONVERT(i24, float, 3, signed24(le24(b)))
CONVERT(i24_be, float, 3, signed24(be24(b)))
CONVERT(i24_in_32, float, 4, signed24(le24(b)))
CONVERT(i32, float, 4, signed32(le32(b)))
CONVERT(i32_be, float, 4, signed32(be32(b)))
CONVERT(u32, float, 4, signed32(le32(b) ^ 0x80000000U))
CONVERT(u32_be, float, 4, signed32(be32(b) ^ 0x80000000U))
CONVERT(f64, float, 8, float64(le64(b)))
CONVERT(f64_be, float, 8, float64(be64(b)))
CONVERT(u8, float, 1, unsigned8(b[0]))
CONVERT(i8, float, 1, signed8(b[0]))
CONVERT(u16, float, 2, signed16(le16(b) ^ 0x8000))
CONVERT(u16_be, float, 2, signed16(be16(b) ^ 0x8000))
CONVERT(i16, float, 2, signed16(le16(b)))
CONVERT(i16_be, float, 2, signed16(be16(b)))
CONVERT(f32, float, 4, float32(le32(b)))

static void cs12(const uint8_t *restrict from, void *restrict into, size_t samples)
{
    int16_t *restrict out = into;
    for (size_t i = 0; i < samples; i++) {
        out[2 * i] = low12(from + 3 * i);
        out[2 * i + 1] = high12(from + 3 * i);
    }
}

/* ---- the table -------------------------------------------------------------------------- */

#define FLOATS(name, size, full_scale, convert)                                                    \
    {                                                                                              \
        name, 2 * (size), false, FFT_IQ_CF32, full_scale, 1, convert                               \
    }
#define REALS(name, size, full_scale, convert)                                                     \
    {                                                                                              \
        name, 2 * (size), true, FFT_IQ_CF32, full_scale, 1, convert                                \
    }

static const struct iq_sample table[] = {
    {"cu8", 2, false, FFT_IQ_CU8, 127.5, 127.5, NULL},
    {"cs8", 2, false, FFT_IQ_CS8, 128, 128, NULL},
    {"cs16", 4, false, FFT_IQ_CS16, 32768, 32768, NULL},
    {"cf32", 8, false, FFT_IQ_CF32, 1, 1, NULL},
    {"wav8", 2, false, FFT_IQ_CS8, 128, 128, wav8},
    {"cu16", 4, false, FFT_IQ_CS16, 32768, 32768, cu16},
    {"cu16_be", 4, false, FFT_IQ_CS16, 32768, 32768, cu16_be},
    {"cs16_be", 4, false, FFT_IQ_CS16, 32768, 32768, cs16_be},
    {"cs12", 3, false, FFT_IQ_CS16, 2048, 2048, cs12},
    FLOATS("cs24", 3, 8388608, i24),
    FLOATS("cs24_be", 3, 8388608, i24_be),
    FLOATS("sdriq24", 4, 8388608, i24_in_32),
    FLOATS("cs32", 4, 2147483648, i32),
    FLOATS("cs32_be", 4, 2147483648, i32_be),
    FLOATS("cu32", 4, 2147483648, u32),
    FLOATS("cu32_be", 4, 2147483648, u32_be),
    FLOATS("cf32_be", 4, 1, cf32_be),
    FLOATS("cf64", 8, 1, f64),
    FLOATS("cf64_be", 8, 1, f64_be),
    REALS("ru8", 1, 127.5, u8),
    REALS("ri8", 1, 128, i8),
    REALS("ru16", 2, 32768, u16),
    REALS("ru16_be", 2, 32768, u16_be),
    REALS("ri16", 2, 32768, i16),
    REALS("ri16_be", 2, 32768, i16_be),
    REALS("ri24", 3, 8388608, i24),
    REALS("ri24_be", 3, 8388608, i24_be),
    REALS("ru32", 4, 2147483648, u32),
    REALS("ru32_be", 4, 2147483648, u32_be),
    REALS("ri32", 4, 2147483648, i32),
    REALS("ri32_be", 4, 2147483648, i32_be),
    REALS("rf32", 4, 1, f32),
    REALS("rf32_be", 4, 1, cf32_be),
    REALS("rf64", 8, 1, f64),
    REALS("rf64_be", 8, 1, f64_be),
};
enum { TABLE_ROWS = sizeof table / sizeof table[0], NAME_MAX_BYTES = 16 };

/* Lower case, "ci16_le" and "rs16_le" as "cs16" and "ri16". Returns false if it is too long. */
static bool normalize(const char *name, char into[NAME_MAX_BYTES])
{
    const size_t length = strlen(name);
    if (length >= NAME_MAX_BYTES)
        return false;
    for (size_t i = 0; i <= length; i++)
        into[i] = (char)tolower((unsigned char)name[i]);
    if (length > 3 && strcmp(into + length - 3, "_le") == 0)
        into[length - 3] = 0;
    if (into[0] == 'c' && into[1] == 'i')
        into[1] = 's';
    if (into[0] == 'r' && into[1] == 's')
        into[1] = 'i';
    return true;
}

const struct iq_sample *iq_sample_find(const char *name)
{
    char wanted[NAME_MAX_BYTES];
    if (!normalize(name, wanted))
        return NULL;
    for (size_t i = 0; i < TABLE_ROWS; i++) {
        if (strcmp(table[i].name, wanted) == 0)
            return &table[i];
    }
    return NULL;
}

const struct iq_sample *iq_sample_of(enum fft_iq_format ring)
{
    return iq_sample_find(fft_iq_name(ring));
}

const struct iq_sample *iq_sample_at(size_t index)
{
    return index < TABLE_ROWS ? &table[index] : NULL;
}
