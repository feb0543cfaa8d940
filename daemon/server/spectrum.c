/* spectrum.c - answers /api/spectrum: the newest line through a view. */
#include <math.h>

#include "daemon/server/accept.h"
#include "daemon/server/internal.h"
#include "daemon/server/spectrum_text.h"

static void write_body(const struct spectrum_query *w, const struct line *line, struct answer *a)
{
    struct text out = {0};
    if (spectrum_write(&out, w, line) < 0) {
        text_finish(&out);
        answer_text(a, 500, "no memory\n");
        return;
    }
    *a = (struct answer){.status = 200,
                         .type = w->csv ? "text/csv; charset=utf-8" : "application/json",
                         .vary = "Accept",
                         .body = out.data,
                         .size = out.length,
                         .memory = out.data};
}

void answer_spectrum(struct server *s, const struct request *r, struct answer *a)
{
    const struct line *line = s->feed.latest;
    char error[256];
    struct spectrum_query w = {
        .view = {.low_hz = NAN, .high_hz = NAN, .columns = SPECTRUM_COLUMNS_MAX},
        .csv = accept_prefers(r->accept, "text/csv", "application/json")};
    if (spectrum_parse(&w, &r->query, error, sizeof error) < 0)
        answer_text(a, 400, "%s\n", error);
    else if (!line)
        answer_text(a, 503, "there is no line yet\n");
    else if (!(line->traces & 1U << w.view.trace))
        answer_text(a, 404, "the trace %s is not computed\n", trace_name(w.view.trace));
    else
        write_body(&w, line, a);
}
