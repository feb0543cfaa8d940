/*
 * login.h - compares control tokens, and limits their guessing. Loop thread.
 *
 * What counts is the socket's own address: any local client may write any X-Forwarded-For. The
 * visitor, the address that the header names, has a part of its attempts; without the header it is
 * the same.
 */
#ifndef FFTD_DAEMON_ACCESS_LOGIN_H
#define FFTD_DAEMON_ACCESS_LOGIN_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/access/peers.h"
#include "daemon/access/token.h"

struct reason;

/* The owner sets token and peers, and may read the rest. */
struct login {
    struct token token;
    struct peers *peers;
    uint64_t wrong_total;   /* tokens that were refused, those below included */
    uint64_t blocked_total; /* not compared, because their address must wait */
    uint64_t unlogged, next_log_ns;
};

/* Milliseconds until a token may be compared; 0: now. */
uint32_t login_wait_ms(struct login *l, const struct address *own, const struct address *visitor);
/* A token from there was wrong, whoever compared it. */
void login_count_wrong(struct login *l, const struct address *own, const struct address *visitor);
/*
 * 0 if the token is right, else -EKEYREJECTED (it is wrong), or -EACCES: it is not compared, not
 * even the right one, because its address must wait.
 */
int login_check(struct login *l, const struct address *own, const struct address *visitor,
                const char *token, struct reason *why);

#endif
