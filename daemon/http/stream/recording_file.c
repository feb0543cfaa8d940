/* recording_file.c - the files of recordings for download. */
#include "daemon/http/stream/recording_file.h"

#include <errno.h>
#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/answer/file_body.h"
#include "daemon/http/http_server.h"
#include "daemon/record/record_name.h"
#include "daemon/record/recorder/recorder.h"

enum { DOWNLOADS_MAX = 16 };

static const char path[] = "/api/v1/recording-files/";

static void refuse(int err, const char *name, struct answer *a)
{
    if (err == -ENOENT)
        answer_fault(a, 404, "%s: no recording has such a file", name);
    else if (err == -EBUSY)
        answer_fault(a, 409, "%s: the recording has not ended", name);
    else
        answer_fault(a, 500, "%s: %s", name, strerror(-err));
}

static const char *type_of(const char *name)
{
    return record_name_length(name, RECORD_META) > 0 ? "application/json"
                                                     : "application/octet-stream";
}

static bool has_share(const struct request *r)
{
    return share_allows_visitor(DOWNLOADS_MAX, r->server->downloads, r->own->downloads,
                                r->visitor != r->own, r->visitor->downloads);
}

void recording_file_answer(void *recorder, const struct request *r, struct answer *a)
{
    struct http_server *s = r->server;
    uint64_t bytes;
    const char *name = r->path + strlen(path);
    if (s->downloads >= DOWNLOADS_MAX) {
        s->refused_total++;
        answer_fault(a, 503, "%d recordings are being downloaded", DOWNLOADS_MAX);
        return;
    }
    if (!has_share(r)) {
        s->refused_total++;
        answer_fault(a, 503,
                     "%u recordings are being downloaded by this address: the others are for "
                     "other addresses\n",
                     r->own->downloads);
        return;
    }
    const int fd = recorder ? recorder_open_file(recorder, name, &bytes) : -ENOENT;
    if (fd < 0) {
        refuse(fd, name, a);
        return;
    }
    struct body_stream *file = file_body_open(s->loop, fd, bytes, &s->downloads);
    if (file)
        *a =
            (struct answer){.status = 200, .type = type_of(name), .stream = file, .download = name};
    else
        answer_fault(a, 503, "no memory");
}
