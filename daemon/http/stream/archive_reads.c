/* archive_reads.c - reads the spectrum archive and its survey for HTTP, on threads of the pool. */
#include "daemon/http/stream/archive_reads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/read/archive_text.h"
#include "daemon/http/accept.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/answer/pending.h"
#include "daemon/http/http_server.h"
#include "daemon/http/stream/spectrum_text.h"

struct archive_reading {
    char *folder;
    struct archive_request request;
    bool gzip;
    struct text text;
    int err;
};

/* ---- on the pool ------------------------------------------------------------------------ */

static void run_reading(void *job)
{
    struct archive_reading *r = job;
    r->err = archive_answer(&r->text, r->folder, &r->request);
    if (r->err == 0 && r->gzip)
        r->err = spectrum_compress(&r->text);
}

/* ---- the answer ------------------------------------------------------------------------- */

static void refuse(int err, struct answer *a)
{
    const unsigned status = err == -E2BIG ? 400 : err == -ENODATA || err == -ENOENT ? 404 : 500;
    answer_fault(a, status, "%s", archive_describe(err));
}

static void finish_reading(struct http_server *s, void *job, struct answer *a)
{
    struct archive_reading *r = job;
    if (r->err < 0) {
        refuse(r->err, a);
        return;
    }
    if (!body_fits(s, r->text.length)) {
        answer_fault(a, 503, "%s", body_does_not_fit);
        return;
    }
    *a = (struct answer){
        .status = 200,
        .type = archive_request_type(&r->request),
        .vary = "Accept, Accept-Encoding",
        .encoding = r->gzip ? "gzip" : NULL,
        .body = body_create(r->text.data, r->text.data, r->text.length, &s->body_bytes)};
    r->text = (struct text){0};
}

static void destroy_reading(void *job)
{
    struct archive_reading *r = job;
    text_finish(&r->text);
    free(r->folder);
    free(r);
}

/* ---- requests --------------------------------------------------------------------------- */

static int parse(struct archive_request *out, const struct request *r, bool survey,
                 struct reason *why)
{
    int err = 0;
    archive_request_init(out, survey);
    if (accept_prefers(r->accept, "text/csv", "application/json"))
        out->format = ARCHIVE_CSV;
    for (unsigned i = 0; err == 0 && i < r->query.count; i++)
        err =
            archive_request_set(out, r->query.parameter[i].name, r->query.parameter[i].value, why);
    return err < 0 ? err : archive_request_check(out, why);
}

void archive_reads_of(struct archive_reads *all, const struct request *r, const char *folder,
                      bool survey, struct answer *a)
{
    struct reason why = {0};
    struct archive_reading *job = calloc(1, sizeof *job);
    if (job)
        job->folder = strdup(folder);
    if (!job || !job->folder) {
        free(job);
        answer_fault(a, 500, "no memory");
        return;
    }
    if (parse(&job->request, r, survey, &why) < 0) {
        answer_reason(a, 400, &why);
        destroy_reading(job);
        return;
    }
    job->gzip = r->gzip && job->request.format != ARCHIVE_PNG;
    const struct answer_job work = {run_reading, finish_reading, destroy_reading, job};
    a->source = answer_work_create(r, survey ? &all->surveys : &all->archives, &work);
    if (!a->source)
        answer_fault(a, 503, "too many requests for the archive wait");
}

static void answer(struct archive_reads *all, const struct request *r, bool survey,
                   struct answer *a)
{
    if (all->folder)
        archive_reads_of(all, r, all->folder, survey, a);
    else
        answer_fault(a, 404, "there is no archive: start fftd with --archive DIR");
}

void archive_reads_answer(void *answers, const struct request *r, struct answer *a)
{
    answer(answers, r, false, a);
}

void archive_reads_survey(void *answers, const struct request *r, struct answer *a)
{
    answer(answers, r, true, a);
}
