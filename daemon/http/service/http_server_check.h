/* http_server_check.h - what a server would open, for --check-config. Any thread. */
#ifndef FFTD_DAEMON_HTTP_SERVICE_HTTP_SERVER_CHECK_H
#define FFTD_DAEMON_HTTP_SERVICE_HTTP_SERVER_CHECK_H

struct reason;
struct server_options;

/*
 * Reads the token and checks the other files, and that the address can be
 * bound or is in use. Creates no file. -errno with one line in *why.
 */
int http_server_check(const struct server_options *options, struct reason *why);

#endif
