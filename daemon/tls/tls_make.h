/*
 * tls_make.h - makes a self-signed certificate with an ECDSA P-256 key, for the names and addresses
 * of this machine. Blocks; no thread of a running daemon.
 */
#ifndef FFTD_DAEMON_TLS_TLS_MAKE_H
#define FFTD_DAEMON_TLS_TLS_MAKE_H

#include <limits.h>

struct reason;

enum { TLS_MADE_DAYS = 825 /* more is refused by some browsers */, TLS_FINGERPRINT = 96 };

struct tls_made {
    char certificate[PATH_MAX], key[PATH_MAX]; /* the files */
    char names[1024];                          /* "DNS:mast, IP:192.0.2.1, ..." */
    char fingerprint[TLS_FINGERPRINT];         /* SHA-256, as browsers show it */
};

/*
 * Writes fullchain.pem (0644) and privkey.pem (0640) into the folder, which it makes. A file that
 * is there already is not touched: -EEXIST. Else -errno, with one line in *why.
 */
int tls_make(const char *folder, struct tls_made *out, struct reason *why);

#endif
