/* qpu_mailbox.h - calls the firmware's property interface, one tag a call. */
#ifndef FFTD_FFT_QPU_QPU_MAILBOX_H
#define FFTD_FFT_QPU_QPU_MAILBOX_H

#include "fft/qpu/qpu_system.h"

enum qpu_tag {
    /* values -> answer */
    QPU_TAG_ALLOC = 0x3000c,  /* size, alignment, flags -> handle; 0: no memory */
    QPU_TAG_LOCK = 0x3000d,   /* handle -> bus address */
    QPU_TAG_UNLOCK = 0x3000e, /* handle -> 0 */
    QPU_TAG_FREE = 0x3000f,   /* handle -> 0 */
    QPU_TAG_EXECUTE =
        0x30011, /* QPUs, control block, no flush, time-out in ms -> 0; else: timed out */
    QPU_TAG_ENABLE = 0x30012, /* 1 or 0 -> 0 */
};

enum { QPU_MAX_VALUES = 4 };

/* Sends values[count]; *answer is the first value of the reply. 0 or -errno; -EPROTO: the firmware
 * rejected the message. */
int qpu_mailbox(const struct qpu_system *os, int fd, enum qpu_tag tag, const uint32_t *values,
                int count, uint32_t *answer);

#endif
