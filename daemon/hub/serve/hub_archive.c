/* hub_archive.c - the archives of a hub's radios: between collector and table, and for HTTP. */
#include "daemon/hub/serve/hub_archive.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/api/streams.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/service/http_service.h"
#include "daemon/http/stream/archive_reads.h"
#include "daemon/hub/copies/copy_stores.h"
#include "daemon/hub/serve/hub_service.h"

/* ---- the collector ----------------------------------------------------------------------- */

int hub_archive_start(struct hub_service *h, struct reason *why)
{
    enum { FILES = COPY_STORES_MAX * COPY_STORE_FILES };
    const struct collector_config config = {.options = &h->archive, .nats = &h->nats};
    if (!h->archive.folder)
        return 0;
    struct server_options more = h->http.options;
    more.max_clients += FILES;
    const int err = http_service_raise_descriptors(&more, why);
    return err < 0 ? err : collector_start(&h->collector, &config, why);
}

/* A radio that is gone answers nobody. */
static void exchange(struct copy_table *t, struct radio *radio)
{
    struct copy_name name;
    struct archive_offer offer = {0};
    memcpy(name.site, radio->site, sizeof name.site);
    memcpy(name.radio, radio->name, sizeof name.radio);
    if (radio->state != RADIO_GONE)
        archive_offer_read(&offer, json_object_get(radio->announce, "archive"));
    copy_table_exchange(t, &radio->copy_place, &name, &offer, &radio->archive);
}

void hub_archive_update(struct hub_service *h)
{
    struct copy_table *t = h->collector ? collector_table(h->collector) : NULL;
    if (!t)
        return;
    copy_table_begin_round(t);
    for (uint32_t i = 0; i < h->radios.used; i++)
        if (h->radios.all[i])
            exchange(t, h->radios.all[i]);
    copy_table_totals(t, &h->radios.archives);
}

/* ---- HTTP -------------------------------------------------------------------------------- */

static void answer_found(struct hub_service *h, const struct request *r,
                         const struct copy_name *name, bool survey, struct answer *a)
{
    struct reason why = {0};
    char *folder = copy_folder(h->archive.folder, name->site, name->radio);
    /* The parameters are those of a radio's own archive. */
    const char *path = survey ? "/api/v1/survey" : "/api/v1/archive";
    if (query_check(&r->query, api_stream_find(api_streams, path)->keys, &why) < 0)
        answer_reason(a, 400, &why);
    else if (folder)
        archive_reads_of(&h->reads, r, folder, survey, a);
    else
        answer_fault(a, 500, "no memory");
    free(folder);
}

/* The folder is that of a radio which the collector knows: nothing of the path is part of it. */
static void answer_radio_archive(struct hub_service *h, const struct request *r, const char *name,
                                 bool survey, struct answer *a)
{
    struct collector *c = h->collector;
    struct copy_name found;
    if (!c)
        answer_fault(a, 404, "there are no archives: start the hub with --archive DIR");
    else if (copy_table_find(collector_table(c), name, &found))
        answer_found(h, r, &found, survey, a);
    else
        answer_fault(a, 404, "%s: there is no archive of such a radio: SITE.RADIO", name);
}

bool hub_archive_answer(struct hub_service *h, const struct request *r, const char *name,
                        struct answer *a)
{
    const char *slash = strchr(name, '/');
    const size_t length = slash ? (size_t)(slash - name) : 0;
    const bool survey = slash && strcmp(slash, "/survey") == 0;
    char radio[2 * HUB_WORD];
    if (!slash || length >= sizeof radio || (!survey && strcmp(slash, "/archive") != 0))
        return false;
    memcpy(radio, name, length);
    radio[length] = '\0';
    answer_radio_archive(h, r, radio, survey, a);
    return true;
}
