/* link_check.h - whether the options of a link are right. */
#ifndef FFTD_DAEMON_NATS_LINK_CHECK_H
#define FFTD_DAEMON_NATS_LINK_CHECK_H

#include "daemon/nats/nats_options.h"

struct reason;

/* Reads the files of the options. -errno with one line in *why; -ENOSYS without libnats. */
int link_check(const struct nats_options *options, struct reason *why);

#endif
