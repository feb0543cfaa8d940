/*
 * tls_context.h - a certificate and its key, checked, as connections use them.
 *
 * TLS 1.2 and 1.3 with Mozilla's "intermediate" ciphers, X25519, P-256 and P-384, in the client's
 * order; no renegotiation and no compression; of application protocols http/1.1 alone. A pair is
 * loaded whole or not at all, so that a half-written renewal is never served.
 *
 * Immutable once it is loaded. Connections keep what they need of it, so it may be destroyed while
 * they go on. Loop thread.
 */
#ifndef FFTD_DAEMON_TLS_TLS_CONTEXT_H
#define FFTD_DAEMON_TLS_TLS_CONTEXT_H

#include <stdint.h>

struct reason;
struct ssl_ctx_st;

struct tls_context {
    struct ssl_ctx_st *ssl; /* of OpenSSL */
    int64_t not_after_s;    /* Unix time at which the certificate ends */
    unsigned rsa_bits;      /* 0: not an RSA key */
};

/*
 * Reads PEM files: the certificate chain, and the private key. A key that needs a passphrase is
 * refused. Logs a warning of a certificate that is not valid now or expires soon, and of a key that
 * slows connections down. -EINVAL (-ENOENT, -EACCES, -ENOMEM), with one line in *why that names the
 * option and the file.
 */
int tls_context_load(struct tls_context **out, const char *certificate, const char *key,
                     struct reason *why);
void tls_context_destroy(struct tls_context *c); /* NULL is fine */

#endif
