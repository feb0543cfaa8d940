/*
 * link_process.h - the process that has the connection to a broker: this program, started by
 * link_broker.c with the arguments below.
 *
 * It is a process of its own because libnats trusts its broker: a message that claims to have
 * 2147483647 bytes makes it read outside its memory, a handshake that stops halfway blocks it for
 * ever, and it has no call that ends it. Here all of that costs a process that is started again,
 * and whose end is the end of all threads. It holds one connection, and ends after it.
 */
#ifndef FFTD_DAEMON_NATS_LINK_PROCESS_H
#define FFTD_DAEMON_NATS_LINK_PROCESS_H

#include <stdbool.h>

#include "daemon/nats/link_arguments.h"

/* For the start of main. */
bool link_process_is_asked(int argc, char **argv);
/* Returns the exit status of the process. */
int link_process_run(int argc, char **argv);

#endif
