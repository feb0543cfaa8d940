/* other_library_internal.h - what a library of other_library.h is; a file exports one. */
#ifndef FFTD_BENCH_LIBS_OTHER_LIBRARY_INTERNAL_H
#define FFTD_BENCH_LIBS_OTHER_LIBRARY_INTERNAL_H

#include "bench/device/ocl_internal.h"
#include "bench/libs/other_library.h"

struct rival {
    struct ocl *ocl;
    const struct rival_library *library;
    void *handle;  /* of dlopen; it stays, since drivers' threads may be in it */
    char name[40]; /* "": not open */
};

struct rival_library {
    const char *variable, *file;   /* where it is */
    bool (*open)(struct rival *r); /* finds its functions and writes r->name */
    /* For `batch` transforms of n points, one behind the other, in place. NULL: it cannot. */
    void *(*plan)(struct rival *r, struct _cl_mem *points, uint32_t n, uint32_t batch);
    bool (*run)(struct rival *r, void *plan, struct _cl_mem *points); /* queues all of them */
    void (*drop)(struct rival *r, void *plan);
    void (*close)(void); /* behind a successful open; (optional) */
};

extern const struct rival_library rival_clfft, rival_vkfft;

/* A function of the library, to *to; false: there is none of that name. */
bool rival_find(const struct rival *r, const char *name, void *to);

#endif
