/*
 * search.h - the devices of this machine, of all platforms: in which order they are tried, and what
 * became of each.
 *
 * A loader lists a platform for each installed driver, in no order that means anything, and some
 * have no device. So every device is a candidate, GPUs before others and processors last; "auto"
 * leaves processors out, where the cpu engine is quicker than any OpenCL.
 */
#ifndef FFTD_FFT_OPENCL_SEARCH_H
#define FFTD_FFT_OPENCL_SEARCH_H

#include "fft/opencl/driver.h"

enum { OPENCL_SEARCH_MAX = 16 };

struct opencl_candidate {
    struct _cl_platform_id *platform;
    struct _cl_device_id *device; /* NULL: a platform without devices */
    uint32_t platform_number, device_number;
    char platform_name[64], name[64];
    uint64_t type;    /* OPENCL_TYPE_ bits */
    bool eligible;    /* may be tried; else `verdict` says why not */
    char verdict[96]; /* one clause, for people */
};

struct opencl_search {
    struct opencl_candidate found[OPENCL_SEARCH_MAX]; /* in the order in which they are tried */
    uint32_t count;
};

/*
 * Finds all devices and marks those that `selector` names: "PLATFORM/DEVICE", or one of the two; a
 * number, or a part of its name, capitals or not; "": any. automatic: processors are not eligible.
 * 0, -ENODEV (nothing there, or nothing eligible), -EINVAL (nothing of that name), with the reason.
 */
int opencl_search(struct opencl_search *s, const struct opencl_driver *d, const char *selector,
                  bool automatic, struct reason why);

/* "0/0 NAME: verdict; ..." of all candidates with a verdict. */
void opencl_search_print(const struct opencl_search *s, struct reason to);

#endif
