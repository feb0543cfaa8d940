/* server_options.h - access rights and limits of the server. Plain values. */
#ifndef FFTD_DAEMON_ACCESS_SERVER_OPTIONS_H
#define FFTD_DAEMON_ACCESS_SERVER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/option/option.h"

struct server_options {
    /* derived; false: --listen none, or no --listen and a plain --replay or a fast simulation */
    bool enabled;
    const char *listen;                    /* see daemon/access/listen_address.h */
    const char *tls_certificate, *tls_key; /* files; NULL: none */
    const char *rtl_tcp;                   /* address of the rtl_tcp server; NULL: none */
    const char *rigctl, *rigctl_channel;   /* address of the rigctl server; NULL: none */
    const char *socket_group;              /* of a Unix socket; NULL: the process's own */
    const char *socket_mode;               /* octal; NULL: 0660 */
    const char *token;                     /* NULL: none */
    const char *token_file;                /* read at the start; takes precedence over token */
    const char *web_root;                  /* NULL: the embedded page */
    const char *state_dir;                 /* of references; NULL: that of the service, or none */
    const char *allow_origin; /* additional origins, comma separated; NULL: same origin only */
    const char *allow_host;   /* additional Host names, comma separated */
    const char *band_plan;    /* files, comma separated; NULL: none */
    uint32_t max_clients;     /* websocket clients */
    uint32_t max_views;       /* distinct views */
    uint64_t history_bytes;   /* memory of recent lines; 0: none */
    double lease_s;           /* of the control lease; 0: none */
    uint32_t ping_s;          /* silence before a ping; 0: 20 */
    uint32_t handshake_s;     /* time limit for a request to arrive; 0: 5 */
};

extern const struct config_option server_options[];

#endif
