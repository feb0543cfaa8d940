/* effects.h - the registers and units that one instruction uses, for the hazard check. */
#ifndef FFTD_TOOLS_QPU_ASM_EFFECTS_H
#define FFTD_TOOLS_QPU_ASM_EFFECTS_H

#include "fft/qpu/qpu_isa.h"

struct asm_effects {
    uint64_t read_a, read_b;   /* bit = address: read by the ports, used or not */
    uint64_t write_a, write_b; /* bit = address, including peripherals and accumulators */
    uint8_t read_acc;          /* bits of r0 .. r5 */
    uint8_t write_acc;         /* likewise; r4: ldtmu, SFU */
    uint8_t rotated_acc;       /* the mul operation's accumulators, if it rotates */
    uint8_t units;             /* number of accesses to TMU, TLB, SFU, mutex and semaphores */
    bool rotates_by_r5, conditional_peripheral;
    bool branch, thrend, ldtmu;
};

void asm_effects(const struct qpu_instr *in, struct asm_effects *out);

/* A mask of bits first .. last. */
static inline uint64_t asm_span(int first, int last)
{
    return (~0ull >> (63 - last + first)) << first;
}

#endif
