/* state.h - the state of the emulated machine, and the functions that its files share. Internal. */
#ifndef FFTD_EMULATE_QPU_STATE_H
#define FFTD_EMULATE_QPU_STATE_H

#include "emulate/qpu/emulator.h"

#include "fft/qpu/qpu_isa.h"

/* The 16 lanes of a register. A comparison gives 0 or -1 in each lane. */
typedef int32_t lanes __attribute__((vector_size(64)));
typedef uint32_t ulanes __attribute__((vector_size(64)));
typedef float flanes __attribute__((vector_size(64)));

enum { ALL_LANES = 0xffff };

struct value {
    lanes v;
    uint16_t defined; /* one bit a lane */
};

/* A decoded instruction, with its properties that do not depend on the state. */
struct op {
    struct qpu_instr in;
    bool decoded;
    bool ports;              /* uses a peripheral or has a signal: takes the slow path */
    bool uses_a, uses_b;     /* an ALU reads the register of this port */
    bool zero_add, zero_mul; /* x ^ x and the like: defined whatever x is */
    uint8_t rotate;          /* 0: none; 1 .. 15: lanes; 16: by r5 */
    uint8_t mul_sources;     /* accumulators that the mul ALU reads, one bit each */
    uint8_t sources;         /* accumulators that either ALU reads */
    const char *broken;      /* a single-instruction rule that it breaks; NULL: none */
    struct value imm;        /* small or load immediate */
};

/* What the next instructions must not use yet. Times count the QPU's own instructions. */
struct recent {
    int16_t file_a, file_b;  /* register that the previous instruction wrote; -1: none */
    uint8_t accumulators;    /* likewise, one bit each; bit 5: r5 */
    uint64_t sfu_ready;      /* first that may read the result in r4 */
    uint64_t uniforms_ready; /* first that may read a uniform */
    uint64_t noswap_ready;   /* first that may write a TMU register */
    uint64_t branch_allowed; /* first that may be a branch */
};

struct vpm_write {
    bool set, horizontal;
    uint8_t address, step;
};

struct vpm_read {
    bool horizontal;
    uint8_t address, step, left;
    uint64_t ready; /* first instruction that may read */
};

/* A flag of all lanes: 0 or -1 in each, and as one bit a lane. */
enum { FLAG_Z, FLAG_N, FLAG_C, FLAG_COUNT };
struct flag {
    lanes mask;
    uint16_t bits;
};

enum { TMU_DEPTH = 4 };

struct tmu_queue {
    uint8_t first, count;
    struct {
        ulanes address;
        struct value got; /* late mode: read at the request */
    } at[TMU_DEPTH];
};

struct qpu {
    struct value a[QPU_FILE_SIZE], b[QPU_FILE_SIZE], r[6];
    struct value port_a, port_b;
    struct value sfu;
    struct flag flags[FLAG_COUNT];
    uint16_t flags_defined;
    uint32_t number;
    uint32_t pc; /* bus address */
    uint32_t target;
    uint8_t branch_slots, end_slots; /* instructions until the branch, until the end; 0: none */
    bool active, swap;
    uint32_t uniforms, uniforms_left;
    bool uniforms_counted;
    struct recent recent;
    struct vpm_write vw;
    struct vpm_read vr;
    struct tmu_queue tmu[2];
    uint32_t vdw_setup, vdw_stride, vdr_setup, vdr_stride;
    bool vdw_set, vdr_set;
    uint64_t issued;
};

struct transfer {
    bool active, done; /* done: the data are transferred, but no QPU has waited */
    uint32_t setup, stride, bus;
};

struct block {
    uint32_t bus, bytes;
};

/* A cache line: its number + 1 as tag, and its version when it was read. */
enum { LINE_BYTES = 64, TMU_LINES = 64, L2_SETS = 128, L2_WAYS = 4, TMU_COUNT = 6 };
struct line {
    uint32_t tag, version, used;
};

enum { EMULATOR_BLOCKS = 64, STORE_QUEUE = 128, CODE_WINDOW = 8192, BUS_BASE = 0x40001000 };

struct emulator {
    struct qpu qpu[QPU_COUNT];
    struct op code[CODE_WINDOW]; /* decoded at first execution */
    uint32_t code_base;
    uint32_t bytes;
    uint8_t *memory;
    uint32_t *versions;                   /* by line: number of stores into it */
    struct block blocks[EMULATOR_BLOCKS]; /* sorted by address */
    uint32_t block_count, recent_block;   /* recent: of the last address */

    int32_t vpm[QPU_VPM_ROWS][QPU_LANES];
    uint16_t vpm_defined[QPU_VPM_ROWS];
    /* Cells that a QPU wrote and has not read back: another QPU's DMA may overtake the writes. */
    uint16_t vpm_unconfirmed[QPU_COUNT][QPU_VPM_ROWS];
    /* Stores since the last wait, and the cells that they read, which must not be overwritten. */
    struct transfer stores[STORE_QUEUE];
    uint32_t store_count;
    uint16_t vpm_storing[QPU_VPM_ROWS];
    struct transfer load;
    uint8_t semaphores[QPU_SEMAPHORES];
    int8_t mutex; /* the QPU that holds it; -1: none */
    struct line tmu_cache[TMU_COUNT][TMU_LINES];
    struct line l2[L2_SETS][L2_WAYS];
    uint32_t l2_clock;

    bool late, failed;
    uint64_t limit, issued;
    struct emulator_report *report;
};

/* Ends the run with "qpu 3 at 17: what"; only the first error counts. */
void emulator_fail(struct emulator *e, const struct qpu *q, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Likewise, but the run continues: sets report->warning. */
void emulator_warn(struct emulator *e, const struct qpu *q, const char *what);

/* The memory at a bus address; NULL: the bytes are not all in one block. */
uint8_t *emulator_memory(struct emulator *e, uint32_t bus, uint32_t bytes);

/* decode.c */
void emulator_decode(struct op *op, uint64_t word);
/* alu.c: the host must round toward zero */
void alu_add(uint8_t code, const lanes *a, const lanes *b, lanes *out);
void alu_add_carry(uint8_t code, const lanes *a, const lanes *b, const lanes *result, lanes *carry);
void alu_mul(uint8_t code, const lanes *a, const lanes *b, lanes *out);
/* rules.c: rules_check fails if the instruction comes too early; rules_note records its effects. */
void rules_check(struct emulator *e, struct qpu *q, const struct op *op);
void rules_note(struct qpu *q, const struct op *op);
/* step.c: executes one instruction; false: stalled or failed */
bool emulator_step(struct emulator *e, struct qpu *q);
/* ports.c: peripheral registers; port_sema returns false if the semaphore stalls */
bool port_would_stall(const struct emulator *e, const struct qpu *q, const struct op *op);
void port_read(struct emulator *e, struct qpu *q, bool file_a, uint8_t address, struct value *out);
void port_write(struct emulator *e, struct qpu *q, bool file_a, uint8_t address,
                const struct value *value);
bool port_sema(struct emulator *e, const struct qpu_instr *in);
/* tmu.c: requests 16 words; loads the oldest result into r4 */
void tmu_request(struct emulator *e, struct qpu *q, int tmu, const struct value *address);
void tmu_take(struct emulator *e, struct qpu *q, int tmu);
/* vpm.c: setups, vectors, and DMA */
void vpm_setup_write(struct emulator *e, struct qpu *q, uint32_t word);
void vpm_setup_read(struct emulator *e, struct qpu *q, uint32_t word);
void vpm_write(struct emulator *e, struct qpu *q, const struct value *value);
void vpm_read(struct emulator *e, struct qpu *q, struct value *out);
void vpm_store(struct emulator *e, struct qpu *q, uint32_t bus);
void vpm_load(struct emulator *e, struct qpu *q, uint32_t bus);
void vpm_store_wait(struct emulator *e, struct qpu *q);
void vpm_load_wait(struct emulator *e, struct qpu *q);

#endif
