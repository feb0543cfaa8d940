/* v3d.c - queue the programs, then look until all are done: in GPU_FFT's order. */
#include "fft/qpu/v3d.h"

#include <errno.h>
#include <stdbool.h>

enum { SRQCS_ERROR = 1 << 7, SRQCS_RESET = 1 << 7 | 1 << 8 | 1 << 16 };
enum { LOOKS_BEFORE_SLEEP = 200, SLEEP_US = 20 };

static void set(const struct qpu_system *os, volatile uint32_t *registers, enum qpu_v3d which,
                uint32_t value)
{
    os->poke(os->self, &registers[which / 4], value);
}

void qpu_v3d_clear_caches(const struct qpu_system *os, volatile uint32_t *registers)
{
    set(os, registers, V3D_L2CACTL, 1 << 2);
    set(os, registers, V3D_SLCACTL, UINT32_MAX);
}

void qpu_v3d_start(const struct qpu_system *os, volatile uint32_t *registers,
                   const struct qpu_launch *launch)
{
    set(os, registers, V3D_DBCFG, 0);
    set(os, registers, V3D_DBQITE, 0);
    set(os, registers, V3D_DBQITC, UINT32_MAX);
    qpu_v3d_clear_caches(os, registers);
    set(os, registers, V3D_SRQCS, SRQCS_RESET);
    __sync_synchronize(); /* what the ARM wrote to memory is there before the programs read it */
    for (unsigned q = 0; q < launch->qpus; q++) {
        set(os, registers, V3D_SRQUA, launch->uniforms[q]);
        set(os, registers, V3D_SRQPC, launch->code);
    }
}

static int look(const struct qpu_system *os, volatile uint32_t *registers,
                const struct qpu_launch *launch, uint64_t from_us)
{
    /* The clock first: a launch that ended is no late one, however long nobody looked. */
    const bool late = os->now_us(os->self) - from_us >= (uint64_t)launch->timeout_ms * 1000;
    const uint32_t status = os->peek(os->self, &registers[V3D_SRQCS / 4]);
    __sync_synchronize();
    if ((status >> 16 & 0xff) == launch->qpus)
        return 1;
    return status & SRQCS_ERROR ? -EIO : late ? -ETIMEDOUT : 0;
}

/* Short programs end while we look; a long one leaves the ARM to others between looks. */
int qpu_v3d_wait(const struct qpu_system *os, volatile uint32_t *registers,
                 const struct qpu_launch *launch, uint64_t from_us, int timeout_ms)
{
    const uint64_t until_us =
        os->now_us(os->self) + (uint64_t)(timeout_ms < 0 ? 0 : timeout_ms) * 1000;
    for (unsigned looks = 0;; looks++) {
        const int ended = look(os, registers, launch, from_us);
        if (ended || (timeout_ms >= 0 && os->now_us(os->self) >= until_us))
            return ended;
        if (looks > LOOKS_BEFORE_SLEEP)
            os->sleep_us(os->self, SLEEP_US);
    }
}
