/* qpu_v3d.h - starts programs through the GPU's registers, without the firmware. */
#ifndef FFTD_FFT_QPU_QPU_V3D_H
#define FFTD_FFT_QPU_QPU_V3D_H

#include "fft/qpu/qpu_device.h"
#include "fft/qpu/qpu_system.h"

enum qpu_v3d {
    V3D_IDENT0 = 0x000,  /* "V3D" in its low 24 bits */
    V3D_L2CACTL = 0x020, /* bit 2: clear */
    V3D_SLCACTL = 0x024, /* write ones to clear the slices' instruction, uniform and TMU caches */
    V3D_SRQPC = 0x430,   /* program address; writing it queues the program */
    V3D_SRQUA = 0x434,   /* uniforms address; write it before V3D_SRQPC */
    V3D_SRQUL = 0x438,   /* uniforms length: 0 disables them, more than 1023 sets no limit */
    V3D_SRQCS = 0x43c,   /* 23:16 completed, 15:8 requested, 7 error, 5:0 queued */
    V3D_VPMBASE = 0x504, /* VPM for user programs, in units of 256 bytes */
    V3D_PCTRC = 0x670,   /* performance counters: write ones to clear them */
    V3D_PCTRE = 0x674,   /* enable them; bit 31 enables them all (the addendum) */
    V3D_PCTR0 = 0x680,   /* count of counter 0; 8 bytes from one to the next */
    V3D_PCTRS0 = 0x684,  /* what counter 0 counts */
    V3D_DBCFG = 0xe00,   /* configuration */
    V3D_DBQITE = 0xe2c,  /* QPU interrupts: enable */
    V3D_DBQITC = 0xe30,  /* QPU interrupts: clear */
    V3D_ERRSTAT = 0xf20,
};

enum { V3D_OFFSET = 0xc00000, V3D_SIZE = 0x1000 }; /* offset from the peripherals' address; bytes */
enum { V3D_IDENT = 0x443356, V3D_IDENT_MASK = 0xffffff };

/* The registers that launches change and that the firmware's own programs need. */
struct qpu_v3d_saved {
    uint32_t dbcfg, dbqite;
};
void qpu_v3d_save(const struct qpu_system *os, volatile uint32_t *registers,
                  struct qpu_v3d_saved *out);
void qpu_v3d_restore(const struct qpu_system *os, volatile uint32_t *registers,
                     const struct qpu_v3d_saved *saved);

/* Clears the caches and queues the program on launch->qpus QPUs. */
void qpu_v3d_start(const struct qpu_system *os, volatile uint32_t *registers,
                   const struct qpu_launch *launch);

/* Starts counting; adds the counts to those of a launch, [QPU_COUNTERS], and stops counting. */
void qpu_v3d_count(const struct qpu_system *os, volatile uint32_t *registers);
void qpu_v3d_add_counts(const struct qpu_system *os, volatile uint32_t *registers,
                        uint64_t *counters);

/* Waits for the launch that was started at from_us; returns what qpu_device_ops.wait returns. */
int qpu_v3d_wait(const struct qpu_system *os, volatile uint32_t *registers,
                 const struct qpu_launch *launch, uint64_t from_us, int timeout_ms);

#endif
