/*
 * systemd.h - notifies systemd and reads its variables, without libsystemd.
 *
 * sd_notify(3) is one datagram; the rest are environment variables, read on each call. If systemd
 * did not start the daemon, these functions do nothing. Any thread.
 */
#ifndef FFTD_DAEMON_SYSTEM_SYSTEMD_H
#define FFTD_DAEMON_SYSTEM_SYSTEMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sends one state, printf-style: "READY=1", "WATCHDOG=1", "STOPPING=1", "STATUS=%s"; several are
 * separated by "\n". 1: sent, 0: no socket to notify, -errno.
 */
int systemd_notify(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The watchdog interval in microseconds: send WATCHDOG=1 twice as often. 0: no watchdog. */
uint64_t systemd_watchdog_us(void);

/* Listening sockets passed by systemd (fftd.socket): descriptors 3, 4, ... Usually 0. */
unsigned systemd_sockets(void);

/* Path of a credential (LoadCredential=NAME:...). False: no such credential; path is "". */
bool systemd_credential(const char *name, char *path, size_t size);

#endif
