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

uint64_t ledger_faults(const struct ledger *l)
{
    return l->lost[LOSS_OVERFLOW] + l->lost[LOSS_OVERRUN] + l->lost[LOSS_GAP];
}
