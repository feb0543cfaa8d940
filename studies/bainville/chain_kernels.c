/* chain_kernels.c - the list of kernels, their program texts, and the passes of a transform. */
#include "studies/bainville/chain_kernels.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels ----------------------------------------------------------------------------- */

const struct bainville_variant bainville_variants[BAINVILLE_KERNELS] = {
    [BAINVILLE_RADIX2] = {"radix2", "bainville_radix2", 2, false},
    [BAINVILLE_RADIX4_A] = {"radix4_a", "bainville_radix4", 4, false},
    [BAINVILLE_RADIX4_B] = {"radix4_b", "bainville_radix4", 4, false},
    [BAINVILLE_RADIX4_C] = {"radix4_c", "bainville_radix4", 4, true},
    [BAINVILLE_RADIX8_A] = {"radix8_a", "bainville_radix8", 8, false},
    [BAINVILLE_RADIX8_B] = {"radix8_b", "bainville_radix8", 8, true},
    [BAINVILLE_RADIX16] = {"radix16", "bainville_radix16", 16, false},
    [BAINVILLE_RADIX16_POWERS] = {"radix16_powers", "bainville_radix16", 16, true},
    [BAINVILLE_RADIX32] = {"radix32", "bainville_radix32", 32, false},
    [BAINVILLE_RADIX32_POWERS] = {"radix32_powers", "bainville_radix32", 32, true},
    [BAINVILLE_RADIX16_ARRAY] = {"radix16_array", "bainville_array", 16, false},
};

static const struct {
    const char *name, *symbol;
} methods[BAINVILLE_METHODS] = {
    [BAINVILLE_SINCOS] = {"sincos", "BY_SINCOS"},
    [BAINVILLE_SIN_AND_COS] = {"sin + cos", "BY_SIN_AND_COS"},
    [BAINVILLE_NATIVE] = {"native sin + cos", "BY_NATIVE"},
    [BAINVILLE_TABLE] = {"table", "BY_TABLE"},
};

const char *bainville_method_name(enum bainville_method method)
{
    return methods[method].name;
}

const char *bainville_options(const struct bainville_switches *s)
{
    return s->relaxed ? "-cl-std=CL1.2 -cl-fast-relaxed-math" : "-cl-std=CL1.2";
}

static void define(struct bainville_text *t, const char *name, uint32_t value)
{
    const size_t used = strlen(t->defines), left = sizeof t->defines - used;
    const int more = snprintf(t->defines + used, left, "#define %s %u\n", name, value);
    assert(more > 0 && (size_t)more < left);
    (void)more;
}

static void begin_text(struct bainville_text *t, const struct bainville_switches *s)
{
    *t = (struct bainville_text){.files = {"bainville_complex", "bainville_steps"}};
    for (uint32_t i = 0; i < BAINVILLE_METHODS; i++)
        define(t, methods[i].symbol, i);
    define(t, "METHOD", s->method);
    define(t, "DOUBLE", s->is_double);
    define(t, "MAD", s->mad);
}

void bainville_pass_text(enum bainville_kernel kernel, const struct bainville_switches *s,
                         struct bainville_text *out)
{
    begin_text(out, s);
    out->files[2] = "bainville_pass";
    out->files[3] = bainville_variants[kernel].file;
}

void bainville_group_text(const struct bainville_group_form *f, const struct bainville_switches *s,
                          struct bainville_text *out)
{
    begin_text(out, s);
    define(out, "RADIX", f->radix);
    define(out, "LENGTH", f->n);
    out->files[2] = f->in_registers ? "bainville_registers" : "bainville_local";
}

size_t bainville_group_local(const struct bainville_group_form *f, bool is_double)
{
    return (size_t)(f->in_registers ? 1 : 2) * f->n *
           (is_double ? sizeof(struct root) : sizeof(struct fft_iq));
}

int bainville_kernel(struct bainville *b, enum bainville_kernel which,
                     const struct ocl_kernel **out)
{
    struct ocl_kernel *kernel = &b->kernels[which];
    struct opencl_program *program;
    struct bainville_text text;
    *out = kernel;
    if (kernel->handle)
        return 0;
    bainville_pass_text(which, &b->switches, &text);
    const int err =
        ocl_build(b->ocl, &program, text.files, text.defines, bainville_options(&b->switches));
    return err < 0 ? err : ocl_kernel(b->ocl, kernel, program, bainville_variants[which].name);
}

void bainville_finish(struct bainville *b)
{
    for (int i = 0; i < BAINVILLE_KERNELS; i++)
        ocl_kernel_free(b->ocl, &b->kernels[i]);
}

/* ---- passes ------------------------------------------------------------------------------ */

/* Finds the kernel of this radix that makes its roots in the same manner; radix 2 has only one. */
static enum bainville_kernel smaller(enum bainville_kernel like, uint32_t radix)
{
    const bool powers = bainville_variants[like].powers && radix > 2;
    enum bainville_kernel k = BAINVILLE_RADIX2;
    while (bainville_variants[k].radix != radix || bainville_variants[k].powers != powers)
        k++;
    return k;
}

uint32_t bainville_passes(enum bainville_kernel kernel, uint32_t n,
                          struct bainville_pass passes[BAINVILLE_PASSES])
{
    const uint32_t radix = bainville_variants[kernel].radix;
    uint32_t count = 0, joined = 1;
    assert(n >= 2 && n <= 1U << 24 && (n & (n - 1)) == 0);
    for (uint32_t root_at = 0; joined < n; count++) {
        const uint32_t left = n / joined, here = left < radix ? left : radix;
        passes[count] = (struct bainville_pass){here == radix ? kernel : smaller(kernel, here),
                                                joined, root_at};
        root_at += (here - 1) * joined;
        joined *= here;
    }
    return count;
}

struct root *bainville_roots(uint32_t n)
{
    struct root *roots = malloc(n * sizeof *roots);
    for (uint32_t k = 0; roots && k < n; k++)
        roots[k] = fft_twiddle(k, n);
    return roots;
}

void bainville_fill_table(const struct bainville_table *t, void *out)
{
    struct root *wide = out;
    struct fft_iq *narrow = out;
    for (const struct bainville_pass *p = t->passes; p < t->passes + t->count; p++) {
        const uint32_t radix = bainville_variants[p->kernel].radix;
        const uint32_t step = t->n / (radix * p->joined);
        for (uint32_t r = 1; r < radix; r++)
            for (uint32_t k = 0; k < p->joined; k++) {
                const struct root w = t->roots[(size_t)r * k * step];
                const size_t at = p->root_at + (size_t)(r - 1) * p->joined + k;
                if (t->is_double)
                    wide[at] = w;
                else
                    narrow[at] = (struct fft_iq){(float)w.re, (float)w.im};
            }
    }
}
