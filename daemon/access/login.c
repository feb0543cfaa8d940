/* login.c - compares control tokens, and limits the guessing of them. */
#include "daemon/access/login.h"

#include <errno.h>
#include <stdio.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"

enum { LOG_INTERVAL_S = 10 };

/* Logs one line in LOG_INTERVAL_S, because guesses must not fill the journal. */
static void log_guess(struct login *l, const struct address *address, uint64_t now_ns)
{
    char from[ADDRESS_TEXT];
    l->unlogged++;
    if (now_ns < l->next_log_ns)
        return;
    log_warn("wrong control token from %s; wrong tokens since the last such message: %llu",
             address_text(address, from), (unsigned long long)l->unlogged);
    l->unlogged = 0;
    l->next_log_ns = now_ns + (uint64_t)LOG_INTERVAL_S * 1000000000;
}

struct accounts {
    struct peer *own, *visitor; /* a reference */
};

static struct accounts hold(struct login *l, const struct address *own,
                            const struct address *visitor)
{
    const uint64_t now_ns = clock_now_ns();
    return (struct accounts){peer_ref(l->peers, own, now_ns), peer_ref(l->peers, visitor, now_ns)};
}

static void drop(struct login *l, const struct accounts *a)
{
    peer_unref(l->peers, a->own, clock_now_ns());
    peer_unref(l->peers, a->visitor, clock_now_ns());
}

uint32_t login_wait_ms(struct login *l, const struct address *own, const struct address *visitor)
{
    const struct accounts a = hold(l, own, visitor);
    const uint64_t now_ns = clock_now_ns();
    const uint32_t own_ms = peer_wait_ms(a.own, now_ns), ms = peer_wait_ms(a.visitor, now_ns);
    drop(l, &a);
    return own_ms > ms ? own_ms : ms;
}

void login_count_wrong(struct login *l, const struct address *own, const struct address *visitor)
{
    const struct accounts a = hold(l, own, visitor);
    peer_count_wrong_token(a.own, false, clock_now_ns());
    if (a.visitor != a.own)
        peer_count_wrong_token(a.visitor, true, clock_now_ns());
    drop(l, &a);
}

int login_check(struct login *l, const struct address *own, const struct address *visitor,
                const char *token, struct reason *why)
{
    const uint32_t wait_ms = login_wait_ms(l, own, visitor);
    if (wait_ms == 0 && token_matches(&l->token, token))
        return 0;
    l->wrong_total++;
    log_guess(l, visitor, clock_now_ns());
    if (wait_ms == 0) {
        login_count_wrong(l, own, visitor);
        return reason_set(why, -EKEYREJECTED, "the control token is wrong");
    }
    l->blocked_total++;
    return reason_set(why, -EACCES,
                      "too many wrong control tokens from this address, or through its proxy: "
                      "connect again in %u s",
                      (wait_ms + 999) / 1000);
}
