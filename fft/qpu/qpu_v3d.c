/*
 * qpu_v3d.c - queues the programs and polls until all are done. The registers are those of the
 * "VideoCore IV 3D Architecture Reference Guide", section 11, and of GPU_FFT.
 */
#include "fft/qpu/qpu_v3d.h"

#include <errno.h>
#include <stdbool.h>

enum { SRQCS_ERROR = 1 << 7, SRQCS_RESET = 1 << 7 | 1 << 8 | 1 << 16 };
enum { UNLIMITED_UNIFORMS = 1024 };
enum { CHECKS_BEFORE_SLEEP = 200, SLEEP_US = 20 };

static void write_register(const struct qpu_system *os, volatile uint32_t *registers,
                           enum qpu_v3d which, uint32_t value)
{
    os->poke(os->self, &registers[which / 4], value);
}

static void clear_caches(const struct qpu_system *os, volatile uint32_t *registers)
{
    write_register(os, registers, V3D_L2CACTL, 1 << 2);
    write_register(os, registers, V3D_SLCACTL, UINT32_MAX);
}

void qpu_v3d_save(const struct qpu_system *os, volatile uint32_t *registers,
                  struct qpu_v3d_saved *out)
{
    out->dbcfg = os->peek(os->self, &registers[V3D_DBCFG / 4]);
    out->dbqite = os->peek(os->self, &registers[V3D_DBQITE / 4]);
}

void qpu_v3d_restore(const struct qpu_system *os, volatile uint32_t *registers,
                     const struct qpu_v3d_saved *saved)
{
    write_register(os, registers, V3D_DBCFG, saved->dbcfg);
    write_register(os, registers, V3D_DBQITC, UINT32_MAX);
    write_register(os, registers, V3D_DBQITE, saved->dbqite);
}

/* The guide's table 82. */
static const uint8_t sources[QPU_COUNTERS] = {
    [QPU_IDLE_CYCLES] = 13,        [QPU_EXECUTING_CYCLES] = 16, [QPU_STALLED_CYCLES] = 17,
    [QPU_INSTRUCTION_MISSES] = 21, [QPU_UNIFORM_MISSES] = 23,   [QPU_TMU_MISSES] = 25,
    [QPU_L2_MISSES] = 29,
};
enum { ALL_COUNTERS = (1 << QPU_COUNTERS) - 1, COUNTER_BYTES = 8 };

void qpu_v3d_count(const struct qpu_system *os, volatile uint32_t *registers)
{
    for (uint32_t i = 0; i < QPU_COUNTERS; i++)
        os->poke(os->self, &registers[(V3D_PCTRS0 + i * COUNTER_BYTES) / 4], sources[i]);
    write_register(os, registers, V3D_PCTRC, ALL_COUNTERS);
    write_register(os, registers, V3D_PCTRE, 1u << 31 | ALL_COUNTERS);
}

void qpu_v3d_add_counts(const struct qpu_system *os, volatile uint32_t *registers,
                        uint64_t *counters)
{
    write_register(os, registers, V3D_PCTRE, 0);
    for (uint32_t i = 0; i < QPU_COUNTERS; i++)
        counters[i] += os->peek(os->self, &registers[(V3D_PCTR0 + i * COUNTER_BYTES) / 4]);
}

void qpu_v3d_start(const struct qpu_system *os, volatile uint32_t *registers,
                   const struct qpu_launch *launch)
{
    write_register(os, registers, V3D_DBCFG, 0);
    write_register(os, registers, V3D_DBQITE, 0);
    write_register(os, registers, V3D_DBQITC, UINT32_MAX);
    clear_caches(os, registers);
    write_register(os, registers, V3D_SRQCS, SRQCS_RESET);
    __sync_synchronize(); /* the ARM's writes must reach memory before the programs read it */
    for (unsigned q = 0; q < launch->qpus; q++) {
        write_register(os, registers, V3D_SRQUA, launch->uniforms[q]);
        write_register(os, registers, V3D_SRQUL, UNLIMITED_UNIFORMS);
        write_register(os, registers, V3D_SRQPC, launch->code);
    }
}

static int check_status(const struct qpu_system *os, volatile uint32_t *registers,
                        const struct qpu_launch *launch, uint64_t from_us)
{
    /* Read the clock first: a launch that has ended is not late, however late it is checked. */
    const bool late = os->now_us(os->self) - from_us >= (uint64_t)launch->timeout_ms * 1000;
    const uint32_t status = os->peek(os->self, &registers[V3D_SRQCS / 4]);
    __sync_synchronize();
    if ((status >> 16 & 0xff) == launch->qpus)
        return 1;
    return status & SRQCS_ERROR ? -EIO : late ? -ETIMEDOUT : 0;
}

/* Short programs end during the first checks. For a long one the thread sleeps between checks. */
int qpu_v3d_wait(const struct qpu_system *os, volatile uint32_t *registers,
                 const struct qpu_launch *launch, uint64_t from_us, int timeout_ms)
{
    const uint64_t until_us =
        os->now_us(os->self) + (uint64_t)(timeout_ms < 0 ? 0 : timeout_ms) * 1000;
    for (unsigned checks = 0;; checks++) {
        const int ended = check_status(os, registers, launch, from_us);
        if (ended || (timeout_ms >= 0 && os->now_us(os->self) >= until_us))
            return ended;
        if (checks > CHECKS_BEFORE_SLEEP)
            os->sleep_us(os->self, SLEEP_US);
    }
}
