/*
 * mali_pipeline.h - the pipeline of G. M. Iodice, "Speeding-up Fast Fourier Transform Mixed-Radix
 * on Mobile ARM Mali GPU by means of OpenCL", 2017, in all its forms: digits reversed by a table,
 * then radix stages in place, with their roots of unity in kernels of their own or merged. A third
 * part, by M. Pflanzer, has images. Its kernels are kernels/opencl/study/mali_*.cl.
 *
 * mali_pipeline.c is pure; run.c and image.c launch.
 */
#ifndef FFTD_BENCH_STUDY_MALI_MALI_PIPELINE_H
#define FFTD_BENCH_STUDY_MALI_MALI_PIPELINE_H

#include "bench/device/ocl.h"
#include "fft/iq.h"
#include "fft/radix.h"

/* ---- indices: a stage of radix `radix` behind ones whose radices make `span` --------------- */

/* Where the point is that has index k in the order of the stage's transforms, and back. */
uint32_t mali_k_to_n(uint32_t k, uint32_t span, uint32_t radix);
uint32_t mali_n_to_k(uint32_t n, uint32_t span, uint32_t radix);

/*
 * The radices of n, of powers of two at most `largest` (2, 4 or 8): those come first, so that spans
 * are even. False: n has a factor above 7, or is below 2.
 */
bool mali_factor(struct radices *out, uint32_t n, uint32_t largest);

/* order: [n], which point of the input comes there. */
void mali_order(const struct radices *radices, uint32_t n, uint32_t *order);

/* Roots of all stages but the first: [radix - 1][span] each, from an even place on. */
uint32_t mali_roots_at(const struct radices *radices, uint32_t stage);
void mali_roots(const struct radices *radices, struct fft_iq *roots); /* [roots_at(count)] */

/* ---- forms -------------------------------------------------------------------------------- */

enum mali_roots_form {
    MALI_NAIVE,        /* kernels of their own, the index in full */
    MALI_SHORT,        /* the index in short */
    MALI_HOISTED,      /* and the angle's factor computed by the host */
    MALI_OWN_TABLE,    /* a kernel of its own, from a table */
    MALI_MERGED,       /* in the radix stage, computed there */
    MALI_MERGED_TABLE, /* from a table */
    MALI_MERGED_CHAIN, /* the first from a table, and its powers */
    MALI_ROOTS_FORMS
};

enum mali_first_form { MALI_STRIDED, MALI_VLOAD, MALI_WIDE, MALI_FIRST_FORMS };

struct mali_form {
    uint32_t largest; /* radix of powers of two: 2, 4, 8 */
    enum mali_roots_form roots;
    enum mali_first_form first; /* MALI_WIDE: where the first radix is even, else MALI_VLOAD */
    uint32_t columns;           /* 2: float4, in stages whose span is even; else 1 */
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

enum { MALI_STEPS = 2 * RADIX_PASSES };

struct mali {
    struct ocl *ocl;
    struct mali_form form;
    struct mali_batch batch;
    struct radices radices;
    struct _cl_mem *order, *roots;
    struct _cl_mem *in, *out; /* the user's */
    unsigned parts;           /* MALI_ bits that begin launches; init sets all */
    uint32_t steps;
    struct mali_step {
        enum mali_part part;
        struct opencl_program *program;
        struct ocl_kernel kernel;
        struct ocl_launch launch;
    } step[MALI_STEPS];
};

/*
 * in, out: [count][n] points, or [count][n][width]; in stays as it is. -EINVAL: not such a length;
 * else what ocl.h says. finish follows in any case.
 */
int mali_init(struct mali *m, struct ocl *o, const struct mali_form *form,
              const struct mali_batch *batch, struct _cl_mem *in, struct _cl_mem *out);
void mali_finish(struct mali *m);
int mali_enqueue(void *mali); /* a struct mali; it must stay where it was initialised */

/* The text of program number i of those that mali_init builds, malloc'ed, with a name; NULL: no
 * more. */
char *mali_program_text(uint32_t i, char *name, size_t size);

/* ---- images ------------------------------------------------------------------------------- */

/* How the second axis comes about: rows of a transposed image, back again; or columns as they are.
 */
enum mali_axis { MALI_TRANSPOSED, MALI_TILED, MALI_DOWN };

struct mali_image {
    struct mali rows, second;
    struct opencl_program *program;
    struct ocl_kernel transpose;
    struct _cl_mem *between, *transposed;
    struct ocl_launch to_columns, to_rows;
    enum mali_axis axis;
};

/* in, out: [height][width]. As mali_init. */
int mali_image_init(struct mali_image *m, struct ocl *o, const struct mali_form *form,
                    enum mali_axis axis, uint32_t height, uint32_t width, struct _cl_mem *in,
                    struct _cl_mem *out);
void mali_image_finish(struct mali_image *m);
int mali_image_enqueue(void *mali_image);

#endif
