/* density_service.c - decides whether density is counted, and passes it on. */
#include "daemon/http/stream/density_service.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/si.h"
#include "daemon/http/accept.h"
#include "daemon/http/internal.h"
#include "daemon/measure/measurer.h"
#include "daemon/stream/settings.h"
#include "daemon/stream/tuning.h"
#include "daemon/wire/density_frame.h"

static const uint64_t frame_ns = 1000000000 / DENSITY_FRAMES_PER_S, forget_ns = 60000000000;

/* ---- wanting ---------------------------------------------------------------------------- */

static bool has_percentiles(const struct client *c)
{
    for (unsigned slot = 0; slot < FEED_SLOTS; slot++) {
        const struct view_trace *t = c->feed.slot[slot].trace;
        if (t && t->percent > 0)
            return true;
    }
    return false;
}

bool density_is_wanted(const struct server *s)
{
    const struct density_service *d = &s->density;
    const struct client *c = s->clients;
    while (c && !has_percentiles(c))
        c = c->next;
    if (c || measurer_wants_density(s->hooks.measurer) ||
        measurer_wants_density(s->hooks.own_measurer) ||
        reference_takes_want_density(&s->references) ||
        (s->hooks.triggers && triggers_want_density(s->hooks.triggers)) ||
        (d->percentiles_ns > 0 && clock_now_ns() - d->percentiles_ns < forget_ns))
        return true;
    for (int i = 0; i < DENSITY_PERSISTENCES; i++) {
        if (d->asked[i].asked_ns > 0)
            return true;
    }
    return d->subscribers > 0;
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
    wishes_update(s);
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
    wishes_update(s);
    return &found->density;
}

const char *density_refusal(struct server *s)
{
    struct status now;
    server_update_status(s, &now);
    return settings_sweeps(&now.settings) ? "a sweep has no density: each column would have the "
                                            "frames of its dwell only"
                                          : NULL;
}

bool density_ask_percentiles(struct server *s)
{
    s->density.percentiles_ns = clock_now_ns();
    wishes_update(s);
    return s->feed.latest && s->feed.latest->hits;
}

/* ---- websockets ------------------------------------------------------------------------- */

void density_subscribe(struct client *c, bool want)
{
    struct density_service *d = &c->server->density;
    if (want == c->topic[TOPIC_DENSITY].on)
        return;
    c->topic[TOPIC_DENSITY].on = want;
    d->subscribers += want ? 1 : UINT32_MAX; /* - 1 */
    frame_drop(c->density);
    c->density = NULL;
    if (d->subscribers == 0)
        density_finish(&d->unsent);
    if (!c->server->stopping)
        wishes_update(c->server);
}

static struct frame *create_frame(const struct density_service *d, const struct density_form *form)
{
    struct density coarse = {0};
    struct frame *frame = NULL;
    if (!(form->step_db > d->unsent.shape.step_db))
        return density_frame_create(&d->unsent, d->frames_before, form->coding);
    if (density_coarsen(&coarse, &d->unsent, form->step_db) == 0)
        frame = density_frame_create(&coarse, d->frames_before, form->coding);
    density_finish(&coarse);
    return frame;
}

static bool is_same_form(const struct density_form *a, const struct density_form *b)
{
    return a->coding == b->coding && !(fabs(a->step_db - b->step_db) > 0);
}

/* To this client and to those after it that want the same frame. */
static void send_frame(struct server *s, struct client *first)
{
    struct frame *frame = create_frame(&s->density, &first->density_form);
    for (struct client *c = first; c; c = c->next) {
        if (!c->topic[TOPIC_DENSITY].on || !is_same_form(&c->density_form, &first->density_form))
            continue;
        c->density_round = s->density.round;
        if (!frame)
            continue;
        frame_drop(c->density);
        c->density = frame_hold(frame);
    }
    frame_drop(frame);
}

static void send_unsent(struct server *s)
{
    struct density_service *d = &s->density;
    d->round++;
    for (struct client *c = s->clients; c; c = c->next)
        if (c->topic[TOPIC_DENSITY].on && c->density_round != d->round)
            send_frame(s, c);
    d->frames_before += (uint64_t)d->unsent.frames;
    density_clear(&d->unsent);
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
    const char *refusal = density_refusal(s);
    struct spectrum_query query = {
        .density = true,
        .png = format ? strcmp(format, "png") == 0
                      : accept_prefers(r->accept, "image/png", "application/json")};
    query.gzip = r->gzip && !query.png;
    if (format && !query.png && strcmp(format, "json") != 0)
        answer_fault(a, 400, "format: \"%s\" is not json or png\n", format);
    else if (parse_persistence(persistence ? persistence : "none", &query.persistence_s) < 0)
        answer_fault(a, 400, "persistence: \"%s\" is not none, infinite, or a time up to 86400 s\n",
                     persistence);
    else if (refusal)
        answer_fault(a, 503, "%s", refusal);
    else {
        if (!density_ask(s, query.persistence_s))
            answer_fault(a, 503, "%d other persistences are being read", DENSITY_PERSISTENCES);
        else if (!(a->spectrum = spectrum_request(s, &query)))
            answer_fault(a, 500, "no memory");
    }
}
