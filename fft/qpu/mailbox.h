/* mailbox.h - the firmware's property interface: one call, one tag. */
#ifndef FFTD_FFT_QPU_MAILBOX_H
#define FFTD_FFT_QPU_MAILBOX_H

#include "fft/qpu/system.h"

enum qpu_tag {
    QPU_TAG_ALLOC = 0x3000c,   /* size, alignment, flags -> handle, 0: no memory */
    QPU_TAG_LOCK = 0x3000d,    /* handle -> bus address */
    QPU_TAG_UNLOCK = 0x3000e,  /* handle -> 0 */
    QPU_TAG_FREE = 0x3000f,    /* handle -> 0 */
    QPU_TAG_EXECUTE = 0x30011, /* QPUs, control, no flush, time-out in ms -> 0; else it timed out */
    QPU_TAG_ENABLE = 0x30012,  /* 1 or 0 -> 0 */
};

enum { QPU_MAX_VALUES = 4 };

/* Sends values[count]; *answer is the first value that comes back. 0, or -errno: not understood. */
int qpu_mailbox(const struct qpu_system *os, int fd, enum qpu_tag tag, const uint32_t *values,
                int count, uint32_t *answer);

#endif
