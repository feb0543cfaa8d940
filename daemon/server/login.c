/* login.c - decides which clients may change the settings, and limits the guessing of the token. */
#include <inttypes.h>
#include <stdio.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/server/internal.h"

enum { LOG_INTERVAL_S = 10 };

/* Logs one line in LOG_INTERVAL_S, because guesses must not fill the journal. */
static void log_guess(struct server *s, const struct peer *peer, uint64_t now_ns)
{
    char from[ADDRESS_TEXT];
    s->guesses_unlogged++;
    if (now_ns < s->next_guess_log_ns)
        return;
    log_warn("wrong control token from %s; wrong tokens since the last such message: %" PRIu64,
             address_text(&peer->address, from), s->guesses_unlogged);
    s->guesses_unlogged = 0;
    s->next_guess_log_ns = now_ns + (uint64_t)LOG_INTERVAL_S * 1000000000;
}

/* A token is not compared while its address must wait, not even the right one. */
static const char *check_token(struct client *c, const char *token, char *error, size_t error_size)
{
    struct server *s = c->server;
    const uint64_t now_ns = clock_now_ns();
    const uint32_t wait_ms = peer_wait_ms(c->peer, now_ns);
    c->control = wait_ms == 0 && token_matches(&s->token, token);
    if (c->control)
        return NULL;
    s->counts.wrong_tokens_total++;
    log_guess(s, c->peer, now_ns);
    if (wait_ms == 0) {
        peer_count_wrong_token(c->peer, now_ns);
        return "the control token is wrong";
    }
    s->counts.blocked_tokens_total++;
    snprintf(error, error_size,
             "too many wrong control tokens from this address: connect again in %u s",
             (wait_ms + 999) / 1000);
    return error;
}

const char *server_login(struct client *c, const char *token, char *error, size_t error_size)
{
    const struct server *s = c->server;
    if (!s->token.set)
        c->control = s->listener.local && !c->forwarded;
    else if (token)
        return check_token(c, token, error, error_size);
    return token && !c->control ? "no control token is configured" : NULL;
}
