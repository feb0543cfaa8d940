/* login.c - decides which clients may change the settings, and limits the guessing of the token. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/http/internal.h"

enum { LOG_INTERVAL_S = 10 };

/* Logs one line in LOG_INTERVAL_S, because guesses must not fill the journal. */
static void log_guess(struct server *s, const struct address *address, uint64_t now_ns)
{
    char from[ADDRESS_TEXT];
    s->guesses_unlogged++;
    if (now_ns < s->next_guess_log_ns)
        return;
    log_warn("wrong control token from %s; wrong tokens since the last such message: %llu",
             address_text(address, from), (unsigned long long)s->guesses_unlogged);
    s->guesses_unlogged = 0;
    s->next_guess_log_ns = now_ns + (uint64_t)LOG_INTERVAL_S * 1000000000;
}

/*
 * What counts is the socket's own address: any local client may write any X-Forwarded-For.
 * `visitor`, the address that the header names, has a part of these attempts; without the header
 * it is the same.
 */
struct token_accounts {
    struct peer *own, *visitor; /* held */
};

static struct token_accounts hold(struct server *s, struct lws *wsi, const struct address *visitor)
{
    const uint64_t now_ns = clock_now_ns();
    const struct address own = server_socket_address(wsi);
    return (struct token_accounts){peer_hold(&s->peers, &own, now_ns),
                                   peer_hold(&s->peers, visitor, now_ns)};
}

static void drop(struct server *s, const struct token_accounts *a)
{
    peer_drop(&s->peers, a->own, clock_now_ns());
    peer_drop(&s->peers, a->visitor, clock_now_ns());
}

uint32_t server_token_wait_ms(struct server *s, struct lws *wsi, const struct address *visitor)
{
    const struct token_accounts a = hold(s, wsi, visitor);
    const uint64_t now_ns = clock_now_ns();
    const uint32_t own_ms = peer_wait_ms(a.own, now_ns), ms = peer_wait_ms(a.visitor, now_ns);
    drop(s, &a);
    return own_ms > ms ? own_ms : ms;
}

void server_count_wrong_token(struct server *s, struct lws *wsi, const struct address *visitor)
{
    const struct token_accounts a = hold(s, wsi, visitor);
    peer_count_wrong_token(a.own, false, clock_now_ns());
    if (a.visitor != a.own)
        peer_count_wrong_token(a.visitor, true, clock_now_ns());
    drop(s, &a);
}

/* A token is not compared while its address must wait, not even the right one. */
static const char *check_token(struct server *s, struct lws *wsi, const struct address *visitor,
                               const char *token, struct reason *why)
{
    const uint32_t wait_ms = server_token_wait_ms(s, wsi, visitor);
    if (wait_ms == 0 && token_matches(&s->token, token))
        return NULL;
    s->counts.wrong_tokens_total++;
    log_guess(s, visitor, clock_now_ns());
    if (wait_ms == 0) {
        server_count_wrong_token(s, wsi, visitor);
        return "the control token is wrong";
    }
    s->counts.blocked_tokens_total++;
    snprintf(why->sentence, sizeof why->sentence,
             "too many wrong control tokens from this address, or through its proxy: connect again "
             "in %u s",
             (wait_ms + 999) / 1000);
    return why->sentence;
}

const char *server_login(struct client *c, const char *token, struct reason *why)
{
    struct server *s = c->server;
    const char *refused = NULL;
    if (!s->token.set)
        c->control = s->listener.local && !c->forwarded;
    else if (token) {
        refused = check_token(s, c->wsi, &c->peer->address, token, why);
        c->control = !refused;
    }
    if (refused)
        return refused;
    return token && !c->control ? "no control token is configured" : NULL;
}

const char *server_bearer(struct lws *wsi, char *into, size_t size)
{
    static const char scheme[] = "bearer ";
    header_copy(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, into, size);
    return strncasecmp(into, scheme, sizeof scheme - 1) == 0 ? into + sizeof scheme - 1 : NULL;
}

const char *server_refuse_change(struct server *s, struct lws *wsi, unsigned *status,
                                 struct reason *why)
{
    char header[1024];
    const char *token = server_bearer(wsi, header, sizeof header);
    *status = 403;
    if (!s->token.set)
        return s->listener.local && !server_is_forwarded(wsi)
                   ? NULL
                   : "changes from elsewhere need a control token; none is configured";
    *status = 401;
    if (!token)
        return "changes need the control token: Authorization: Bearer TOKEN";
    const struct address visitor = server_address_of(wsi);
    return check_token(s, wsi, &visitor, token, why);
}
