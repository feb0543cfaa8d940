/*
 * convolve.h - convolves pictures with a kernel through real transforms of rank 2.
 *
 * The transform of a convolution is the product of the transforms. It is periodic, so a border is
 * added to the picture that keeps its sides apart; beyond its sides, the picture is mirrored:
 *
 *     out[y][x] = sum over j, i of kernel[j][i] in[y + height/2 - j][x + width/2 - i]
 *     in[-1 - y] = in[y], in[height + y] = in[height - 1 - y]; columns likewise
 */
#ifndef FFTD_EXAMPLES_CONVOLVE_H
#define FFTD_EXAMPLES_CONVOLVE_H

#include <fft/fft.h>

#include "examples/kernel.h"
#include "examples/picture.h"

struct convolution {
    const struct kernel *kernel;
    uint32_t rows, columns; /* of the transforms: picture and border, and a length they support */
    struct fft_transform *forward, *inverse;
    float *points;           /* [rows][columns] */
    struct fft_iq *spectrum; /* [rows][columns/2 + 1] */
    struct fft_iq *response; /* [rows][columns/2 + 1]: of the kernel, over the points */
};

/* For pictures of this size; the kernel must outlive it. 0, or -errno after one line on standard
 * error. Finish also after a failure. */
int convolution_init(struct convolution *c, struct fft_engine *engine, const struct kernel *kernel,
                     uint32_t width, uint32_t height);
void convolution_finish(struct convolution *c);

/* Convolves each channel in place and adds `offset`. 0 or the engine's error. */
int convolution_run(struct convolution *c, struct picture *p, float offset);

#endif
