/*
 * picture.c - the table of hello_fft_2d, the document's second demonstration, and its picture.
 *
 * The input is zero except for 60 at (2, 2) and at (-2, -2). Its inverse transform of rank 2 is the
 * cosine 120 cos(2 pi (2 x + 2 y) / 512): diagonal stripes, two along each side. A grey level is
 * 128 + the real part, without the fraction. Row 0 is at the bottom, as in the bitmap that
 * hello_fft_2d writes.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/gpu_fft/gpu_fft.h"

enum { SIDE = 512, POINTS = SIDE * SIDE, LINE = 2, GREY = 128 };
static const double height = 60;

/* The wanted engine; for "auto" a Raspberry Pi's, else the emulated one, else the cpu's. */
static int open_engine(const char *wanted, struct fft_engine **out)
{
    static const char *const names[] = {"qpu", "qpu-emu", "cpu"};
    const bool any = strcmp(wanted, "auto") == 0;
    char why[400];
    int err = -ENODEV;
    for (size_t i = 0; err < 0 && i < (any ? 3 : 1); i++) {
        const struct fft_engine_config config = {.name = any ? names[i] : wanted};
        err = fft_engine_open(out, &config, why, sizeof why);
    }
    return err < 0 ? bench_fail("engine", why) : 0;
}

static int transform(struct fft_engine *e, struct fft_iq *points)
{
    const struct fft_transform_config plan = {
        .type = FFT_TRANSFORM_INVERSE, .rank = 2, .n = {SIDE, SIDE}, .batch = 1, .in_place = true};
    struct fft_transform *t;
    char why[200];
    memset(points, 0, POINTS * sizeof *points);
    points[LINE * SIDE + LINE].re = (float)height;
    points[(SIDE - LINE) * SIDE + SIDE - LINE].re = (float)height;
    int err = fft_transform_create(&t, e, &plan, why, sizeof why);
    if (err < 0)
        return bench_fail(fft_engine_name(e), why);
    err = fft_transform_execute(t, points, points);
    fft_transform_destroy(t);
    return err < 0 ? bench_fail(fft_engine_name(e), strerror(-err)) : 0;
}

static double error_ppm(const struct fft_iq *points)
{
    double signal = 0, error = 0;
    for (int i = 0; i < POINTS; i++) {
        const int steps = LINE * (i / SIDE + i % SIDE) % SIDE;
        const double want = 2 * height * cos(2 * (double)M_PI * steps / SIDE);
        const double re = (double)points[i].re - want, im = (double)points[i].im;
        signal += want * want;
        error += re * re + im * im;
    }
    return 1e6 * sqrt(error / signal);
}

/* A portable grey map: a line of text and a byte a pixel, from the upper left. */
static int write_picture(const char *name, const struct fft_iq *points)
{
    unsigned char row[SIDE];
    FILE *file = fopen(name, "wb");
    bool ok = file && fprintf(file, "P5 %d %d 255\n", SIDE, SIDE) > 0;
    for (int y = SIDE - 1; ok && y >= 0; y--) {
        for (int x = 0; x < SIDE; x++)
            row[x] = (unsigned char)(GREY + points[y * SIDE + x].re);
        ok = fwrite(row, 1, SIDE, file) == SIDE;
    }
    if (file)
        ok &= fclose(file) == 0;
    return ok ? 0 : bench_fail(name, strerror(errno));
}

static int picture_row(struct study *s, struct fft_engine *e, struct fft_iq *points)
{
    int err = transform(e, points);
    if (err < 0)
        return err;
    const char *name = s->options.picture;
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT("512 x 512"), CELL_TEXT(fft_engine_name(e)),
                              CELL_NUMBER(error_ppm(points), 3), CELL_TEXT(name ? name : "none")});
    return name ? write_picture(name, points) : 0;
}

int study_gpu_fft_picture(struct study *s)
{
    static const char *const columns[] = {"points", "engine", "rms, ppm", "picture", NULL};
    struct fft_engine *e;
    struct fft_iq *points = malloc(POINTS * sizeof *points);
    int err = points ? open_engine(s->options.engine, &e) : -ENOMEM;
    table_open(&s->tables, "picture",
               "hello_fft_2d: two points of 60 become a cosine in two dimensions, by two passes "
               "of 512 transforms. Its rms error, and with\n"
               "--picture FILE the picture, as a portable grey map (PGM).",
               columns);
    if (err == 0) {
        err = picture_row(s, e, points);
        fft_engine_close(e);
    }
    free(points);
    return err;
}
