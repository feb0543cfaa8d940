/*
 * no_gpu_transform.c - gpu_transform.h in a build without the cuda engine, where gpu_open() fails.
 */
#include "bench/device/gpu_transform.h"

#include <stdlib.h>

int gpu_transform(struct bench *b, const struct shape *shape)
{
    (void)b;
    (void)shape;
    abort(); /* nothing calls it without a device */
}
