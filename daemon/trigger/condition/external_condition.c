/* external_condition.c - the condition "external": a command fires the trigger, never the spectrum.
 */
#include "daemon/trigger/condition/condition.h"

const struct condition_ops condition_external = {
    .name = "external",
    .about = "Fires on a command: POST to its path, or the signal SIGUSR1",
    .state_bytes = 1,
};
