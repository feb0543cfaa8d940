/*
 * png.h - writes a picture as a PNG file (ISO/IEC 15948), compressed with zlib. Pure, any thread.
 */
#ifndef FFTD_DAEMON_FORMAT_PNG_H
#define FFTD_DAEMON_FORMAT_PNG_H

#include <stdint.h>

#include "daemon/base/text.h"

/* A picture of 256 colours: pixel[height][width] are indices of palette[256][3] (red, green, blue).
 */
struct png_picture {
    uint32_t width, height; /* 1 .. 65536 each */
    const uint8_t *pixel;
    const uint8_t (*palette)[3];
};

/* Appends the file to `out`, which fails (out->failed) without memory. */
void png_write(struct text *out, const struct png_picture *picture);
/* From black over violet and orange to white: each step is brighter, also without colours. */
void png_fill_palette(uint8_t palette[256][3]);

#endif
