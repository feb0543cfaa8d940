/* other_library_internal.h - the functions that a library of other_library.h provides; each file
 * exports one table. */
#ifndef FFTD_BENCH_LIBS_OTHER_LIBRARY_INTERNAL_H
#define FFTD_BENCH_LIBS_OTHER_LIBRARY_INTERNAL_H

#include "bench/device/ocl_internal.h"
#include "bench/libs/other_library.h"

struct other_library {
    struct ocl *ocl;
    const struct other_library_ops *ops;
    void *handle;  /* of dlopen; never closed, because a driver's thread may run in it */
    char name[40]; /* "": not open */
};

struct other_library_ops {
    const char *variable, *file;           /* environment variable and default file name */
    bool (*open)(struct other_library *r); /* finds its functions and sets r->name */
    /* Plans `batch` consecutive transforms of n points, in place. NULL: not possible. */
    void *(*plan)(struct other_library *r, struct _cl_mem *points, uint32_t n, uint32_t batch);
    bool (*run)(struct other_library *r, void *plan,
                struct _cl_mem *points); /* enqueues all transforms */
    void (*drop)(struct other_library *r, void *plan);
    void (*close)(void); /* (optional) undoes a successful open */
};

extern const struct other_library_ops other_library_clfft, other_library_vkfft;

/* Stores the function of this name in *to; false: the library has none. */
bool other_library_find(const struct other_library *r, const char *name, void *to);

#endif
