/*
 * qpu_isa.h - the instruction set of VideoCore IV's QPUs: fields, encodings, register addresses,
 * and the setup words of the VPM and its DMA. The assembler, the emulator and the planner share it.
 *
 * Sources: "VideoCore IV 3D Architecture Reference Guide" (Broadcom, 2013), with the corrections of
 * M. Mueller, "Addendum to VideoCore IV documentation". An instruction has 64 bits. In memory and
 * in the assembled tables the low 32 bits come first.
 */
#ifndef FFTD_FFT_QPU_QPU_ISA_H
#define FFTD_FFT_QPU_QPU_ISA_H

#include <stdbool.h>
#include <stdint.h>

enum { QPU_LANES = 16, QPU_COUNT = 12, QPU_FILE_SIZE = 32, QPU_SEMAPHORES = 16 };
enum { QPU_CACHE_INSTRUCTIONS = 512, QPU_DELAY_SLOTS = 3, QPU_THREND_SLOTS = 2 };
enum { QPU_VPM_ROWS = 64 }; /* of 16 words: the part of the VPM that user programs may access */

enum qpu_sig {
    QPU_SIG_BKPT,
    QPU_SIG_NONE,
    QPU_SIG_THRSW,
    QPU_SIG_THREND,
    QPU_SIG_SBWAIT,
    QPU_SIG_SBDONE,
    QPU_SIG_LTHRSW,
    QPU_SIG_LOADCV,
    QPU_SIG_LOADC,
    QPU_SIG_LDCEND,
    QPU_SIG_LDTMU0,
    QPU_SIG_LDTMU1,
    QPU_SIG_LOADAM,
    QPU_SIG_SMALL_IMM,
    QPU_SIG_LDI, /* immediates and semaphores */
    QPU_SIG_BRANCH,
};

/* The condition under which an ALU writes its result, lane by lane. */
enum qpu_cond {
    QPU_COND_NEVER,
    QPU_COND_ALWAYS,
    QPU_COND_ZS,
    QPU_COND_ZC,
    QPU_COND_NS,
    QPU_COND_NC,
    QPU_COND_CS,
    QPU_COND_CC,
};

enum qpu_cond_br {
    QPU_BR_ALL_ZS,
    QPU_BR_ALL_ZC,
    QPU_BR_ANY_ZS,
    QPU_BR_ANY_ZC,
    QPU_BR_ALL_NS,
    QPU_BR_ALL_NC,
    QPU_BR_ANY_NS,
    QPU_BR_ANY_NC,
    QPU_BR_ALL_CS,
    QPU_BR_ALL_CC,
    QPU_BR_ANY_CS,
    QPU_BR_ANY_CC,
    QPU_BR_ALWAYS = 15,
};

enum qpu_op_add {
    QPU_ADD_NOP = 0,
    QPU_ADD_FADD = 1,
    QPU_ADD_FSUB = 2,
    QPU_ADD_FMIN = 3,
    QPU_ADD_FMAX = 4,
    QPU_ADD_FMINABS = 5,
    QPU_ADD_FMAXABS = 6,
    QPU_ADD_FTOI = 7,
    QPU_ADD_ITOF = 8,
    QPU_ADD_ADD = 12,
    QPU_ADD_SUB = 13,
    QPU_ADD_SHR = 14,
    QPU_ADD_ASR = 15,
    QPU_ADD_ROR = 16,
    QPU_ADD_SHL = 17,
    QPU_ADD_MIN = 18,
    QPU_ADD_MAX = 19,
    QPU_ADD_AND = 20,
    QPU_ADD_OR = 21,
    QPU_ADD_XOR = 22,
    QPU_ADD_NOT = 23,
    QPU_ADD_CLZ = 24,
    QPU_ADD_V8ADDS = 30,
    QPU_ADD_V8SUBS = 31,
};

enum qpu_op_mul {
    QPU_MUL_NOP,
    QPU_MUL_FMUL,
    QPU_MUL_MUL24,
    QPU_MUL_V8MULD,
    QPU_MUL_V8MIN,
    QPU_MUL_V8MAX,
    QPU_MUL_V8ADDS,
    QPU_MUL_V8SUBS,
};

/* The source of an ALU operand: 0-5 are the accumulators r0-r5. */
enum { QPU_MUX_R4 = 4, QPU_MUX_R5 = 5, QPU_MUX_A = 6, QPU_MUX_B = 7 };

/* Read addresses 32-63. The name has the file, A or B, where the two differ. */
enum qpu_read {
    QPU_R_UNIF = 32,
    QPU_R_VARYING = 35,
    QPU_R_A_ELEMENT = 38,
    QPU_R_B_QPU = 38,
    QPU_R_NOP = 39,
    QPU_R_A_X_COORD = 41,
    QPU_R_B_Y_COORD = 41,
    QPU_R_A_MS_FLAGS = 42,
    QPU_R_B_REV_FLAG = 42,
    QPU_R_VPM = 48,
    QPU_R_A_VPM_LD_BUSY = 49,
    QPU_R_B_VPM_ST_BUSY = 49,
    QPU_R_A_VPM_LD_WAIT = 50,
    QPU_R_B_VPM_ST_WAIT = 50,
    QPU_R_MUTEX_ACQUIRE = 51,
};

/* Write addresses 32-63. */
enum qpu_write {
    QPU_W_ACC0 = 32, /* .. 35: r0 .. r3 */
    QPU_W_TMU_NOSWAP = 36,
    QPU_W_A_R5_QUAD = 37,
    QPU_W_B_R5_REP = 37,
    QPU_W_HOST_INT = 38,
    QPU_W_NOP = 39,
    QPU_W_UNIFORMS_ADDRESS = 40,
    QPU_W_QUAD_XY = 41,
    QPU_W_FLAGS = 42,
    QPU_W_TLB = 43, /* .. 47 */
    QPU_W_VPM = 48,
    QPU_W_A_VPM_LD_SETUP = 49, /* VPM reads, and VDR */
    QPU_W_B_VPM_ST_SETUP = 49, /* VPM writes, and VDW */
    QPU_W_A_VPM_LD_ADDR = 50,  /* starts a load */
    QPU_W_B_VPM_ST_ADDR = 50,  /* starts a store */
    QPU_W_MUTEX_RELEASE = 51,
    QPU_W_SFU_RECIP = 52,
    QPU_W_SFU_RSQRT = 53,
    QPU_W_SFU_EXP2 = 54,
    QPU_W_SFU_LOG2 = 55,
    QPU_W_TMU0_S = 56, /* s: writing it starts the request; t, r, b follow */
    QPU_W_TMU1_S = 60,
};

enum qpu_kind {
    QPU_KIND_ALU, /* any signal, or a small immediate */
    QPU_KIND_LDI,
    QPU_KIND_LDI_SIGNED,   /* lane i: {bit 16 + i, bit i} as -2 .. 1 */
    QPU_KIND_LDI_UNSIGNED, /* likewise as 0 .. 3 */
    QPU_KIND_SEMA,
    QPU_KIND_BRANCH,
};

struct qpu_instr {
    enum qpu_kind kind;

    /* all kinds but branches */
    uint8_t cond_add, cond_mul, pm, pack, unpack;
    bool sf;

    /* all kinds. ws: write swap. False: the add result goes to file A, the mul result to file B. */
    bool ws;
    uint8_t waddr_add, waddr_mul;

    /* ALU; with QPU_SIG_SMALL_IMM raddr_b is the immediate; branches use raddr_a, too */
    uint8_t sig;
    uint8_t op_add, op_mul, raddr_a, raddr_b;
    uint8_t add_a, add_b, mul_a, mul_b;

    /* branch */
    uint8_t cond_br;
    bool relative, reg;

    /* semaphore */
    bool acquire;
    uint8_t semaphore;

    uint32_t imm; /* LDI, branch */
};

uint64_t qpu_encode(const struct qpu_instr *in);
/* 0, or -EINVAL: reserved bits are set, or the operation or condition does not exist. */
int qpu_decode(uint64_t word, struct qpu_instr *out);

/* Both operations nop; reads and writes nothing. */
struct qpu_instr qpu_nop(void);

/* Small immediates: codes 0-47 are values, 48 rotates by r5, 48 + n rotates up by n. */
enum { QPU_IMM_ROTATE = 48 };
uint32_t qpu_small_imm(uint8_t code);   /* code < 48: the value's 32 bits */
int qpu_small_imm_code(uint32_t value); /* -1: this value has no code */

/* Operations by name. operands: number of sources. A NULL name ends a table. */
struct qpu_op {
    const char *name;
    uint8_t op, operands;
};
extern const struct qpu_op qpu_add_ops[], qpu_mul_ops[];
const struct qpu_op *qpu_op_find(const struct qpu_op *table, const char *name);
const struct qpu_op *qpu_op_by_code(const struct qpu_op *table, uint8_t op);

/* Peripheral registers by the names that the assembler and the disassembler use. */
enum qpu_file { QPU_FILE_A = 1, QPU_FILE_B = 2, QPU_FILE_ANY = 3 };
struct qpu_register {
    const char *name;
    uint8_t read_file, read;   /* file and address; read_file 0: not readable */
    uint8_t write_file, write; /* likewise; write_file 0: not writable */
};
extern const struct qpu_register qpu_registers[]; /* a NULL name ends it */

/*
 * VPM setup words, for 32-bit elements. Rows and columns count in the 64 x 16 words. Horizontal: a
 * vector is one row. Vertical: a vector is 16 rows of one column, row % 16 == 0.
 */
uint32_t qpu_vpm_horizontal(uint32_t row);
uint32_t qpu_vpm_vertical(uint32_t row, uint32_t column);
/* For vr_setup and vw_setup. count: vectors to read, 1 .. 16; ignored for writes. step: from one
 * vector's address to the next. first: qpu_vpm_horizontal() or qpu_vpm_vertical(). */
uint32_t qpu_vpm_setup(uint32_t count, uint32_t step, uint32_t first);

/*
 * VDW, DMA from the VPM to memory: `rows` rows of `words` words, from (row, column) of the VPM on.
 * In memory `gap` bytes (16 bits) separate the end of a row from the start of the next.
 */
uint32_t qpu_vdw_setup(uint32_t rows, uint32_t words, uint32_t row, uint32_t column);
uint32_t qpu_vdw_stride(uint32_t gap);

/*
 * VDR, DMA from memory to the VPM: `rows` rows of `words` words, each into one row of the VPM,
 * `step` rows apart. In memory the rows are 8 << pitch bytes apart, or with pitch 0 the bytes of
 * qpu_vdr_stride().
 */
uint32_t qpu_vdr_setup(uint32_t pitch, uint32_t words, uint32_t rows, uint32_t step, uint32_t row,
                       uint32_t column);
uint32_t qpu_vdr_stride(uint32_t bytes);

#endif
