/* acquisition_private.h - the acquisition as its own files see it. */
#ifndef FFTD_DAEMON_RUN_ACQUISITION_PRIVATE_H
#define FFTD_DAEMON_RUN_ACQUISITION_PRIVATE_H

#include "daemon/dsp/admission.h"
#include "daemon/dsp/dsp_thread.h"
#include "daemon/run/acquisition.h"
#include "daemon/run/spectra_replay.h"
#include "daemon/source/supervisor.h"

struct acquisition {
    struct supervisor *supervisor;
    struct dsp_thread *dsp;
    struct spectra *spectra; /* in the place of both; NULL: they run */
    struct settings settings;
    struct replay_request replay;
    const struct source_ops *ops;
    uint64_t ring_bytes; /* as configured */
    bool lossless;
    struct admission admission;
    char engine_note[512]; /* engines and devices passed over at the start */
    uint64_t start_ns;
    enum acquisition_rest rest; /* after stop */
};

void acquisition_source_status(const struct acquisition *r, struct source_status *out);
void acquisition_dsp_status(const struct acquisition *r, struct dsp_status *out);

#endif
