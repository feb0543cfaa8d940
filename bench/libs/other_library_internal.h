/* other_library_internal.h - what a library of other_library.h is; a file exports one. */
#ifndef FFTD_BENCH_LIBS_OTHER_LIBRARY_INTERNAL_H
#define FFTD_BENCH_LIBS_OTHER_LIBRARY_INTERNAL_H

#include "bench/device/ocl_internal.h"
#include "bench/libs/other_library.h"

struct other_library {
    struct ocl *ocl;
    const struct other_library_ops *ops;
    void *handle;  /* of dlopen; it stays, since drivers' threads may be in it */
    char name[40]; /* "": not open */
};

struct other_library_ops {
    const char *variable, *file;           /* where it is */
    bool (*open)(struct other_library *r); /* finds its functions and writes r->name */
    /* For `batch` transforms of n points, one behind the other, in place. NULL: it cannot. */
    void *(*plan)(struct other_library *r, struct _cl_mem *points, uint32_t n, uint32_t batch);
    bool (*run)(struct other_library *r, void *plan,
                struct _cl_mem *points); /* queues all of them */
    void (*drop)(struct other_library *r, void *plan);
    void (*close)(void); /* behind a successful open; (optional) */
};

extern const struct other_library_ops other_library_clfft, other_library_vkfft;

/* A function of the library, to *to; false: there is none of that name. */
bool other_library_find(const struct other_library *r, const char *name, void *to);

#endif
