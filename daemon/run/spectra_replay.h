/*
 * spectra_replay.h - the replay of a spectrum archive (--replay-spectra): a thread in the place of
 * source and dsp thread, which publishes rows of the archive as lines.
 *
 * Lines have the times of the archive. What it has not is a gap: no time passes there. A sample
 * number counts samples at the rate of the span, from the first row that is shown. The loop thread
 * calls all functions.
 */
#ifndef FFTD_DAEMON_RUN_SPECTRA_REPLAY_H
#define FFTD_DAEMON_RUN_SPECTRA_REPLAY_H

#include "daemon/calibration/active_calibration.h"
#include "daemon/config/config.h"
#include "daemon/dsp/dsp_status.h"
#include "daemon/line/line_ring.h"
#include "daemon/source/source.h"
#include "daemon/stream/epoch/exchange.h"

struct reason;
struct spectra;

/*
 * Opens the archive and starts the thread. active_calibration: gets the calibration of the rows;
 * NULL: it is ignored. -errno with one line in *why.
 */
int spectra_start(struct spectra **out, const struct config *config, struct line_ring *lines,
                  struct active_calibration *active_calibration, struct reason *why);
void spectra_stop(struct spectra *s);    /* closes the line ring */
void spectra_destroy(struct spectra *s); /* stopped, or NULL */

void spectra_replay(struct spectra *s, const struct replay_request *want);
/* Only the demand of readers may change, density and detectors; an archive has neither. -ENOTSUP.
 */
int spectra_apply(struct settings *now, const struct settings *want, struct reason *why);
/* As supervisor_status and dsp_thread_status. */
void spectra_source_status(struct spectra *s, struct source_status *out);
void spectra_dsp_status(struct spectra *s, struct dsp_status *out);

#endif
