/* token.c - reads the control token from its file, hashes it, and compares tokens. */
#include "daemon/access/token.h"

#include <errno.h>
#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/files/file_read.h"
#include "daemon/files/own_file.h"
#include "daemon/system/named_file.h"
#include "daemon/system/systemd.h"

enum { TOKEN_MAX = 1024, TOKEN_SHORT = 16 };

static void set_hash(struct token *t, const char *text)
{
    const size_t length = strlen(text);
    SHA256((const unsigned char *)text, length, t->hash);
    t->set = true;
    t->is_short = length < TOKEN_SHORT;
}

/* Reads at most `capacity` - 1 bytes of the file. */
static int read_file(const char *path, char *into, size_t capacity)
{
    size_t size;
    const int err = named_file_read(path, into, capacity - 1, &size);
    into[size] = '\0';
    if (err == 0 && strlen(into) != size) /* a NUL would cut the token short without notice */
        return -EINVAL;
    return err;
}

static int load_file(struct token *t, const char *path, struct reason *why)
{
    char text[TOKEN_MAX + 3];
    const int err = read_file(path, text, sizeof text);
    if (err < 0)
        return reason_set(why, err, "token file %s: %s", path,
                          err == -EINVAL ? "holds a NUL byte" : named_file_describe(err));
    text[strcspn(text, "\r\n")] = '\0';
    const size_t length = strlen(text);
    if (length == 0 || length > TOKEN_MAX)
        reason_set(why, -EINVAL, "token file %s: %s", path,
                   length ? "the token is longer than 1024 bytes" : "the token is empty");
    else
        set_hash(t, text);
    OPENSSL_cleanse(text, sizeof text);
    return t->set ? 0 : -EINVAL;
}

/* A pipe gives its bytes once, and several parts of the daemon load the token. */
static int load_pipe(struct token *t, const char *path, struct reason *why)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct token known;
    static char known_path[PATH_MAX];
    int err = 0;
    pthread_mutex_lock(&lock);
    if (known.set && strcmp(known_path, path) == 0)
        *t = known;
    else
        err = load_file(t, path, why);
    if (t->set) {
        known = *t;
        snprintf(known_path, sizeof known_path, "%s", path);
    }
    pthread_mutex_unlock(&lock);
    return err;
}

int token_load(struct token *t, const char *text, const char *file, struct reason *why)
{
    *t = (struct token){0};
    if (file)
        return named_file_is_pipe(file) ? load_pipe(t, file, why) : load_file(t, file, why);
    if (text && !*text)
        return reason_set(why, -EINVAL, "token: the token is empty");
    if (text)
        set_hash(t, text);
    return 0;
}

int token_load_service(struct token *t, const char *text, const char *file, struct reason *why)
{
    char credential[512];
    if (!text && !file && systemd_credential("token", credential, sizeof credential))
        file = credential;
    return token_load(t, text, file, why);
}

bool token_matches(const struct token *t, const char *text)
{
    uint8_t hash[sizeof t->hash];
    SHA256((const unsigned char *)text, strlen(text), hash);
    return CRYPTO_memcmp(hash, t->hash, sizeof hash) == 0 && t->set;
}
