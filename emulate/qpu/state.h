/* state.h - what the parts of the emulator share: the machine's state. Internal. */
#ifndef FFTD_EMULATE_QPU_STATE_H
#define FFTD_EMULATE_QPU_STATE_H

#include "emulate/qpu/emulator.h"

#include "fft/qpu/isa.h"

/* A register: 16 lanes. Comparisons of these give 0 or -1 in each lane. */
typedef int32_t lanes __attribute__((vector_size(64)));
typedef uint32_t ulanes __attribute__((vector_size(64)));
typedef float flanes __attribute__((vector_size(64)));

enum { ALL_LANES = 0xffff };

struct value {
    lanes v;
    uint16_t defined; /* a bit a lane */
};

/* An instruction with what can be known of it before it runs. */
struct op {
    struct qpu_instr in;
    bool decoded;
    bool ports;              /* touches a peripheral, or has a signal: the long way */
    bool uses_a, uses_b;     /* an ALU reads this port's register */
    bool zero_add, zero_mul; /* x ^ x and the like: defined whatever x is */
    uint8_t rotate;          /* 0: no; 1..15; 16: by r5 */
    uint8_t mul_sources;     /* accumulators that the mul ALU reads, a bit each */
    uint8_t sources;         /* that both read */
    const char *broken;      /* a rule that it breaks alone; NULL: none */
    struct value imm;        /* small or load immediate */
};

/* What the next instructions must not touch yet, as counts of the QPU's own instructions. */
struct recent {
    int8_t file_a, file_b;   /* written by the previous one; -1: none */
    uint8_t accumulators;    /* likewise, a bit each; bit 5: r5 */
    uint64_t sfu_ready;      /* r4 holds the result from this instruction on */
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

/* A flag of all lanes, 0 or -1 in each, and the same as bits. */
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
        struct value got; /* if it was read when it was requested */
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
    uint8_t branch_slots, end_slots; /* instructions until the branch, until the end */
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
    bool active, done; /* done: the data went already, but nobody has waited */
    uint32_t setup, stride, bus;
};

struct block {
    uint32_t bus, bytes;
};

/* Tags of the caches: line number + 1, and the line's version when it came in. */
enum { LINE_BYTES = 64, TMU_LINES = 64, L2_SETS = 128, L2_WAYS = 4, TMU_COUNT = 6 };
struct line {
    uint32_t tag, version, used;
};

enum { EMULATOR_BLOCKS = 64, STORE_QUEUE = 128, CODE_WINDOW = 8192, BUS_BASE = 0x40001000 };

struct emulator {
    struct qpu qpu[QPU_COUNT];
    struct op code[CODE_WINDOW]; /* decoded when first run */
    uint32_t code_base;
    uint32_t bytes;
    uint8_t *memory;
    uint32_t *versions;                   /* a line: stores into it */
    struct block blocks[EMULATOR_BLOCKS]; /* by address */
    uint32_t block_count, recent_block;   /* recent: where the last address was */

    int32_t vpm[QPU_VPM_ROWS][QPU_LANES];
    uint16_t vpm_defined[QPU_VPM_ROWS];
    /* Cells that a QPU wrote and has not read back: another one's DMA may come before them. */
    uint16_t vpm_landing[QPU_COUNT][QPU_VPM_ROWS];
    /* Stores started since somebody waited, and the cells that they read: not to be overwritten. */
    struct transfer stores[STORE_QUEUE];
    uint32_t store_count;
    uint16_t vpm_storing[QPU_VPM_ROWS];
    struct transfer load;
    uint8_t semaphores[QPU_SEMAPHORES];
    int8_t mutex; /* QPU that has it, -1: none */
    struct line tmu_cache[TMU_COUNT][TMU_LINES];
    struct line l2[L2_SETS][L2_WAYS];
    uint32_t l2_clock;

    bool late, failed, reads_wait;
    uint64_t limit, issued;
    struct emulator_report *report;
};

/* Ends the run: "qpu 3 at 17: what". The first one counts. */
void emulator_fail(struct emulator *e, const struct qpu *q, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* `bytes` at a bus address if they lie in one block, else NULL. */
uint8_t *emulator_memory(struct emulator *e, uint32_t bus, uint32_t bytes);

/* decode.c */
void emulator_decode(struct op *op, uint64_t word);
/* alu.c: with the host rounding toward zero */
void alu_add(uint8_t code, const lanes *a, const lanes *b, lanes *out);
void alu_add_carry(uint8_t code, const lanes *a, const lanes *b, const lanes *result, lanes *carry);
void alu_mul(uint8_t code, const lanes *a, const lanes *b, lanes *out);
/* rules.c: does the instruction come too early? Fails with the rule. */
void rules_check(struct emulator *e, struct qpu *q, const struct op *op);
void rules_note(struct qpu *q, const struct op *op);
/* step.c: false: stalled, or failed */
bool emulator_step(struct emulator *e, struct qpu *q);
/* ports.c */
bool port_would_stall(const struct emulator *e, const struct qpu *q, const struct op *op);
void port_read(struct emulator *e, struct qpu *q, bool file_a, uint8_t address, struct value *out);
void port_write(struct emulator *e, struct qpu *q, bool file_a, uint8_t address,
                const struct value *value);
bool port_sema(struct emulator *e, const struct qpu_instr *in);
/* tmu.c */
void tmu_request(struct emulator *e, struct qpu *q, int tmu, const struct value *address);
void tmu_take(struct emulator *e, struct qpu *q, int tmu);
/* vpm.c */
void vpm_setup_write(struct emulator *e, struct qpu *q, uint32_t word);
void vpm_setup_read(struct emulator *e, struct qpu *q, uint32_t word);
void vpm_write(struct emulator *e, struct qpu *q, const struct value *value);
void vpm_read(struct emulator *e, struct qpu *q, struct value *out);
void vpm_store(struct emulator *e, struct qpu *q, uint32_t bus);
void vpm_load(struct emulator *e, struct qpu *q, uint32_t bus);
void vpm_store_wait(struct emulator *e, struct qpu *q);
void vpm_load_wait(struct emulator *e, struct qpu *q);

#endif
