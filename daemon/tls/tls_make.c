/* tls_make.c - a key, a certificate, and their two files. */
#include "daemon/tls/tls_make.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/reason.h"

/* ---- names ---------------------------------------------------------------------------------- */

static void add_name(struct tls_made *m, const char *kind, const char *name, const char *suffix)
{
    const size_t used = strlen(m->names), size = sizeof m->names;
    char one[300];
    const int length = snprintf(one, sizeof one, "%s:%s%s", kind, name, suffix);
    if (length > 0 && (size_t)length < sizeof one && used + (size_t)length + 2 < size &&
        !strstr(m->names, one))
        snprintf(m->names + used, size - used, "%s%s", used ? "," : "", one);
}

static void add_address(struct tls_made *m, const struct sockaddr *a)
{
    char text[INET6_ADDRSTRLEN];
    if (a->sa_family == AF_INET &&
        inet_ntop(AF_INET, &((const struct sockaddr_in *)a)->sin_addr, text, sizeof text))
        add_name(m, "IP", text, "");
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)a;
    if (a->sa_family == AF_INET6 && !IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr) &&
        inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text))
        add_name(m, "IP", text, "");
}

/* Of the machine, in the network and in it alone. */
static void find_names(struct tls_made *m)
{
    char host[256] = "";
    struct ifaddrs *all = NULL;
    if (gethostname(host, sizeof host - 1) == 0 && host[0]) {
        add_name(m, "DNS", host, "");
        host[strcspn(host, ".")] = '\0';
        add_name(m, "DNS", host, ".local");
    }
    add_name(m, "DNS", "localhost", "");
    add_name(m, "IP", "127.0.0.1", "");
    add_name(m, "IP", "::1", "");
    if (getifaddrs(&all) < 0)
        return;
    for (const struct ifaddrs *i = all; i; i = i->ifa_next)
        if (i->ifa_addr && (i->ifa_flags & IFF_UP))
            add_address(m, i->ifa_addr);
    freeifaddrs(all);
}

/* ---- the certificate ------------------------------------------------------------------------ */

static bool add_extension(X509 *x, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, x, x, NULL, NULL, 0);
    X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    const bool added = e && X509_add_ext(x, e, -1) == 1;
    X509_EXTENSION_free(e);
    return added;
}

/* A number that no other certificate of this issuer has: browsers refuse two with the same. */
static bool set_number(X509 *x)
{
    unsigned char bytes[16];
    if (RAND_bytes(bytes, sizeof bytes) != 1)
        return false;
    bytes[0] &= 0x7f; /* positive */
    BIGNUM *number = BN_bin2bn(bytes, sizeof bytes, NULL);
    const bool set = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x));
    BN_free(number);
    return set;
}

static bool fill(X509 *x, EVP_PKEY *key, const struct tls_made *m)
{
    X509_NAME *name = X509_get_subject_name(x);
    return X509_set_version(x, X509_VERSION_3) == 1 && set_number(x) &&
           X509_gmtime_adj(X509_getm_notBefore(x), -86400) && /* for clocks that are behind */
           X509_gmtime_adj(X509_getm_notAfter(x), (long)(TLS_MADE_DAYS - 1) * 86400) &&
           X509_set_pubkey(x, key) == 1 &&
           X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"fftd", -1,
                                      -1, 0) == 1 &&
           X509_set_issuer_name(x, name) == 1 && add_extension(x, NID_subject_alt_name, m->names) &&
           add_extension(x, NID_basic_constraints, "critical,CA:FALSE") &&
           add_extension(x, NID_key_usage, "critical,digitalSignature") &&
           add_extension(x, NID_ext_key_usage, "serverAuth") && X509_sign(x, key, EVP_sha256()) > 0;
}

static bool find_fingerprint(const X509 *x, struct tls_made *m)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (X509_digest(x, EVP_sha256(), digest, &size) != 1 || 3 * size > sizeof m->fingerprint)
        return false;
    for (unsigned i = 0; i < size; i++)
        snprintf(m->fingerprint + 3 * i, 4, "%02X%s", digest[i], i + 1 < size ? ":" : "");
    return true;
}

/* ---- files ---------------------------------------------------------------------------------- */

static FILE *create(const char *path, mode_t mode)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

/* 0 or -errno. */
static int finish(FILE *file, bool written)
{
    const bool whole = written && fflush(file) == 0 && fsync(fileno(file)) == 0;
    const int err = whole ? 0 : errno ? -errno : -EIO;
    fclose(file);
    return err;
}

static int write_files(const struct tls_made *m, X509 *x, EVP_PKEY *key, struct reason *why)
{
    FILE *file = create(m->key, 0640);
    if (!file)
        return reason_set(why, -errno, "%s: %s", m->key, strerror(errno));
    int err = finish(file, PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL) == 1);
    if (err < 0)
        return reason_set(why, err, "%s: %s", m->key, strerror(-err));
    file = create(m->certificate, 0644);
    if (!file)
        err = -errno;
    else
        err = finish(file, PEM_write_X509(file, x) == 1);
    if (err < 0)
        unlink(m->key); /* of no use without it */
    return err < 0 ? reason_set(why, err, "%s: %s", m->certificate, strerror(-err)) : 0;
}

static int name_files(const char *folder, struct tls_made *m, struct reason *why)
{
    const int a = snprintf(m->certificate, sizeof m->certificate, "%s/fullchain.pem", folder);
    const int b = snprintf(m->key, sizeof m->key, "%s/privkey.pem", folder);
    if ((size_t)a >= sizeof m->certificate || (size_t)b >= sizeof m->key)
        return reason_set(why, -ENAMETOOLONG, "%s: the name is too long", folder);
    if (mkdir(folder, 0755) < 0 && errno != EEXIST) {
        const int err = -errno;
        return reason_set(why, err, "%s: %s", folder, strerror(-err));
    }
    const char *there = access(m->certificate, F_OK) == 0 ? m->certificate
                        : access(m->key, F_OK) == 0       ? m->key
                                                          : NULL;
    return there ? reason_set(why, -EEXIST,
                              "%s: already exists: choose another directory, or remove it", there)
                 : 0;
}

int tls_make(const char *folder, struct tls_made *out, struct reason *why)
{
    *out = (struct tls_made){0};
    int err = name_files(folder, out, why);
    if (err < 0)
        return err;
    find_names(out);
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *x = X509_new();
    if (!key || !x || !fill(x, key, out) || !find_fingerprint(x, out))
        err = reason_set(why, -EIO, "OpenSSL cannot make a certificate for %s", out->names);
    else
        err = write_files(out, x, key, why);
    X509_free(x);
    EVP_PKEY_free(key);
    return err;
}
