/*
 * dsp_thread.h - the dsp thread: IQ ring in, lines out.
 *
 *     ring --> frames --> batches --> engine --> fold --> line --> line ring
 *                  ^ marks cut: no frame crosses one
 *
 * A segment starts at the beginning of the ring, at a mark, or at a new plan. Frames lie on a grid
 * that starts with the segment. Samples after the last whole frame of a segment count as LOSS_TAIL.
 * The loop thread calls the functions below.
 */
#ifndef FFTD_DAEMON_DSP_DSP_THREAD_H
#define FFTD_DAEMON_DSP_DSP_THREAD_H

#include "daemon/dsp/dsp_status.h"
#include "daemon/dsp/dsp_thread_config.h"

struct dsp_thread;

int dsp_thread_start(struct dsp_thread **out, const struct dsp_thread_config *config);
void dsp_thread_status(struct dsp_thread *p, struct dsp_status *out);
/*
 * Joins the thread. True: it made no step for 10 s, is stuck in the engine, and still runs. Then
 * nothing that it uses may be freed: the process must end without dsp_thread_destroy.
 */
bool dsp_thread_stop(struct dsp_thread *p);
void dsp_thread_destroy(struct dsp_thread *p); /* NULL is fine */

#endif
