/*
 * token.h - the control token: a client that has it may change the settings. The daemon keeps a
 * hash and compares in constant time. Any thread.
 */
#ifndef FFTD_DAEMON_ACCESS_TOKEN_H
#define FFTD_DAEMON_ACCESS_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reason;

struct token {
    bool set;      /* false: no token is configured, so none matches */
    bool is_short; /* shorter than 16 bytes: it may be guessed */
    uint8_t hash[32];
};

/*
 * Loads the first line of `file`, which may be a pipe (named_file.h: it waits), or `text` if there
 * is no file; both may be NULL. -errno, or -EINVAL for an empty or overlong token, with one line in
 * *why that names the file.
 */
int token_load(struct token *t, const char *text, const char *file, struct reason *why);
/* The same of a service: without both, the credential "token" of systemd, if there is one. */
int token_load_service(struct token *t, const char *text, const char *file, struct reason *why);
bool token_matches(const struct token *t, const char *text);

#endif
