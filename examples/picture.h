/*
 * picture.h - reads and writes pictures in the binary formats of Netpbm: PGM (P5) and PPM (P6).
 *
 * Format: https://netpbm.sourceforge.net/doc/pgm.html and ppm.html. Levels of 8 and 16 bits. Only
 * the first picture of a file is read.
 */
#ifndef FFTD_EXAMPLES_PICTURE_H
#define FFTD_EXAMPLES_PICTURE_H

#include <stdint.h>

enum { PICTURE_MAX_PIXELS = 1 << 24 };

struct picture {
    uint32_t width, height;
    uint32_t channels; /* 1: grey; 3: red, green, blue */
    uint32_t full;     /* the level of white in the file, 1 .. 65535 */
    float *level;      /* [channels][height][width], 0 black, 1 white */
};

/* 0, or -errno after one line on standard error. Free also after a failure. */
int picture_read(struct picture *p, const char *path);
/* Rounds to the nearest level; what is below black or above white becomes black or white. */
int picture_write(const struct picture *p, const char *path);
void picture_free(struct picture *p);

#endif
