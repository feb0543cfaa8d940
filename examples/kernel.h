/*
 * kernel.h - what a picture is convolved with: a table of numbers, from a file or Gaussian.
 */
#ifndef FFTD_EXAMPLES_KERNEL_H
#define FFTD_EXAMPLES_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

enum { KERNEL_MAX = 4095 }; /* rows, and columns */

/* Smallest and largest cut-off of the Gaussian filters, in cycles per pixel. */
#define KERNEL_MIN_CUTOFF 0.001
#define KERNEL_MAX_CUTOFF 0.25

struct kernel {
    uint32_t width, height; /* its centre is column width / 2 of row height / 2 */
    float *at;              /* [height][width] */
};

/*
 * A line of the file is a row: numbers with blanks between them. The rest of a line after # is a
 * comment. 0, or -errno after one line on standard error. Free also after a failure.
 */
int kernel_read(struct kernel *k, const char *path);

/*
 * A Gaussian whose gain is 1 for a constant and 1/2 at `cutoff` cycles per pixel: its deviation is
 * s = sqrt(2 ln 2) / (2 pi cutoff) pixels, because a Gaussian of deviation s has the gain
 * exp(-2 (pi s f)^2) at f. high: what that low-pass filter removes. -ENOMEM.
 */
int kernel_gaussian(struct kernel *k, double cutoff, bool high);

void kernel_free(struct kernel *k);

#endif
