/* cuda_driver.c - opens libcuda.so.1, fills the table of calls and translates its errors. */
#include "fft/cuda/cuda_driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { OLDEST = 12000 }; /* CUDA 12.0: what cuLaunchKernelEx and the machine code need */

static const struct call {
    const char *symbol;
    size_t at;
} calls[] = {
#define CUDA_ROW(field, symbol, arguments) {symbol, offsetof(struct cuda_driver, field)},
    CUDA_CALLS(CUDA_ROW)
#undef CUDA_ROW
};

enum { CALLS = sizeof calls / sizeof calls[0] };

static void *open_library(struct fft_reason why)
{
    const char *other = secure_getenv("FFTD_CUDA_DRIVER");
    void *library = dlopen(other ? other : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fft_reason_set(why, "no NVIDIA driver: %s", dlerror());
    return library;
}

/*
 * Returns the name of the first symbol that the library lacks, or NULL. Fills the rest of the table
 * in either case.
 */
static const char *find_calls(struct cuda_driver *d, void *library)
{
    const char *missing = NULL;
    for (size_t i = 0; i < CALLS; i++) {
        void *symbol = dlsym(library, calls[i].symbol);
        memcpy((char *)d + calls[i].at, &symbol, sizeof symbol);
        if (!symbol && !missing)
            missing = calls[i].symbol;
    }
    return missing;
}

static int too_old(const struct cuda_driver *d, struct fft_reason why)
{
    fft_reason_set(why, "the NVIDIA driver is too old: it knows CUDA %d.%d, %d.%d is needed",
                   d->version / 1000, d->version % 1000 / 10, OLDEST / 1000, OLDEST % 1000 / 10);
    return -ENODEV;
}

int cuda_driver_load(struct cuda_driver *d, struct fft_reason why)
{
    void *library = open_library(why);
    if (!library)
        return -ENODEV;
    /* Never closed: the threads of the driver would crash. */
    const char *missing = find_calls(d, library);
    int result = d->driver_version ? d->driver_version(&d->version) : CUDA_OK;
    if (d->version && d->version < OLDEST)
        return too_old(d, why);
    if (missing) {
        fft_reason_set(why, "the NVIDIA driver has no %s", missing);
        return -ENODEV;
    }
    if (result == CUDA_OK)
        result = d->init(0);
    if (result == CUDA_OK)
        return 0;
    cuda_check(d, result, "the NVIDIA driver does not start", why);
    return -ENODEV;
}

int cuda_error(int result)
{
    switch (result) {
    case CUDA_OK:
        return 0;
    case CUDA_OUT_OF_MEMORY:
        return -ENOMEM;
    case CUDA_NO_DEVICE:
    case CUDA_INVALID_DEVICE:
        return -ENODEV;
    default:
        return -EIO;
    }
}

int cuda_check(const struct cuda_driver *d, int result, const char *what, struct fft_reason why)
{
    const char *name = NULL;
    if (result == CUDA_OK)
        return 0;
    if (d->error_name(result, &name) != CUDA_OK || !name)
        name = "unknown error";
    fft_reason_set(why, "%s: %s (%d)", what, name, result);
    return cuda_error(result);
}
