/* png.c - the chunks of a PNG file: header, palette, compressed rows, end. */
#include "daemon/format/png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void write_u32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void add_chunk(struct text *out, const char type[4], const uint8_t *data, size_t size)
{
    uint8_t head[8], check[4];
    uLong crc = crc32(0, (const Bytef *)type, 4);
    if (size > 0)
        crc = crc32(crc, data, (uInt)size);
    write_u32(head, (uint32_t)size);
    memcpy(head + 4, type, 4);
    write_u32(check, (uint32_t)crc);
    text_add_bytes(out, (const char *)head, sizeof head);
    text_add_bytes(out, (const char *)data, size);
    text_add_bytes(out, (const char *)check, sizeof check);
}

/* Each row is preceded by its filter: 2, "up", since neighbouring rows are alike. */
static uint8_t *filter_rows(const struct png_picture *p)
{
    const size_t width = p->width;
    uint8_t *rows = malloc((width + 1) * p->height);
    for (uint32_t y = 0; rows && y < p->height; y++) {
        const uint8_t *row = p->pixel + y * width;
        uint8_t *to = rows + y * (width + 1);
        *to++ = 2;
        for (size_t x = 0; x < width; x++)
            to[x] = (uint8_t)(row[x] - (y > 0 ? row[x - width] : 0));
    }
    return rows;
}

static void add_rows(struct text *out, const struct png_picture *p)
{
    const uLong size = (uLong)(p->width + 1) * p->height;
    uLongf capacity = compressBound(size);
    uint8_t *rows = filter_rows(p), *packed = malloc(capacity);
    if (rows && packed && compress2(packed, &capacity, rows, size, 3) == Z_OK)
        add_chunk(out, "IDAT", packed, capacity);
    else
        out->failed = true;
    free(rows);
    free(packed);
}

void png_write(struct text *out, const struct png_picture *picture)
{
    enum { EIGHT_BITS = 8, PALETTE = 3 };
    uint8_t header[13] = {[8] = EIGHT_BITS, [9] = PALETTE};
    write_u32(header, picture->width);
    write_u32(header + 4, picture->height);
    text_add_bytes(out, "\x89PNG\r\n\x1a\n", 8);
    add_chunk(out, "IHDR", header, sizeof header);
    add_chunk(out, "PLTE", picture->palette[0], 768);
    add_rows(out, picture);
    add_chunk(out, "IEND", NULL, 0);
}

void png_fill_palette(uint8_t palette[256][3])
{
    static const double stops[][3] = {{0, 0, 0},     {50, 20, 110},  {150, 45, 110},
                                      {225, 95, 60}, {250, 175, 60}, {255, 255, 220}};
    enum { STEPS = sizeof stops / sizeof stops[0] - 1 };
    for (int i = 0; i < 256; i++) {
        const double at = i * STEPS / 255.0;
        const int stop = at < STEPS ? (int)at : STEPS - 1;
        for (int k = 0; k < 3; k++)
            palette[i][k] = (uint8_t)(stops[stop][k] +
                                      (stops[stop + 1][k] - stops[stop][k]) * (at - stop) + 0.5);
    }
}
