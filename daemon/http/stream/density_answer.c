/* density_answer.c - answers /api/v1/density. */
#include "daemon/http/stream/density_answer.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/http/accept.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/stream/demand.h"
#include "daemon/http/stream/density_service.h"
#include "daemon/http/stream/spectra.h"

static int parse_persistence(const char *text, double *out, struct reason *why)
{
    *out = strcmp(text, "infinite") == 0 ? INFINITY : 0;
    if (*out > 0 || strcmp(text, "none") == 0)
        return 0;
    if (si_parse_unit(text, SI_SECONDS, out) < 0 || !(*out > 0 && *out <= 86400))
        return reason_key(why, -EINVAL, "persistence",
                          "persistence: \"%s\" is not none, infinite, or a time up to 86400 s",
                          text);
    return 0;
}

static int parse_query(struct spectrum_query *w, const struct request *r, struct reason *why)
{
    const char *format = query_value(&r->query, "format");
    const char *persistence = query_value(&r->query, "persistence");
    w->png = format ? strcmp(format, "png") == 0
                    : accept_prefers(r->accept, "image/png", "application/json");
    w->gzip = r->gzip && !w->png;
    if (format && !w->png && strcmp(format, "json") != 0)
        return reason_key(why, -EINVAL, "format", "format: \"%s\" is not json or png", format);
    return parse_persistence(persistence ? persistence : "none", &w->persistence_s, why);
}

void density_answer(void *service, const struct request *r, struct answer *a)
{
    struct density_service *d = service;
    struct reason why = {0};
    struct spectrum_query query = {.density = true};
    const char *refusal = demand_refuse_density(d->demand);
    if (parse_query(&query, r, &why) < 0)
        answer_reason(a, 400, &why);
    else if (refusal)
        answer_fault(a, 503, "%s", refusal);
    else {
        if (!density_service_ask(d, query.persistence_s))
            answer_fault(a, 503, "%d other persistences are being read", DENSITY_PERSISTENCES);
        else if (!(a->source = spectra_request(d->spectra, &query)))
            answer_fault(a, 500, "no memory");
    }
}
