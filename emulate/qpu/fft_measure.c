/* fft_measure.c - transforms a signal with a known result, and patches the program. */
#include "emulate/qpu/fft_measure.h"

#include <math.h>
#include <string.h>

#include "fft/qpu/qpu_isa.h"

double fft_measure_cosine_ppm(struct fft_run *run, const struct emulator_mode *mode)
{
    const uint32_t n = 1u << run->plan.log2_n;
    struct fft_iq *in = fft_run_input(run, 0);
    memset(in, 0, n * sizeof *in);
    in[1].re = in[n - 1].re = 0.5f;
    if (fft_run_go(run, mode))
        return NAN;
    const struct fft_iq *out = fft_run_output(run, 0);
    double signal = 0, error = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double want = cos(2 * M_PI * i / n), re = (double)out[i].re - want;
        signal += want * want;
        error += re * re + (double)out[i].im * (double)out[i].im;
    }
    return 1e6 * sqrt(error / signal);
}

/* The registers of low halves in kernels/qpu/registers.qinc. */
static bool is_low_half(uint8_t waddr)
{
    enum { LOW_OF_READ = 13, LOW_OF_STAGE_4 = 16, LOW_OF_STAGE_5 = 19 };
    return waddr == LOW_OF_READ || waddr == LOW_OF_STAGE_4 || waddr == LOW_OF_STAGE_5;
}

uint32_t fft_measure_remove_low_halves(struct fft_run *run, uint32_t instructions)
{
    uint32_t *code = fft_run_code(run), removed = 0;
    for (uint32_t i = 0; i < instructions; i++) {
        struct qpu_instr in;
        uint32_t *at = code + (size_t)2 * i;
        if (qpu_decode((uint64_t)at[1] << 32 | at[0], &in) || in.kind != QPU_KIND_ALU ||
            in.op_add != QPU_ADD_FSUB || !is_low_half(in.waddr_add))
            continue;
        in.cond_add = QPU_COND_NEVER;
        const uint64_t word = qpu_encode(&in);
        at[0] = (uint32_t)word;
        at[1] = (uint32_t)(word >> 32);
        removed++;
    }
    return removed;
}
