/* qpu_state.c - starts and stops the engine: its program, the lengths it has, why it failed. */
#include "fft/qpu/qpu_state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fft/qpu/qpu_kernels.h"
#include "fft/qpu/qpu_words.h"

static const char program[] = "fft";

int qpu_engine_start(struct qpu_engine *q, struct fft_reason why)
{
    const struct qpu_kernel *kernel = qpu_kernel_find(program);
    if (!kernel) {
        fft_reason_set(why, "this build has no program for the QPUs");
        return -ENODEV;
    }
    const size_t bytes = (size_t)kernel->instructions * 8;
    int err = q->device.ops->alloc(&q->device, bytes, &q->code);
    if (err)
        fft_reason_set(why, "no memory for the QPUs' program: %s", strerror(-err));
    else
        qpu_words_put(q->code.arm, kernel->code, bytes);
    return err;
}

void qpu_engine_stop(struct qpu_engine *q)
{
    if (!q->device.ops)
        return;
    q->device.ops->free(&q->device, &q->code);
    q->device.ops->close(&q->device);
    q->device.ops = NULL;
}

bool qpu_engine_supports_length(uint32_t n)
{
    return n >= QPU_MIN_N && n <= QPU_MAX_N && !(n & (n - 1));
}

const char *qpu_engine_error_text(int err)
{
    return err == -ETIMEDOUT ? "a program of the QPUs did not end" : strerror(-err);
}
