/* nats_options.h - where a sensor publishes, and how much; where a hub reads. Plain values. */
#ifndef FFTD_DAEMON_NATS_NATS_OPTIONS_H
#define FFTD_DAEMON_NATS_NATS_OPTIONS_H

#include <stdint.h>

#include "daemon/option/option.h"

struct nats_options {
    const char *url;                   /* of the broker; NULL: nothing is published */
    const char *hub;                   /* the same, of a hub; NULL: this is none */
    const char *prefix, *site, *radio; /* the first words of every subject; site NULL: host name */
    const char *credentials;           /* a file; NULL: none */
    const char *ca;                    /* certificates of authorities; NULL: the system's */
    uint32_t columns;                  /* of a line */
    double rate_hz;                    /* lines/s at most */
    double step_db;                    /* least distance of two levels */
    uint64_t archive_rate;             /* bytes/s of the archive for hubs; 0: they get none */
};

extern const struct config_option nats_options[];

#endif
