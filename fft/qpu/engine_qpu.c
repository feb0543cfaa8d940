/*
 * engine_qpu.c - the qpu engine's hooks: the QPUs compute spectra and FFTs, the ARM unpacks and
 * folds.
 *
 * The caller's thread does the ARM's work in submit and poll while the QPUs run the previous launch
 * (qpu_queue.h). The thread sleeps when it has nothing to do.
 */
#include "fft/qpu/engine_qpu.h"

#include <errno.h>
#include <stdio.h>

#include "fft/qpu/qpu_pass.h"
#include "fft/qpu/qpu_queue.h"
#include "fft/qpu/qpu_state.h"
#include "fft/qpu/qpu_system.h"

static int qpu_open(struct fft_engine *e, struct fft_reason why)
{
    struct qpu_engine *q = e->priv;
    int err = qpu_hardware_open(&qpu_system_linux, e->device, &q->device, why);
    if (err) {
        q->device.ops = NULL;
        return err;
    }
    snprintf(e->about, sizeof e->about, "qpu: %s", q->device.about);
    return qpu_engine_start(q, why);
}

static int qpu_can(const struct fft_engine *e, const struct fft_spectrum_config *plan,
                   struct fft_reason why)
{
    (void)e;
    if (qpu_engine_supports_length(plan->n))
        return 0;
    fft_reason_set(why, "the QPUs transform powers of two from %d to %d", QPU_MIN_N, QPU_MAX_N);
    return -ENOTSUP;
}

static int qpu_spectrum_init(struct fft_spectrum *s)
{
    struct qpu_engine *e = s->engine->priv;
    return qpu_queue_init(s->priv, &e->device, e->code.bus, &s->config);
}

static void qpu_spectrum_finish(struct fft_spectrum *s)
{
    qpu_queue_finish(s->priv);
}

static int qpu_submit(struct fft_spectrum *s, struct batch *b)
{
    qpu_queue_submit(s->priv, b);
    return 0;
}

static int qpu_poll(struct fft_spectrum *s, struct batch *b, int timeout_ms)
{
    const int result = qpu_queue_poll(s->priv, b, timeout_ms);
    if (result < 0)
        fft_reason_set(fft_spectrum_reason(s), "%s", qpu_engine_error_text(result));
    return result;
}

static void qpu_close(struct fft_engine *e)
{
    qpu_engine_stop(e->priv);
}

const struct engine_ops qpu_engine_ops = {
    .name = "qpu",
    .about = "the GPU of a Raspberry Pi Zero to 3",
    .corrects = true,
    .priv_size = sizeof(struct qpu_engine),
    .spectrum_size = sizeof(struct qpu_queue),
    .by_name_only = true,
    .prefers_rotate = true,
    .pass_size = sizeof(struct qpu_launcher),
    .open = qpu_open,
    .can = qpu_can,
    .spectrum_init = qpu_spectrum_init,
    .spectrum_finish = qpu_spectrum_finish,
    .submit = qpu_submit,
    .poll = qpu_poll,
    .close = qpu_close,
    .pass_init = qpu_pass_init,
    .pass_finish = qpu_pass_finish,
    .pass_run = qpu_pass_run,
};
