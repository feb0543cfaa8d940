/*
 * emulator_program.h - builds short programs for the tests, one instruction a call, and runs them.
 *
 * The encoder of qpu_isa.c makes the words; test_qpu_isa checks it against published ones.
 */
#ifndef FFTD_TESTS_SUPPORT_QPU_EMULATOR_PROGRAM_H
#define FFTD_TESTS_SUPPORT_QPU_EMULATOR_PROGRAM_H

#include "emulate/qpu/emulator.h"

#include "fft/qpu/qpu_isa.h"

enum { PROGRAM_WORDS = 512, PROGRAM_DATA = 65536 };

struct program {
    uint64_t words[PROGRAM_WORDS];
    uint32_t count;
    uint32_t uniforms[64], uniform_count;
};

/* The bus address of every run's data block, a constant so that programs can use it. */
enum { PROGRAM_DATA_BUS = 0x40001000 };

void put(struct program *p, struct qpu_instr in);
void put_nop(struct program *p);
void put_ldi(struct program *p, uint8_t waddr, bool file_b, uint32_t word);
/* One operation on the add or the mul ALU. x, y: mux values of the sources. */
struct qpu_instr add_op(uint8_t op, uint8_t waddr, uint8_t x, uint8_t y);
struct qpu_instr mul_op(uint8_t op, uint8_t waddr, uint8_t x, uint8_t y);
void put_sema(struct program *p, bool acquire, uint8_t number);
void put_end(struct program *p);
/* Stores r0 to 16 words of memory at `bus` through row 0 of the VPM. */
void put_store_r0(struct program *p, uint32_t bus);
/* Waits for the store and ends the program. */
void put_finish(struct program *p);

struct program_run {
    struct emulator_report report;
    uint32_t data[PROGRAM_DATA / 4];
};

/* Runs programs[i] on QPU i. data: initial content at PROGRAM_DATA_BUS; NULL: zeros. 0 or -EIO. */
int program_run(const struct program *programs, uint32_t count, const struct emulator_mode *mode,
                const uint32_t *data, struct program_run *run);

#endif
