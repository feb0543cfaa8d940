/* shapes.c - the tables of lengths that are not powers of two, and of images. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fft/twiddle.h"
#include "studies/mali/mali.h"

static const struct mali_form document = {8, MALI_MERGED, MALI_VLOAD, 1},
                              table_form = {8, MALI_MERGED_TABLE, MALI_WIDE, 2};

/* ---- lengths ----------------------------------------------------------------------------- */

static uint32_t padded(uint32_t n)
{
    uint32_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

static int print_length(struct mali_study *s, uint32_t n)
{
    const struct mali_form forms[] = {document, table_form};
    const uint32_t power = padded(n), rows = s->points / power;
    struct mali_result here[2], there[2];
    char label[32];
    int err = mali_study_rows(s, &(struct mali_batch){n, rows, 0}, forms, 2, MALI_ALL, here);
    if (err == 0)
        err = mali_study_rows(s, &(struct mali_batch){power, rows, 0}, forms, 2, MALI_ALL, there);
    if (err != 0)
        return err;
    snprintf(label, sizeof label, "%u x %u", n, rows);
    table_row(&s->study->tables,
              (struct cell[]){
                  CELL_TEXT(label), CELL_NUMBER(power, 7), CELL_NUMBER(1e6 * here[0].seconds, 4),
                  CELL_NUMBER(1e6 * there[0].seconds, 4),
                  CELL_NUMBER(there[0].seconds / here[0].seconds, 3),
                  CELL_NUMBER(1e6 * here[1].seconds, 4), CELL_NUMBER(1e6 * there[1].seconds, 4),
                  CELL_NUMBER(there[1].seconds / here[1].seconds, 3), CELL_NUMBER(here[0].error, 2),
                  CELL_NUMBER(here[1].error, 2)});
    return 0;
}

int mali_study_lengths(struct mali_study *s)
{
    static const char *const columns[] = {"points x rows",
                                          "padded",
                                          "angle us",
                                          "padded us",
                                          "padded:angle",
                                          "table us",
                                          "padded us, too",
                                          "padded:table",
                                          "error angle",
                                          "error table",
                                          NULL};
    static const uint32_t lengths[] = {1000, 1536, 4800, 5040, 16807, 59049, 78125, 100000, 500000};
    int err = 0;
    table_open(&s->study->tables, "lengths",
               "\"Efficiently overcoming the problem of N not being a power of 2\": such "
               "lengths compared with rows of the next power of two, which contain them. "
               "Radices to 8; the document's angles, and tables.",
               columns);
    for (size_t i = 0; err == 0 && i < sizeof lengths / sizeof lengths[0]; i++)
        if (padded(lengths[i]) <= s->points)
            err = print_length(s, lengths[i]);
    return err;
}

/* ---- images ------------------------------------------------------------------------------ */

/* Computes row k of an image's transform, to which every point contributes: axis 0 at that
 * frequency, then axis 1. */
static void reference_row(const struct fft_iq *image, uint32_t height, uint32_t width, uint32_t k,
                          struct complex64 *row)
{
    for (uint32_t x = 0; x < width; x++)
        row[x] = (struct complex64){0, 0};
    for (uint32_t y = 0; y < height; y++) {
        const struct root w = fft_twiddle((uint64_t)y * k, height);
        const struct fft_iq *from = image + (size_t)y * width;
        for (uint32_t x = 0; x < width; x++) {
            row[x].re += (double)from[x].re * w.re - (double)from[x].im * w.im;
            row[x].im += (double)from[x].re * w.im + (double)from[x].im * w.re;
        }
    }
    reference_dft(row, width, false);
}

/* Computes the largest error of a few rows of `out`. */
static int image_error(struct mali_study *s, uint32_t height, uint32_t width, double *error)
{
    const uint32_t rows[] = {1, height / 2 - 1, height - 2};
    const size_t points = (size_t)height * width;
    struct complex64 *row = malloc(width * sizeof *row);
    int err = row ? ocl_read(s->ocl, s->got, s->out, points * sizeof *s->got) : -ENOMEM;
    *error = 0;
    for (size_t i = 0; err == 0 && i < sizeof rows / sizeof rows[0]; i++) {
        reference_row(s->noise, height, width, rows[i], row);
        *error = fmax(*error, noise_relative_error(s->got + (size_t)rows[i] * width, row, width));
    }
    free(row);
    return err;
}

enum { IMAGES = 4 };

static int prepare(struct mali_study *s, struct mali_image *images, uint32_t height, uint32_t width,
                   double *errors)
{
    static const struct {
        const struct mali_form *form;
        enum mali_axis axis;
    } variants[IMAGES] = {{&document, MALI_TRANSPOSED},
                          {&document, MALI_TILED},
                          {&document, MALI_DOWN},
                          {&table_form, MALI_DOWN}};
    int err = 0;
    for (int i = 0; err == 0 && i < IMAGES; i++) {
        const struct mali_image_plan plan = {*variants[i].form, variants[i].axis, height, width};
        err = mali_image_init(&images[i], s->ocl, &plan, s->in, s->out);
        if (err == 0)
            err = mali_image_enqueue(&images[i]);
        if (err == 0)
            err = image_error(s, height, width, &errors[i]);
    }
    return err;
}

static int print_image(struct mali_study *s, uint32_t height, uint32_t width)
{
    struct mali_image *images = calloc(IMAGES, sizeof *images);
    struct ocl_work works[IMAGES];
    double errors[IMAGES];
    char label[32];
    int err = images ? prepare(s, images, height, width, errors) : -ENOMEM;
    for (int i = 0; i < IMAGES; i++)
        works[i] = (struct ocl_work){.enqueue = mali_image_enqueue, .user = &images[i]};
    if (err == 0)
        err = ocl_seconds(s->ocl, works, IMAGES, s->study->options.quick);
    snprintf(label, sizeof label, "%u x %u", height, width);
    if (err == 0)
        table_row(&s->study->tables,
                  (struct cell[]){CELL_TEXT(label), CELL_NUMBER(1e6 * works[0].seconds, 4),
                                  CELL_NUMBER(1e6 * works[1].seconds, 4),
                                  CELL_NUMBER(1e6 * works[2].seconds, 4),
                                  CELL_NUMBER(1e6 * works[3].seconds, 4),
                                  CELL_NUMBER(works[0].seconds / works[2].seconds, 3),
                                  CELL_NUMBER(works[1].seconds / works[2].seconds, 3),
                                  CELL_NUMBER(works[0].seconds / works[3].seconds, 3),
                                  CELL_NUMBER(errors[2], 2), CELL_NUMBER(errors[3], 2)});
    for (int i = 0; images && i < IMAGES; i++)
        mali_image_finish(&images[i]);
    free(images);
    return err;
}

int mali_study_images(struct mali_study *s)
{
    static const char *const columns[] = {"image",
                                          "naive us",
                                          "tiled us",
                                          "columns us",
                                          "table x2 us",
                                          "naive:columns",
                                          "tiled:columns",
                                          "naive:table x2",
                                          "error columns",
                                          "error table x2",
                                          NULL};
    static const uint32_t shapes[][2] = {{64, 64},     {256, 256},   {512, 512},  {540, 960},
                                         {1024, 1024}, {1080, 1920}, {4096, 4096}};
    int err = 0;
    table_open(&s->study->tables, "images",
               "The third part's two axes (M. Pflanzer): rows, transpose, rows, transpose, with "
               "a work-item for each point, and with tiles in local memory; kernels on columns, "
               "which need no transpose; these with tables and two columns a work-item.",
               columns);
    for (size_t i = 0; err == 0 && i < sizeof shapes / sizeof shapes[0]; i++)
        if (shapes[i][0] * shapes[i][1] <= s->points)
            err = print_image(s, shapes[i][0], shapes[i][1]);
    return err;
}
