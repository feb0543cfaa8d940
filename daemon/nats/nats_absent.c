/* nats_absent.c - links of a build without libnats: they refuse to start. */
#include <errno.h>

#include "daemon/base/reason.h"
#include "daemon/nats/link_broker.h"
#include "daemon/nats/link_process.h"

int link_check(const struct nats_options *options, struct reason *why)
{
    (void)options;
    return reason_set(why, -ENOSYS, "nats: this fftd was built without libnats (libnats-dev)");
}

bool link_process_is_asked(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return false;
}

int link_process_run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 1;
}
