/* ocl_device.c - opens the device for tests of bench/device/ocl.h. */
#include "studies/tests/ocl_device.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/support/cmocka_all.h"

struct ocl *ocl;

int open_device(void **state)
{
    (void)state;
    char why[400];
    if (ocl_open(&ocl, "opencl", "cache=off", why, sizeof why) < 0) {
        printf("SKIP: %s\n", why);
        exit(77);
    }
    printf("# on %s\n", ocl_name(ocl));
    assert_true(ocl_name(ocl)[0] && ocl_profile(ocl)->max_group > 0);
    return 0;
}

int close_device(void **state)
{
    (void)state;
    ocl_close(ocl);
    return 0;
}
