/*
 * chain_kernels.h - kernels after E. Bainville, "OpenCL Fast Fourier Transform" (bealto.com, 2010):
 * a transform of 2^k points as a chain of passes over two buffers, or many short transforms in a
 * work-group each. The device code is in kernels/.
 *
 * Builds differ in switches: the source of cosines and sines, float or double, products with or
 * without mad(), and -cl-fast-relaxed-math.
 */
#ifndef FFTD_STUDIES_BAINVILLE_CHAIN_KERNELS_H
#define FFTD_STUDIES_BAINVILLE_CHAIN_KERNELS_H

#include "fft/twiddle.h"
#include "studies/ocl_program.h"

/*
 * As in bainville_complex.cl: the document's three sources, and a table made in double precision.
 */
enum bainville_method {
    BAINVILLE_SINCOS,
    BAINVILLE_SIN_AND_COS,
    BAINVILLE_NATIVE, /* float only */
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
    BAINVILLE_RADIX16_POWERS, /* not in the document; nor are the next but one and the last */
    BAINVILLE_RADIX32,
    BAINVILLE_RADIX32_POWERS,
    BAINVILLE_RADIX16_ARRAY, /* keeps its points in private memory, for comparison */
    BAINVILLE_KERNELS
};

struct bainville_variant {
    const char *name, *file;
    uint32_t radix;
    bool powers; /* powers of one exponential instead of one exponential each */
};
extern const struct bainville_variant bainville_variants[BAINVILLE_KERNELS];

const char *bainville_method_name(enum bainville_method method);   /* "native" */
const char *bainville_options(const struct bainville_switches *s); /* of the compiler */

/* Transforms in one work-group each. Points stay in local memory, or in registers with local memory
 * for exchange. */
struct bainville_group_form {
    bool in_registers;
    uint32_t radix, n; /* n a power of radix */
};
size_t bainville_group_local(const struct bainville_group_form *f, bool is_double); /* bytes */

/* A program: files of studies/bainville/kernels/ and the text before them. */
struct bainville_text {
    const char *files[5]; /* ended by NULL */
    char defines[300];
};
void bainville_pass_text(enum bainville_kernel kernel, const struct bainville_switches *s,
                         struct bainville_text *out);
void bainville_group_text(const struct bainville_group_form *f, const struct bainville_switches *s,
                          struct bainville_text *out);

/* ---- pure: the passes of a transform ----------------------------------------------------- */

enum { BAINVILLE_PASSES = 24 }; /* at most, for 2^24 points */

struct bainville_pass {
    enum bainville_kernel kernel;
    uint32_t joined;  /* points of each sub-transform before the pass */
    uint32_t root_at; /* index of its roots in the table, which has n - 1 points */
};

/*
 * Cuts n, a power of two from 2 to 2^24, into passes of this kernel, as many as fit, and one pass
 * of a smaller radix with the same source of roots for the rest. Returns their number.
 */
uint32_t bainville_passes(enum bainville_kernel kernel, uint32_t n,
                          struct bainville_pass passes[BAINVILLE_PASSES]);

/* Returns the roots of n in double precision, [n], malloc'ed; NULL: no memory. */
struct root *bainville_roots(uint32_t n);

struct bainville_table {
    const struct bainville_pass *passes; /* [count] */
    uint32_t count, n;
    const struct root *roots; /* [n] */
    bool is_double;           /* the table has doubles instead of floats */
};
void bainville_fill_table(const struct bainville_table *t, void *out /* [n - 1] */);

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
    size_t group; /* work-items of a work-group; init chooses a size that suits all kernels */
    struct bainville_pass passes[BAINVILLE_PASSES];
    struct _cl_mem *from, *buffers[2], *table;
};

/* from: n points of the caller's, not modified. roots: of n, for a table; not kept. Call finish
 * also after a failure. */
int bainville_chain_init(struct bainville_chain *c, struct bainville *b,
                         enum bainville_kernel kernel, uint32_t n, struct _cl_mem *from,
                         const struct root *roots);
int bainville_chain_enqueue(void *chain);
struct _cl_mem *bainville_chain_result(const struct bainville_chain *c); /* [n] */
/* Finds the largest work-group that all of its kernels allow. */
int bainville_chain_most(const struct bainville_chain *c, size_t *group);
void bainville_chain_finish(struct bainville_chain *c);

/* ---- short ones, each of a work-group ------------------------------------------------------ */

struct bainville_groups {
    struct ocl *ocl;
    struct ocl_kernel kernel;
    struct bainville_group_form form;
    struct _cl_mem *from, *to, *table;
    size_t items; /* in a work-group */
    uint32_t batch;
};

/* The caller sets ocl, form, batch, items, from and to, and zeroes the rest. from, to: `batch`
 * transforms. Init changes `items` to n / radix for points in registers. -ERANGE: the device has
 * too little. Call finish also after a failure. */
int bainville_groups_init(struct bainville_groups *g, const struct bainville_switches *s);
int bainville_groups_enqueue(void *groups);
void bainville_groups_finish(struct bainville_groups *g);

#endif
