/* sensor_control.c - answers requests, and has the changes made. */
#include "daemon/sensor/sensor_control.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/sensor/remote_request.h"
#include "daemon/sensor/sensor_call.h"

/* Requests of one call: guesses of the token are slow, and the loop has other work. */
enum { AT_ONCE = 4, LOG_INTERVAL_S = 10 };
/* As for an address of the server: a number of wrong tokens at once, then one in an interval. */
enum { GUESSES = 5, GUESS_S = 5 };

int sensor_control_init(struct sensor_control *c, const struct config *config, struct reason *why)
{
    const struct server_options *o = &config->server;
    int err = token_load_service(&c->token, o->token, o->token_file, why);
    if (err == 0 && c->token.set)
        err = inbox_create(&c->requests, INBOX_CALL_BYTES);
    if (err == 0 && c->token.set)
        err = inbox_create(&c->replies, INBOX_CALL_BYTES);
    return err;
}

static void free_first(struct inbox_message **list)
{
    struct inbox_message *first = *list;
    *list = first->next;
    free(first);
}

void sensor_control_finish(struct sensor_control *c)
{
    while (c->waiting)
        free_first(&c->waiting);
    inbox_destroy(c->requests);
    inbox_destroy(c->replies);
    c->requests = c->replies = NULL;
}

/* Seconds until a token is compared; 0: now. */
static unsigned guess_wait_s(struct sensor_control *c, uint64_t now)
{
    c->guessed = fmax(0, c->guessed - (double)(now - c->guessed_ns) * 1e-9 / GUESS_S);
    c->guessed_ns = now;
    return c->guessed <= GUESSES - 1 ? 0 : (unsigned)ceil((c->guessed - (GUESSES - 1)) * GUESS_S);
}

static void log_wrong_token(struct sensor_control *c, uint64_t now)
{
    if (now < c->log_ns)
        return;
    log_warn("nats: a request to change the radio had a wrong control token");
    c->log_ns = now + LOG_INTERVAL_S * 1000000000ULL;
}

/* A token is not compared while requesters must wait, not even the right one. */
static int check_token(struct sensor_control *c, const char *token, struct reason *why)
{
    const uint64_t now = clock_now_ns();
    const unsigned wait_s = guess_wait_s(c, now);
    if (!token)
        return reason_set(why, -ENOKEY, "requests need the control token");
    if (wait_s == 0 && token_matches(&c->token, token))
        return 0;
    log_wrong_token(c, now);
    if (wait_s > 0)
        return reason_set(why, -EACCES,
                          "too many wrong control tokens through the broker: try again in %u s",
                          wait_s);
    c->guessed += 1;
    return reason_set(why, -EKEYREJECTED, "the control token is wrong");
}

static void note_writer(struct sensor_control *c, const struct remote_request *request)
{
    snprintf(c->writer.name, sizeof c->writer.name, "%s", request->name ? request->name : "");
    c->writer.time_ns = clock_unix_ns();
    log_info("nats: the radio was changed by %s", c->writer.name[0] ? c->writer.name : "a request");
}

/* The reply. The token comes first: without it, a request learns nothing of the settings. */
static uint8_t *handle(struct sensor_control *c, const struct services *on,
                       const struct inbox_message *m, size_t *size, bool *changed)
{
    struct remote_request request;
    struct reason why = {0}, denied = {0};
    bool made = false;
    uint8_t *reply;
    const int err = remote_request_read(&request, (const char *)m->data, m->size, &why);
    const int access = check_token(c, request.token, &denied);
    if (access < 0)
        reply = sensor_call_refuse(401, denied.sentence, access == -EKEYREJECTED, size);
    else if (err < 0)
        reply = sensor_call_refuse(400, why.sentence, false, size);
    else
        reply = sensor_call_run(on, &request, c->at, size, &made);
    if (made)
        note_writer(c, &request);
    *changed = *changed || made;
    remote_request_finish(&request);
    return reply;
}

bool sensor_control_handle(struct sensor_control *c, const struct sensor_config *config)
{
    bool changed = false;
    if (!c->requests)
        return false;
    if (!c->waiting)
        c->waiting = inbox_take(c->requests);
    for (int i = 0; i < AT_ONCE && c->waiting; i++) {
        size_t size = 0;
        uint8_t *reply = handle(c, config->services(config->user), c->waiting, &size, &changed);
        if (reply)
            inbox_put(c->replies, c->waiting->subject, reply, size);
        free(reply);
        free_first(&c->waiting);
    }
    return changed;
}
