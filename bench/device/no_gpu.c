/* no_gpu.c - gpu.h in a build without the cuda engine: opening fails, so nothing else is called. */
#include "bench/device/gpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int gpu_open(struct gpu **out, char *why, size_t size)
{
    *out = NULL;
    snprintf(why, size, "this build has no cuda engine");
    return -ENOTSUP;
}

void gpu_close(struct gpu *g)
{
    (void)g;
}

int cufft_open(struct cufft **out, struct gpu *g, char *why, size_t size)
{
    (void)g;
    *out = NULL;
    snprintf(why, size, "this build has no cuda engine");
    return -ENOTSUP;
}

void cufft_close(struct cufft *c)
{
    (void)c;
}

const char *cufft_name(const struct cufft *c)
{
    (void)c;
    return "";
}

int cufft_measure(struct cufft *c, struct gpu *g, uint32_t n, uint32_t batch, bool quick,
                  double *seconds)
{
    (void)c, (void)g, (void)n, (void)batch, (void)quick, (void)seconds;
    abort();
}
