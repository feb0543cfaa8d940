/* density.c - decides whether density is counted, and passes it on. */
#include "daemon/server/density.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/si.h"
#include "daemon/server/accept.h"
#include "daemon/server/internal.h"
#include "daemon/wire/density_frame.h"

static const uint64_t frame_ns = 100000000, forget_ns = 60000000000, linger_ns = 5000000000;

/* ---- wanting ---------------------------------------------------------------------------- */

static bool is_wanted(const struct density_service *d)
{
    for (int i = 0; i < DENSITY_PERSISTENCES; i++) {
        if (d->asked[i].asked_ns > 0)
            return true;
    }
    return d->subscribers > 0;
}

/* Requests a plan with density, or one without. */
static void update_want(struct server *s)
{
    struct status now;
    char error[256] = "";
    const bool wanted = is_wanted(&s->density);
    const uint64_t now_ns = clock_now_ns();
    if (wanted)
        s->density.wanted_ns = now_ns;
    server_update_status(s, &now);
    if (wanted == now.settings.density_wanted ||
        (!wanted && now_ns - s->density.wanted_ns < linger_ns))
        return;
    now.settings.density_wanted = wanted;
    const int err = s->hooks.apply(s->hooks.user, &now.settings, error, sizeof error);
    if (err < 0 && !s->density.refused)
        log_warn("density: %s", error[0] ? error : strerror(-err));
    s->density.refused = err < 0;
}

static void forget(struct asked_density *asked)
{
    density_finish(&asked->density);
    *asked = (struct asked_density){0};
}

void density_on_tick(struct server *s)
{
    const uint64_t now = clock_now_ns();
    for (int i = 0; i < DENSITY_PERSISTENCES; i++) {
        struct asked_density *asked = &s->density.asked[i];
        if (asked->asked_ns > 0 && now - asked->asked_ns > forget_ns)
            forget(asked);
    }
    update_want(s);
}

const struct density *density_ask(struct server *s, double persistence_s)
{
    struct asked_density *found = NULL;
    for (int i = DENSITY_PERSISTENCES; i-- > 0;) {
        struct asked_density *asked = &s->density.asked[i];
        if (asked->asked_ns == 0)
            found = asked;
        else if (!(asked->density.persistence_s < persistence_s ||
                   asked->density.persistence_s > persistence_s)) {
            found = asked;
            break;
        }
    }
    if (!found)
        return NULL;
    found->density.persistence_s = persistence_s;
    found->asked_ns = clock_now_ns();
    update_want(s);
    return &found->density;
}

/* ---- websockets ------------------------------------------------------------------------- */

void density_subscribe(struct client *c, bool want)
{
    struct density_service *d = &c->server->density;
    if (want == c->wants_density)
        return;
    c->wants_density = want;
    d->subscribers += want ? 1 : UINT32_MAX; /* - 1 */
    frame_drop(c->density);
    c->density = NULL;
    if (d->subscribers == 0)
        density_finish(&d->unsent);
    if (!c->server->stopping)
        update_want(c->server);
}

static void send_unsent(struct server *s)
{
    struct density_service *d = &s->density;
    struct frame *frame = density_frame_create(&d->unsent, d->frames_before);
    d->frames_before += (uint64_t)d->unsent.frames;
    density_clear(&d->unsent);
    for (struct client *c = s->clients; frame && c; c = c->next) {
        if (!c->wants_density)
            continue;
        frame_drop(c->density);
        c->density = frame_hold(frame);
    }
    frame_drop(frame);
}

/* A line that does not fit the unsent ones, because the radio was tuned, ends their frame. */
static bool fits(const struct density *unsent, const struct line *line)
{
    return unsent->lines == 0 || (unsent->epoch == line->epoch && unsent->n == line->n &&
                                  tuning_equal(&unsent->tuning, &line->tuning));
}

static void add_unsent(struct server *s, const struct line *line)
{
    struct density_service *d = &s->density;
    const uint64_t now = clock_now_ns();
    if (!fits(&d->unsent, line))
        send_unsent(s);
    d->unsent.persistence_s = INFINITY;
    if (density_add(&d->unsent, line) < 0 || d->unsent.lines == 0 || now < d->next_frame_ns)
        return;
    d->next_frame_ns = now + frame_ns;
    send_unsent(s);
}

void density_on_line(struct server *s, const struct line *line)
{
    struct density_service *d = &s->density;
    if (!line->hits)
        return;
    if (d->subscribers > 0)
        add_unsent(s, line);
    for (int i = 0; i < DENSITY_PERSISTENCES; i++) {
        if (d->asked[i].asked_ns > 0 && density_add(&d->asked[i].density, line) < 0)
            forget(&d->asked[i]);
    }
}

void density_finish_service(struct server *s)
{
    density_finish(&s->density.unsent);
    for (int i = 0; i < DENSITY_PERSISTENCES; i++)
        forget(&s->density.asked[i]);
}

/* ---- HTTP ------------------------------------------------------------------------------- */

static int parse_persistence(const char *text, double *out)
{
    *out = strcmp(text, "infinite") == 0 ? INFINITY : 0;
    if (*out > 0 || strcmp(text, "none") == 0)
        return 0;
    if (si_parse_unit(text, SI_SECONDS, out) < 0 || !(*out > 0 && *out <= 86400))
        return -EINVAL;
    return 0;
}

void answer_density(struct server *s, const struct request *r, struct answer *a)
{
    const char *format = query_value(&r->query, "format");
    const char *persistence = query_value(&r->query, "persistence");
    struct spectrum_query query = {
        .density = true,
        .png = format ? strcmp(format, "png") == 0
                      : accept_prefers(r->accept, "image/png", "application/json")};
    query.gzip = r->gzip && !query.png;
    if (format && !query.png && strcmp(format, "json") != 0)
        answer_text(a, 400, "format: \"%s\" is not json or png\n", format);
    else if (parse_persistence(persistence ? persistence : "none", &query.persistence_s) < 0)
        answer_text(a, 400, "persistence: \"%s\" is not none, infinite, or a time up to 86400 s\n",
                    persistence);
    else {
        const struct density *d = density_ask(s, query.persistence_s);
        if (!d)
            answer_text(a, 503, "%d other persistences are being read\n", DENSITY_PERSISTENCES);
        else if (d->lines == 0)
            answer_text(a, 503, "density is counted from now on: ask again\n");
        else if (!(a->spectrum = spectrum_request(s, &query)))
            answer_text(a, 500, "no memory\n");
    }
}
