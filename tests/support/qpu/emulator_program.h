/*
 * emulator_program.h - short programs for the tests, an instruction a call, and their run.
 *
 * The words come from isa.c's encoder, which test_qpu_isa holds to published ones.
 */
#ifndef FFTD_TESTS_SUPPORT_QPU_EMULATOR_PROGRAM_H
#define FFTD_TESTS_SUPPORT_QPU_EMULATOR_PROGRAM_H

#include "emulate/qpu/emulator.h"

#include "fft/qpu/isa.h"

enum { PROGRAM_WORDS = 512, PROGRAM_DATA = 65536 };

struct program {
    uint64_t words[PROGRAM_WORDS];
    uint32_t count;
    uint32_t uniforms[64], uniform_count;
};

/* Where the data block of every run lies: known beforehand, so that programs may name it. */
enum { PROGRAM_DATA_BUS = 0x40001000 };

void put(struct program *p, struct qpu_instr in);
void put_nop(struct program *p);
void put_ldi(struct program *p, uint8_t waddr, bool file_b, uint32_t word);
/* add operation, sources by mux; the registers that they mean are in `in`. */
struct qpu_instr add_op(uint8_t op, uint8_t waddr, uint8_t x, uint8_t y);
struct qpu_instr mul_op(uint8_t op, uint8_t waddr, uint8_t x, uint8_t y);
void put_sema(struct program *p, bool acquire, uint8_t number);
void put_end(struct program *p);
/* r0 to 16 words of memory at `bus` through row 0 of the VPM. */
void put_store_r0(struct program *p, uint32_t bus);
/* Waits, and ends. */
void put_finish(struct program *p);

struct program_run {
    struct emulator_report report;
    uint32_t data[PROGRAM_DATA / 4];
};

/* Runs one program a QPU with `data` (may be NULL: zeros) at PROGRAM_DATA_BUS; 0 or -EIO. */
int program_run(const struct program *programs, uint32_t count, const struct emulator_mode *mode,
                const uint32_t *data, struct program_run *run);

#endif
