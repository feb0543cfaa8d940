/* tls_context.c - loads a certificate and its key into a context of OpenSSL. */
#include "daemon/tls/tls_context.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"

/* Mozilla, "Security/Server Side TLS", intermediate, for TLS 1.2; those of 1.3 are all good. */
static const char ciphers[] = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
                              "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
                              "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
static const char groups[] = "X25519:P-256:P-384";

enum { RSA_LONG_BITS = 3072, SOON_S = 14 * 86400 };

/* ---- settings ----------------------------------------------------------------------------- */

static int select_protocol(SSL *ssl, const unsigned char **out, unsigned char *size,
                           const unsigned char *offered, unsigned length, void *user)
{
    static const unsigned char ours[] = "\x08http/1.1";
    (void)ssl, (void)user;
    return SSL_select_next_proto((unsigned char **)out, size, ours, sizeof ours - 1, offered,
                                 length) == OPENSSL_NPN_NEGOTIATED
               ? SSL_TLSEXT_ERR_OK
               : SSL_TLSEXT_ERR_NOACK;
}

/* OpenSSL would ask on the terminal. */
static int no_passphrase(char *into, int size, int writes, void *user)
{
    (void)into, (void)size, (void)writes, (void)user;
    return 0;
}

static SSL_CTX *make_context(void)
{
    SSL_CTX *ssl = SSL_CTX_new(TLS_server_method());
    if (!ssl)
        return NULL;
    /* Clients that end without TLS's own goodbye have ended all the same. */
    SSL_CTX_set_options(ssl, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                 SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                              SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_default_passwd_cb(ssl, no_passphrase);
    SSL_CTX_set_alpn_select_cb(ssl, select_protocol, NULL);
    if (SSL_CTX_set_min_proto_version(ssl, TLS1_2_VERSION) == 1 &&
        SSL_CTX_set_cipher_list(ssl, ciphers) == 1 && SSL_CTX_set1_groups_list(ssl, groups) == 1)
        return ssl;
    SSL_CTX_free(ssl);
    return NULL;
}

/* ---- files -------------------------------------------------------------------------------- */

static int refuse(struct reason *why, const char *option, const char *file, const char *what)
{
    const unsigned long code = ERR_peek_last_error();
    const char *cause = code ? ERR_reason_error_string(code) : NULL;
    reason_key(why, -EINVAL, option, "%s: %s: %s%s%s%s", option, file, what, cause ? " (" : "",
               cause ? cause : "", cause ? ")" : "");
    ERR_clear_error();
    return -EINVAL;
}

static int check_file(struct reason *why, const char *option, const char *file)
{
    if (access(file, R_OK) == 0)
        return 0;
    const int err = -errno;
    return reason_key(why, err, option, "%s: %s: %s%s", option, file, strerror(-err),
                      err == -EACCES ? " (fftd must be in the group of the file)" : "");
}

static int read_pair(SSL_CTX *ssl, const char *certificate, const char *key, struct reason *why)
{
    static const char of_certificate[] = "tls-certificate", of_key[] = "tls-key";
    int err = check_file(why, of_certificate, certificate);
    if (err == 0)
        err = check_file(why, of_key, key);
    if (err < 0)
        return err;
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(ssl, certificate) != 1)
        return refuse(why, of_certificate, certificate, "is no certificate in PEM");
    if (SSL_CTX_use_PrivateKey_file(ssl, key, SSL_FILETYPE_PEM) != 1) {
        const bool other = ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH ||
                           ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_TYPE_MISMATCH;
        return refuse(why, of_key, key,
                      other ? "is not the key of tls-certificate"
                            : "is no key in PEM without a passphrase");
    }
    return SSL_CTX_check_private_key(ssl) == 1
               ? 0
               : refuse(why, of_key, key, "is not the key of tls-certificate");
}

static int64_t seconds_of(const ASN1_TIME *time)
{
    struct tm date = {0};
    return ASN1_TIME_to_tm(time, &date) == 1 ? (int64_t)timegm(&date) : 0;
}

static void warn_of(const struct tls_context *c, const char *certificate, int64_t now_s)
{
    char end[UNIX_TIME_TEXT], start[UNIX_TIME_TEXT];
    const int64_t from_s = seconds_of(X509_get0_notBefore(SSL_CTX_get0_certificate(c->ssl)));
    unix_time_text(c->not_after_s * 1000000000, "%Y-%m-%d %H:%M", end);
    unix_time_text(from_s * 1000000000, "%Y-%m-%d %H:%M", start);
    if (now_s < from_s)
        log_warn("tls-certificate: %s: not valid before %s UTC: check the clock", certificate,
                 start);
    if (now_s > c->not_after_s)
        log_warn("tls-certificate: %s: expired at %s UTC: browsers refuse it", certificate, end);
    else if (now_s > c->not_after_s - SOON_S)
        log_warn("tls-certificate: %s: expires at %s UTC: renew it", certificate, end);
    if (c->rsa_bits > RSA_LONG_BITS)
        log_warn("tls-key: an RSA key of %u bits takes ten times as long for each connection as "
                 "one of 2048 bits: use ECDSA",
                 c->rsa_bits);
}

int tls_context_load(struct tls_context **out, const char *certificate, const char *key,
                     struct reason *why)
{
    struct tls_context *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return reason_set(why, -ENOMEM, "no memory for TLS");
    c->ssl = make_context();
    int err = c->ssl ? read_pair(c->ssl, certificate, key, why)
                     : reason_set(why, -ENOTSUP, "OpenSSL does not start");
    if (err < 0) {
        tls_context_destroy(c);
        return err;
    }
    const X509 *x = SSL_CTX_get0_certificate(c->ssl);
    const EVP_PKEY *k = SSL_CTX_get0_privatekey(c->ssl);
    c->not_after_s = seconds_of(X509_get0_notAfter(x));
    c->rsa_bits = EVP_PKEY_base_id(k) == EVP_PKEY_RSA ? (unsigned)EVP_PKEY_bits(k) : 0;
    warn_of(c, certificate, (int64_t)time(NULL));
    *out = c;
    return 0;
}

void tls_context_destroy(struct tls_context *c)
{
    if (!c)
        return;
    SSL_CTX_free(c->ssl);
    free(c);
}
