/*
 * token.h - the control token: whoever knows it may change the radio. Kept as a hash, compared in
 * constant time. Any thread.
 */
#ifndef FFTD_DAEMON_SERVER_TOKEN_H
#define FFTD_DAEMON_SERVER_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct token {
    bool set; /* false: none is configured, and nothing matches */
    uint8_t hash[32];
};

/*
 * `file` beats `text`; both may be NULL. A newline at the end of the file is no part of the token.
 * -errno, or -EINVAL for an empty or over-long token, with one line in error naming the file.
 */
int token_load(struct token *t, const char *text, const char *file, char *error, size_t error_size);
bool token_matches(const struct token *t, const char *text);

#endif
