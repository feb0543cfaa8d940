/* ports.c - emulates reads and writes of a QPU's peripheral registers. */
#include "emulate/qpu/state.h"

#include <math.h>

static void set_all(struct value *out, uint32_t word)
{
    *out = (struct value){.defined = ALL_LANES};
    out->v += (int32_t)word;
}

/* Setup and address registers take lane 0. */
static uint32_t lane_0(struct emulator *e, const struct qpu *q, const struct value *value)
{
    if (!(value->defined & 1))
        emulator_fail(e, q, "an undefined value is written to a peripheral");
    return (uint32_t)value->v[0];
}

bool port_would_stall(const struct emulator *e, const struct qpu *q, const struct op *op)
{
    const struct qpu_instr *in = &op->in;
    const bool acquires = in->raddr_a == QPU_R_MUTEX_ACQUIRE ||
                          (in->raddr_b == QPU_R_MUTEX_ACQUIRE && in->sig != QPU_SIG_SMALL_IMM);
    return acquires && e->mutex >= 0 && e->mutex != (int8_t)q->number;
}

bool port_sema(struct emulator *e, const struct qpu_instr *in)
{
    uint8_t *semaphore = &e->semaphores[in->semaphore];
    if (in->acquire ? *semaphore == 0 : *semaphore == 15)
        return false;
    *semaphore = (uint8_t)(*semaphore + (in->acquire ? -1 : 1));
    return true;
}

static void read_uniform(struct emulator *e, struct qpu *q, struct value *out)
{
    const uint8_t *at = emulator_memory(e, q->uniforms, 4);
    if (q->uniforms_counted && q->uniforms_left-- == 0)
        emulator_fail(e, q, "reads more uniforms than there are");
    else if (!at)
        emulator_fail(e, q, "reads a uniform at 0x%08x, which is nobody's", q->uniforms);
    else
        set_all(out, *(const uint32_t *)(const void *)at);
    q->uniforms += 4;
}

static void read_element(struct value *out)
{
    *out = (struct value){.defined = ALL_LANES};
    for (int i = 0; i < QPU_LANES; i++)
        out->v[i] = i;
}

void port_read(struct emulator *e, struct qpu *q, bool file_a, uint8_t address, struct value *out)
{
    *out = (struct value){.defined = 0};
    switch (address) {
    case QPU_R_UNIF:
        read_uniform(e, q, out);
        break;
    case QPU_R_A_ELEMENT:
        if (file_a)
            read_element(out);
        else
            set_all(out, q->number);
        break;
    case QPU_R_NOP:
        break;
    case QPU_R_VPM:
        vpm_read(e, q, out);
        break;
    case QPU_R_A_VPM_LD_BUSY:
        set_all(out, file_a ? e->load.active && !e->load.done : e->late && e->store_count > 0);
        break;
    case QPU_R_A_VPM_LD_WAIT:
        if (file_a)
            vpm_load_wait(e, q);
        else
            vpm_store_wait(e, q);
        break;
    case QPU_R_MUTEX_ACQUIRE:
        if (e->mutex == (int8_t)q->number)
            emulator_fail(e, q, "acquires the mutex that it has");
        e->mutex = (int8_t)q->number;
        break;
    default:
        emulator_fail(e, q, "reads register %d, which is not there", address);
    }
}

static void write_sfu(struct qpu *q, uint8_t address, const struct value *x)
{
    q->sfu.defined = x->defined;
    for (int i = 0; i < QPU_LANES; i++) {
        const float f = ((flanes)x->v)[i];
        const float results[] = {1 / f, 1 / sqrtf(f), exp2f(f), log2f(f)};
        flanes to = (flanes)q->sfu.v;
        to[i] = results[address - QPU_W_SFU_RECIP];
        q->sfu.v = (lanes)to;
    }
}

static void release_mutex(struct emulator *e, const struct qpu *q)
{
    if (e->mutex != (int8_t)q->number)
        emulator_fail(e, q, "releases a mutex that it has not");
    e->mutex = -1;
}

static void write_tmu(struct emulator *e, struct qpu *q, uint8_t address, const struct value *value)
{
    const int tmu = address >= QPU_W_TMU1_S;
    if (address == QPU_W_TMU0_S || address == QPU_W_TMU1_S)
        tmu_request(e, q, tmu, value);
    else
        emulator_fail(e, q, "textures are not emulated, only direct reads are");
}

void port_write(struct emulator *e, struct qpu *q, bool file_a, uint8_t address,
                const struct value *value)
{
    switch (address) {
    case QPU_W_TMU_NOSWAP:
        q->swap = !lane_0(e, q, value);
        break;
    case QPU_W_HOST_INT:
        e->report->interrupts += lane_0(e, q, value) != 0;
        break;
    case QPU_W_UNIFORMS_ADDRESS:
        q->uniforms = lane_0(e, q, value);
        q->uniforms_counted = false;
        break;
    case QPU_W_VPM:
        vpm_write(e, q, value);
        break;
    case QPU_W_A_VPM_LD_SETUP:
        if (file_a)
            vpm_setup_read(e, q, lane_0(e, q, value));
        else
            vpm_setup_write(e, q, lane_0(e, q, value));
        break;
    case QPU_W_A_VPM_LD_ADDR:
        if (file_a)
            vpm_load(e, q, lane_0(e, q, value));
        else
            vpm_store(e, q, lane_0(e, q, value));
        break;
    case QPU_W_MUTEX_RELEASE:
        release_mutex(e, q);
        break;
    case QPU_W_SFU_RECIP:
    case QPU_W_SFU_RSQRT:
    case QPU_W_SFU_EXP2:
    case QPU_W_SFU_LOG2:
        write_sfu(q, address, value);
        break;
    default:
        write_tmu(e, q, address, value);
    }
}
