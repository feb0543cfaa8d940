/* ledger.c - names and adds the causes of loss. */
#include "daemon/stream/ledger.h"

static const char *const names[LOSS_CAUSES] = {
    [LOSS_OVERFLOW] = "overflow", [LOSS_OVERRUN] = "overrun", [LOSS_GAP] = "gap",
    [LOSS_RETUNE] = "retune",     [LOSS_TAIL] = "tail",
};

const char *loss_name(enum loss cause)
{
    return (unsigned)cause < LOSS_CAUSES ? names[cause] : "unknown";
}

static const char *name_part(unsigned cause)
{
    return loss_name((enum loss)cause);
}

const struct figure ledger_figures[] = {
    FIGURE_COUNTER(struct ledger, produced, "produced", "fftd_samples",
                   "Samples that the source produced, including lost ones."),
    FIGURE_COUNTER(struct ledger, seen, "seen", "fftd_seen_samples",
                   "Samples used in at least one frame."),
    FIGURE_EACH(struct ledger, lost, "lost", "fftd_lost_samples",
                "Samples known to be lost, by cause.", "cause", name_part),
    FIGURE_EACH(struct ledger, events, "events", "fftd_loss_events",
                "Times that samples were lost, by cause.", "cause", name_part),
    FIGURE_COUNTER(struct ledger, clipped, "clipped", "fftd_adc_clip",
                   "Seen samples at either end of the range of the converter."),
    FIGURE_COUNTER(struct ledger, beyond, "beyond_full_scale", "fftd_beyond_full_scale_samples",
                   "Seen samples beyond full scale, of floats that are not normalised."),
    FIGURE_COUNTER(struct ledger, invalid, "invalid", "fftd_invalid_samples",
                   "Seen samples that are NaN, infinite or beyond +300 dBFS, read as 0."),
    FIGURE_COUNTER(struct ledger, frames, "frames", "fftd_frames", "FFTs folded into lines."),
    FIGURE_COUNTER(struct ledger, lines, "lines", "fftd_lines", "Lines of spectrum produced."),
    FIGURE_COUNTER(struct ledger, folded, "folded", "fftd_lines_folded",
                   "Lines folded into the next line because no block was free."),
    FIGURE_END,
};

uint64_t ledger_faults(const struct ledger *l)
{
    return l->lost[LOSS_OVERFLOW] + l->lost[LOSS_OVERRUN] + l->lost[LOSS_GAP];
}
