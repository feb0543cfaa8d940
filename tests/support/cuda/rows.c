/* rows.c - checks of complex rows (rows.h). */
#include "tests/support/cuda/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cuda/passes.h"
#include "tests/support/engine/test_engines.h"

static const double tolerance = 2e-7;
enum { GUARD = 64 }; /* points after the array */

/* Index of point j of row (a, b, c). */
static size_t at(const struct engine_pass *p, bool out, size_t j, const uint32_t row[3])
{
    size_t place = j * (out ? p->to : p->from);
    for (int i = 0; i < 3; i++)
        place += row[i] * (out ? p->rows[i].to : p->rows[i].from);
    return place;
}

static bool next_row(const struct engine_pass *p, uint32_t row[3])
{
    for (int i = 0; i < 3; i++) {
        if (++row[i] < p->rows[i].count)
            return true;
        row[i] = 0;
    }
    return false;
}

void rows_check_within(double most, const struct engine_pass *p, const struct fft_iq *in,
                       const struct fft_iq *out)
{
    struct complex64 *want = malloc(p->n * sizeof *want);
    const double scale = p->scale != 0 ? (double)p->scale : 1;
    uint32_t row[3] = {0};
    do {
        double off = 0, all = 0;
        for (uint32_t j = 0; j < p->n; j++) {
            const struct fft_iq x = in[at(p, false, j, row)];
            want[j] = (struct complex64){(double)x.re, (double)x.im};
        }
        reference_dft(want, p->n, p->inverse);
        for (uint32_t k = 0; k < p->n; k++) {
            const struct fft_iq y = out[at(p, true, k, row)];
            const double re = scale * want[k].re, im = scale * want[k].im;
            off += pow((double)y.re - re, 2) + pow((double)y.im - im, 2);
            all += re * re + im * im;
        }
        if (!(sqrt(off / all) <= most))
            fail_msg("n %u, row %u %u %u: error %g", p->n, row[0], row[1], row[2], sqrt(off / all));
    } while (next_row(p, row));
    free(want);
}

void rows_check(const struct engine_pass *p, const struct fft_iq *in, const struct fft_iq *out)
{
    rows_check_within(tolerance, p, in, out);
}

void rows_run(const struct cuda_facts *facts, const struct engine_pass *pass,
              enum cuda_pass_family family, const struct fft_iq *in, struct fft_iq *out)
{
    struct cuda_pass p;
    assert_int_equal(cuda_pass_plan(&p, facts, pass), 0);
    assert_int_equal(p.kernel[p.kernels - 1].family, family);
    emulate_pass(&p, pass, in, out);
}

void rows_conform(const struct cuda_facts *facts, struct engine_pass pass,
                  enum cuda_pass_family family)
{
    const uint32_t last[3] = {pass.rows[0].count - 1, pass.rows[1].count - 1,
                              pass.rows[2].count - 1};
    const size_t from = at(&pass, false, pass.n - 1, last) + 1,
                 to = at(&pass, true, pass.n - 1, last) + 1;
    struct fft_iq *noise = test_noise(FFT_IQ_CF32, from, pass.n);
    struct fft_iq *in = aligned_alloc(256, (from * sizeof *in + 255) / 256 * 256);
    struct fft_iq *out = aligned_alloc(256, ((to + GUARD) * sizeof *out + 255) / 256 * 256);
    uint32_t written = 0;
    memcpy(in, noise, from * sizeof *in);
    memset(out, 0xff, (to + GUARD) * sizeof *out);
    rows_run(facts, &pass, family, in, out);
    rows_check(&pass, in, out);
    for (size_t i = 0; i < to + GUARD; i++)
        written += isnan(out[i].re) ? 0 : 1;
    assert_int_equal(written,
                     pass.n * pass.rows[0].count * pass.rows[1].count * pass.rows[2].count);
    assert_memory_equal(in, noise, from * sizeof *in);
    free(out);
    free(in);
    free(noise);
}
