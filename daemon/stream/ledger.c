/* ledger.c - names the causes of loss. */
#include "daemon/stream/ledger.h"

static const char *const names[LOSS_CAUSES] = {
    [LOSS_OVERFLOW] = "overflow", [LOSS_OVERRUN] = "overrun", [LOSS_GAP] = "gap",
    [LOSS_RETUNE] = "retune",     [LOSS_TAIL] = "tail",
};

const char *loss_name(enum loss cause)
{
    return (unsigned)cause < LOSS_CAUSES ? names[cause] : "unknown";
}
