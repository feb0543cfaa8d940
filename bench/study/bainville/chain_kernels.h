/*
 * chain_kernels.h - kernels after E. Bainville, "OpenCL Fast Fourier Transform" (bealto.com, 2010)
 * at work on a device: a transform of 2^k points as a chain of passes over two buffers, or many
 * short ones, a work-group each. The device code is kernels/opencl/study/bainville_*.cl.
 *
 * What its builds differ in are switches: where cosines and sines come from, float or double,
 * products with mad() or without, and -cl-fast-relaxed-math.
 */
#ifndef FFTD_BENCH_STUDY_BAINVILLE_CHAIN_KERNELS_H
#define FFTD_BENCH_STUDY_BAINVILLE_CHAIN_KERNELS_H

#include "bench/device/ocl.h"
#include "fft/twiddle.h"

/* As in bainville_complex.cl: the document's three, and a table made in double precision. */
enum bainville_method {
    BAINVILLE_SINCOS,
    BAINVILLE_SIN_AND_COS,
    BAINVILLE_NATIVE, /* float alone */
    BAINVILLE_TABLE,
    BAINVILLE_METHODS
};

struct bainville_switches {
    enum bainville_method method;
    bool is_double, mad, relaxed;
};

/* The kernels of passes, by their names. */
enum bainville_kernel {
    BAINVILLE_RADIX2,
    BAINVILLE_RADIX4_A,
    BAINVILLE_RADIX4_B,
    BAINVILLE_RADIX4_C,
    BAINVILLE_RADIX8_A,
    BAINVILLE_RADIX8_B,
    BAINVILLE_RADIX16,
    BAINVILLE_RADIX16_POWERS, /* not the document's, nor are the next but one and the last */
    BAINVILLE_RADIX32,
    BAINVILLE_RADIX32_POWERS,
    BAINVILLE_RADIX16_ARRAY, /* its points in private memory, for contrast */
    BAINVILLE_KERNELS
};

struct bainville_variant {
    const char *name, *file;
    uint32_t radix;
    bool powers; /* of one exponential, instead of one each */
};
extern const struct bainville_variant bainville_variants[BAINVILLE_KERNELS];

const char *bainville_method_name(enum bainville_method method);   /* "native" */
const char *bainville_options(const struct bainville_switches *s); /* the compiler's */

/* Transforms of a work-group each: points stay in local memory, or in registers, with local memory
 * for exchange. */
struct bainville_group_form {
    bool in_registers;
    uint32_t radix, n; /* n a power of radix */
};
size_t bainville_group_local(const struct bainville_group_form *f, bool is_double); /* bytes */

/* A program: files of kernels/opencl/study/ and the text before them. */
struct bainville_text {
    const char *files[5]; /* ended by NULL */
    char defines[300];
};
void bainville_pass_text(enum bainville_kernel kernel, const struct bainville_switches *s,
                         struct bainville_text *out);
void bainville_group_text(const struct bainville_group_form *f, const struct bainville_switches *s,
                          struct bainville_text *out);

/* ---- pure: the passes of a transform ----------------------------------------------------- */

enum { BAINVILLE_PASSES = 24 }; /* at most, of 2^24 points */

struct bainville_pass {
    enum bainville_kernel kernel;
    uint32_t joined;  /* points that a sub-transform has before it */
    uint32_t root_at; /* its roots in the table, which has n - 1 points */
};

/*
 * n = 2 .. 2^24, a power of two: passes of this kernel, as many as fit, and one of a smaller radix
 * and the same way to the roots for what is left. Their number.
 */
uint32_t bainville_passes(enum bainville_kernel kernel, uint32_t n,
                          struct bainville_pass passes[BAINVILLE_PASSES]);

/* Roots of one n in double precision, and a table for passes cut from them: points of floats or
 * doubles. */
struct root *bainville_roots(uint32_t n); /* [n], malloc'ed; NULL: no memory */
void bainville_table(const struct bainville_pass *passes, uint32_t count, uint32_t n,
                     const struct root *roots, bool is_double, void *table /* [n - 1] */);

/* ---- kernels, built when they are first asked for ----------------------------------------- */

struct bainville {
    struct ocl *ocl;
    struct bainville_switches switches;
    struct ocl_kernel kernels[BAINVILLE_KERNELS];
};

int bainville_kernel(struct bainville *b, enum bainville_kernel which,
                     const struct ocl_kernel **out);
void bainville_finish(struct bainville *b);

/* ---- a long transform --------------------------------------------------------------------- */

struct bainville_chain {
    struct bainville *b;
    uint32_t n, count;
    size_t group; /* work-items of a work-group; as init leaves it, it suits all kernels */
    struct bainville_pass passes[BAINVILLE_PASSES];
    struct _cl_mem *from, *buffers[2], *table;
};

/* from: the caller's, n points that stay as they are. roots: of n, for a table; it is not kept.
 * finish follows in any case. */
int bainville_chain_init(struct bainville_chain *c, struct bainville *b,
                         enum bainville_kernel kernel, uint32_t n, struct _cl_mem *from,
                         const struct root *roots);
int bainville_chain_enqueue(void *chain);
struct _cl_mem *bainville_chain_result(const struct bainville_chain *c); /* [n] */
/* The largest work-group that all its kernels can have. */
int bainville_chain_most(const struct bainville_chain *c, size_t *group);
void bainville_chain_finish(struct bainville_chain *c);

/* ---- short ones, each of a work-group ------------------------------------------------------ */

struct bainville_groups {
    struct ocl *ocl;
    struct ocl_kernel kernel;
    struct bainville_group_form form;
    struct _cl_mem *from, *to, *table;
    size_t items; /* of a work-group */
    uint32_t batch;
};

/* from, to: the caller's, batch transforms. items: of a work-group where points stay in local
 * memory; those in registers have n / radix. -ERANGE: the device has not that much. finish follows
 * in any case. */
int bainville_groups_init(struct bainville_groups *g, struct ocl *ocl,
                          const struct bainville_switches *s, const struct bainville_group_form *f,
                          uint32_t batch, size_t items, struct _cl_mem *from, struct _cl_mem *to);
int bainville_groups_enqueue(void *groups);
void bainville_groups_finish(struct bainville_groups *g);

#endif
