/*
 * mali_pipeline.h - the pipeline of G. M. Iodice, "Speeding-up Fast Fourier Transform Mixed-Radix
 * on Mobile ARM Mali GPU by means of OpenCL", 2017, in all its forms: digits reversed by a table,
 * then radix stages in place, with their roots of unity in separate kernels or merged. A third part
 * of the document, by M. Pflanzer, has images. The kernels are in kernels/.
 *
 * mali_pipeline.c is pure; run.c and image.c launch.
 */
#ifndef FFTD_STUDIES_MALI_MALI_PIPELINE_H
#define FFTD_STUDIES_MALI_MALI_PIPELINE_H

#include "fft/iq.h"
#include "fft/radix.h"
#include "studies/ocl_program.h"

/* ---- indices of a stage of radix `radix`; the radices of the stages before it make `span` --- */

/* The index of a point in the array from its index k in the order of the stage's transforms, and
 * the inverse. */
uint32_t mali_k_to_n(uint32_t k, uint32_t span, uint32_t radix);
uint32_t mali_n_to_k(uint32_t n, uint32_t span, uint32_t radix);

/*
 * Factors n, with powers of two at most `largest` (2, 4 or 8). Those come first, so that spans are
 * even. False: n has a factor above 7, or is below 2.
 */
bool mali_factor(struct radices *out, uint32_t n, uint32_t largest);

/* order: [n], the input point for each index. */
void mali_order(const struct radices *radices, uint32_t n, uint32_t *order);

/* The roots of all stages except the first: [radix - 1][span] each, from an even index. */
uint32_t mali_roots_at(const struct radices *radices, uint32_t stage);
void mali_roots(const struct radices *radices, struct fft_iq *roots); /* [roots_at(count)] */

/* ---- forms -------------------------------------------------------------------------------- */

enum mali_roots_form {
    MALI_NAIVE,        /* separate kernels, with the whole index */
    MALI_SHORT,        /* separate kernels, with the short index */
    MALI_HOISTED,      /* and the angle's factor from the host */
    MALI_OWN_TABLE,    /* a separate kernel, with a table */
    MALI_MERGED,       /* in the radix stage, computed there */
    MALI_MERGED_TABLE, /* in the radix stage, from a table */
    MALI_MERGED_CHAIN, /* in the radix stage, the first from a table, the others as its powers */
    MALI_ROOTS_FORMS
};

enum mali_first_form { MALI_STRIDED, MALI_VLOAD, MALI_WIDE, MALI_FIRST_FORMS };

struct mali_form {
    uint32_t largest; /* largest radix for powers of two: 2, 4 or 8 */
    enum mali_roots_form roots;
    enum mali_first_form first; /* MALI_WIDE: for an even first radix, else MALI_VLOAD */
    uint32_t columns;           /* 2: float4 in stages with an even span; 1: float2; 0: single
                                   floats, for rows of radix 2 with MALI_MERGED_TABLE alone */
};

/* Transforms of n points: `count` rows, or the columns of `count` images [n][width]. */
struct mali_batch {
    uint32_t n, count;
    uint32_t width; /* 0: rows */
};

/* ---- at work ------------------------------------------------------------------------------ */

enum mali_part {
    MALI_REVERSE = 1,
    MALI_TWIDDLE = 2,
    MALI_FIRST = 4,
    MALI_RADIX = 8,
    MALI_ALL = 15
};

enum { MALI_STEPS = 2 * RADIX_PASSES, MALI_NAME = 64 };

struct mali {
    struct ocl *ocl;
    struct mali_form form;
    struct mali_batch batch;
    struct radices radices;
    struct _cl_mem *order, *roots;
    struct _cl_mem *in, *out; /* of the caller */
    unsigned parts;           /* MALI_ bits: the parts that mali_enqueue launches; init sets all */
    uint32_t steps;
    struct mali_step {
        enum mali_part part;
        struct opencl_program *program;
        struct ocl_kernel kernel;
        char name[MALI_NAME]; /* of the kernel */
        struct ocl_launch launch;
    } step[MALI_STEPS];
};

/*
 * in, out: [count][n] points, or [count][n][width]; `in` is not modified. -EINVAL: the length is
 * not supported; other errors as in ocl.h. Call finish also after a failure.
 */
int mali_init(struct mali *m, struct ocl *o, const struct mali_form *form,
              const struct mali_batch *batch, struct _cl_mem *in, struct _cl_mem *out);
void mali_finish(struct mali *m);
int mali_enqueue(void *pipeline); /* a struct mali, not moved since mali_init */

/* Returns the text of program number i of those that mali_init builds, malloc'ed, and its name;
 * NULL: no more programs. */
char *mali_program_text(uint32_t i, char *name, size_t size);

/* ---- images ------------------------------------------------------------------------------- */

/* How the second axis is transformed: rows of a transposed image, transposed back; or columns in
 * place. */
enum mali_axis { MALI_TRANSPOSED, MALI_TILED, MALI_DOWN };

struct mali_image {
    struct mali rows, second;
    struct opencl_program *program;
    struct ocl_kernel transpose;
    struct _cl_mem *between, *transposed;
    struct ocl_launch to_columns, to_rows;
    enum mali_axis axis;
};

struct mali_image_plan {
    struct mali_form form;
    enum mali_axis axis;
    uint32_t height, width;
};

/* in, out: [height][width]. Errors and finish as for mali_init. */
int mali_image_init(struct mali_image *m, struct ocl *o, const struct mali_image_plan *plan,
                    struct _cl_mem *in, struct _cl_mem *out);
void mali_image_finish(struct mali_image *m);
int mali_image_enqueue(void *image); /* a struct mali_image */

#endif
