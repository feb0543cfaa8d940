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

#define LINK_PROCESS "--link-process"

enum { LINK_PROCESS_FD = 3, LINK_SUBJECTS = 8 };

/* The arguments after the name of the program; subjects follow. "" for those that are not set. */
enum link_process_argument {
    LINK_ARG_PROCESS = 1, /* LINK_PROCESS */
    LINK_ARG_URL,
    LINK_ARG_NAME, /* of the client, for the broker */
    LINK_ARG_CREDENTIALS,
    LINK_ARG_CA,
    LINK_ARG_PING, /* "ping": a broker that answers none for 3 s ends the connection; else "" */
    LINK_ARG_SUBJECTS
};

/* For the start of main. */
bool link_process_is_asked(int argc, char **argv);
/* Returns the exit status of the process. */
int link_process_run(int argc, char **argv);

#endif
