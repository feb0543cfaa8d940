/* density_service.c - counts the densities that are asked for, and answers with them. */
#include "daemon/http/stream/density_service.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/si.h"
#include "daemon/http/accept.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/stream/spectra.h"
#include "daemon/http/stream/wishes.h"

static const uint64_t forget_ns = 60000000000;

static void forget(struct asked_density *asked)
{
    density_finish(&asked->density);
    *asked = (struct asked_density){0};
}

void density_service_on_tick(struct density_service *d)
{
    const uint64_t now = clock_now_ns();
    for (int i = 0; i < DENSITY_PERSISTENCES; i++) {
        struct asked_density *asked = &d->asked[i];
        if (asked->asked_ns > 0 && now - asked->asked_ns > forget_ns)
            forget(asked);
    }
}

void density_service_on_line(struct density_service *d, const struct line *line)
{
    for (int i = 0; i < DENSITY_PERSISTENCES && line->hits; i++) {
        if (d->asked[i].asked_ns > 0 && density_add(&d->asked[i].density, line) < 0)
            forget(&d->asked[i]);
    }
}

void density_service_finish(struct density_service *d)
{
    for (int i = 0; i < DENSITY_PERSISTENCES; i++)
        forget(&d->asked[i]);
}

const struct density *density_service_ask(struct density_service *d, double persistence_s)
{
    struct asked_density *found = NULL;
    for (int i = DENSITY_PERSISTENCES; i-- > 0;) {
        struct asked_density *asked = &d->asked[i];
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
    wishes_ask_density(d->wishes);
    return &found->density;
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

void density_service_answer(void *service, const struct request *r, struct answer *a)
{
    struct density_service *d = service;
    const char *format = query_value(&r->query, "format");
    const char *persistence = query_value(&r->query, "persistence");
    const char *refusal = wishes_refuse_density(d->wishes);
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
        if (!density_service_ask(d, query.persistence_s))
            answer_fault(a, 503, "%d other persistences are being read", DENSITY_PERSISTENCES);
        else if (!(a->source = spectra_request(d->spectra, &query)))
            answer_fault(a, 500, "no memory");
    }
}
