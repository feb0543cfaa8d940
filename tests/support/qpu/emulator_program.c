/* emulator_program.c - builds short programs and runs them on the emulator. */
#include "tests/support/qpu/emulator_program.h"

#include <stdlib.h>
#include <string.h>

void put(struct program *p, struct qpu_instr in)
{
    p->words[p->count++] = qpu_encode(&in);
}

void put_nop(struct program *p)
{
    put(p, qpu_nop());
}

void put_ldi(struct program *p, uint8_t waddr, bool file_b, uint32_t word)
{
    struct qpu_instr in = qpu_nop();
    in.kind = QPU_KIND_LDI;
    in.cond_add = QPU_COND_ALWAYS;
    in.waddr_add = waddr;
    in.ws = file_b;
    in.imm = word;
    put(p, in);
}

struct qpu_instr add_op(uint8_t op, uint8_t waddr, uint8_t x, uint8_t y)
{
    struct qpu_instr in = qpu_nop();
    in.op_add = op;
    in.waddr_add = waddr;
    in.cond_add = QPU_COND_ALWAYS;
    in.add_a = x;
    in.add_b = y;
    return in;
}

struct qpu_instr mul_op(uint8_t op, uint8_t waddr, uint8_t x, uint8_t y)
{
    struct qpu_instr in = qpu_nop();
    in.op_mul = op;
    in.waddr_mul = waddr;
    in.cond_mul = QPU_COND_ALWAYS;
    in.mul_a = x;
    in.mul_b = y;
    return in;
}

void put_sema(struct program *p, bool acquire, uint8_t number)
{
    struct qpu_instr in = qpu_nop();
    in.kind = QPU_KIND_SEMA;
    in.acquire = acquire;
    in.semaphore = number;
    put(p, in);
}

void put_end(struct program *p)
{
    struct qpu_instr in = qpu_nop();
    in.sig = QPU_SIG_THREND;
    put(p, in);
    put_nop(p);
    put_nop(p);
}

void put_store_r0(struct program *p, uint32_t bus)
{
    put_ldi(p, QPU_W_B_VPM_ST_SETUP, true, qpu_vpm_setup(1, 1, qpu_vpm_horizontal(0)));
    put(p, add_op(QPU_ADD_OR, QPU_W_VPM, 0, 0));
    put_ldi(p, QPU_W_B_VPM_ST_SETUP, true, qpu_vdw_setup(1, 16, 0, 0));
    put_ldi(p, QPU_W_B_VPM_ST_SETUP, true, qpu_vdw_stride(0));
    put_ldi(p, QPU_W_B_VPM_ST_ADDR, true, bus);
}

void put_finish(struct program *p)
{
    struct qpu_instr in = qpu_nop();
    in.raddr_b = QPU_R_B_VPM_ST_WAIT;
    put(p, in);
    put_end(p);
}

static uint32_t copy_in(struct emulator *e, const void *from, size_t bytes)
{
    const uint32_t bus = emulator_alloc(e, (uint32_t)bytes, 64);
    memcpy(emulator_at(e, bus), from, bytes);
    return bus;
}

int program_run(const struct program *programs, uint32_t count, const struct emulator_mode *mode,
                const uint32_t *data, struct program_run *run)
{
    struct emulator *e = emulator_create(1 << 20);
    struct emulator_start start[QPU_COUNT];
    const uint32_t bus = emulator_alloc(e, PROGRAM_DATA, 4096);
    if (bus != PROGRAM_DATA_BUS)
        abort();
    if (data)
        memcpy(emulator_at(e, bus), data, PROGRAM_DATA);
    for (uint32_t q = 0; q < count; q++) {
        const struct program *p = &programs[q];
        start[q].code = copy_in(e, p->words, p->count * sizeof p->words[0]);
        start[q].uniforms = copy_in(e, p->uniforms, sizeof p->uniforms);
        start[q].uniform_words = p->uniform_count;
    }
    emulator_limit(e, 100000);
    const int err = emulator_run(e, start, count, mode, &run->report);
    memcpy(run->data, emulator_at(e, bus), sizeof run->data);
    emulator_destroy(e);
    return err;
}
