/*
 * opencl_search.h - finds the OpenCL devices of this machine, on all platforms, orders them, and
 * records the verdict on each.
 *
 * A loader lists one platform for each installed driver, in no meaningful order. Some platforms
 * have no device. So every device is a candidate, GPUs first and processors last. "auto" excludes
 * processors, where the cpu engine is faster than any OpenCL driver.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_SEARCH_H
#define FFTD_FFT_OPENCL_OPENCL_SEARCH_H

#include "fft/opencl/opencl_driver.h"

enum { OPENCL_SEARCH_MAX = 16 };

struct opencl_candidate {
    struct _cl_platform_id *platform;
    struct _cl_device_id *device; /* NULL: the platform has no devices */
    uint32_t platform_number, device_number;
    char platform_name[64], name[64];
    uint64_t type;    /* OPENCL_TYPE_ bits */
    bool eligible;    /* may be tried; if not, `verdict` has the reason */
    char verdict[96]; /* one clause, for people */
};

struct opencl_search {
    struct opencl_candidate found[OPENCL_SEARCH_MAX]; /* in the order in which they are tried */
    uint32_t count;
};

/*
 * Finds all devices and marks the devices that `selector` selects: "PLATFORM/DEVICE", or one of the
 * two, each a number or a part of the name, in upper or lower case; "" selects any. automatic:
 * excludes processors. Returns 0, -ENODEV (no device, or none eligible) or -EINVAL (nothing of that
 * name), with the reason.
 */
int opencl_search(struct opencl_search *s, const struct opencl_driver *d, const char *selector,
                  bool automatic, struct fft_reason why);

/* Prints "0/0 NAME: verdict; ..." for all candidates with a verdict. */
void opencl_search_print(const struct opencl_search *s, struct fft_reason to);

#endif
