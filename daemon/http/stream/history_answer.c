/* history_answer.c - answers /api/v1/history. */
#include "daemon/http/stream/history_answer.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/client/feed.h"
#include "daemon/client/history_request.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/stream/history_service.h"
#include "daemon/http/stream/spectra.h"

enum { ROWS = 100, COLUMNS = 1024 }; /* unless they are asked for */

static int parse_number(struct history_request *request, enum history_field field, const char *text,
                        struct reason *why)
{
    double value = 0;
    if (si_parse(text, &value) < 0)
        return reason_key(why, -EINVAL, history_field_name(field), "%s: \"%s\" is not a number",
                          history_field_name(field), text);
    return history_request_set(request, field, value, why);
}

static int parse_query(struct spectrum_query *w, const struct query *q, struct reason *why)
{
    struct history_request request;
    history_request_init(&request);
    const char *detector = query_value(q, "detector");
    const char *format = query_value(q, "format");
    int err = detector ? history_request_set_detector(&request, detector, why) : 0;
    for (int i = HISTORY_COLUMNS; err == 0 && i < HISTORY_FIELDS; i++) {
        const char *text = query_value(q, history_field_name((enum history_field)i));
        if (text)
            err = parse_number(&request, (enum history_field)i, text, why);
    }
    if (err == 0 && format && strcmp(format, "json") != 0 && strcmp(format, "binary") != 0)
        err = reason_key(why, -EINVAL, "format", "format: \"%s\" is not json or binary", format);
    w->binary = format && strcmp(format, "binary") == 0;
    return err < 0 ? err : history_request_query(&request, COLUMNS, ROWS, &w->rows, why);
}

void history_answer(void *service, const struct request *r, struct answer *a)
{
    const struct history_service *h = service;
    struct reason why = {0};
    const char *refusal = history_service_refusal(h);
    struct spectrum_query query = {.history = true, .gzip = r->gzip};
    if (refusal)
        answer_fault(a, 404, "%s", refusal);
    else if (parse_query(&query, &r->query, &why) < 0)
        answer_reason(a, 400, &why);
    else if (!h->spectra->feed->latest)
        answer_fault(a, 503, "there is no line yet");
    else if (!(a->source = spectra_request(h->spectra, &query)))
        answer_fault(a, 500, "no memory");
}
