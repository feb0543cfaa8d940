/* link_arguments.h - the arguments of a process that holds the connection to a broker. */
#ifndef FFTD_DAEMON_NATS_LINK_ARGUMENTS_H
#define FFTD_DAEMON_NATS_LINK_ARGUMENTS_H

#define LINK_PROCESS "--link-process"

enum { LINK_PROCESS_FD = 3, LINK_SUBJECTS = 8 };

/* The arguments after the name of the program; subjects follow. "" for unset ones. */
enum link_process_argument {
    LINK_ARG_PROCESS = 1, /* LINK_PROCESS */
    LINK_ARG_URL,
    LINK_ARG_NAME, /* of the client, for the broker */
    LINK_ARG_CREDENTIALS,
    LINK_ARG_CA,
    LINK_ARG_PING, /* "ping": a broker that answers none for 3 s ends the connection; else "" */
    LINK_ARG_SUBJECTS
};

#endif
