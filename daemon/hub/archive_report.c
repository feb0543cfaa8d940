/* archive_report.c - writes what a hub has of the archives of its radios. */
#include "daemon/hub/archive_report.h"

#include "daemon/base/json.h"

void archive_report_row(json_t *row, const struct copy_state *s)
{
    if (!s->on || s->newest_ns == 0)
        return;
    json_t *o =
        json_pack("{sI sI so so so so so so sb}", "oldest_ns", (json_int_t)s->oldest_ns,
                  "newest_ns", (json_int_t)s->newest_ns, "bytes", count_to_json(s->bytes), "blocks",
                  count_to_json(s->blocks), "duplicates", count_to_json(s->duplicates), "gaps",
                  count_to_json(s->gaps), "late", count_to_json(s->late), "malformed",
                  count_to_json(s->malformed), "failing", s->failing);
    json_object_set_new(row, "archive", o);
}

static json_t *faults_json(const struct copy_totals *t)
{
    json_t *o = json_object();
    for (int i = 0; i < COPY_FAULTS; i++)
        json_object_set_new(o, copy_fault_name((enum copy_fault)i), count_to_json(t->faults[i]));
    return o;
}

void archive_report_head(json_t *head, const struct copy_totals *t)
{
    if (!t->on)
        return;
    json_t *o =
        json_pack("{sb si so so so so so so so si so ss}", "connected", t->connected, "radios",
                  (int)t->radios, "blocks", count_to_json(t->blocks), "bytes",
                  count_to_json(t->bytes), "duplicates", count_to_json(t->duplicates), "gaps",
                  count_to_json(t->gaps), "late", count_to_json(t->late), "failed",
                  count_to_json(t->failed), "dropped", count_to_json(t->dropped), "without_place",
                  (int)t->without_place, "malformed", faults_json(t), "failure", t->failure);
    json_object_set_new(head, "archive", o);
}

/* ---- metrics ----------------------------------------------------------------------------- */

static void add_radio(const struct metric_writer *m, const char *name, const struct radio *radio,
                      double value)
{
    fputs(name, m->f);
    metric_label(m->f, "site", radio->site, '{');
    metric_label(m->f, "radio", radio->name, ',');
    char number[NUMBER_TEXT];
    fprintf(m->f, "} %s\n", number_text(value, number));
}

static void add_radios(const struct metric_writer *m, const struct radios *r)
{
    static const char bytes[] = "fftd_hub_archive_bytes", newest[] = "fftd_hub_archive_newest_time";
    metric_head(m, bytes, METRIC_GAUGE, "Files of the archive of a radio.");
    for (uint32_t i = 0; i < r->used; i++)
        if (r->all[i] && r->all[i]->archive.newest_ns > 0)
            add_radio(m, bytes, r->all[i], (double)r->all[i]->archive.bytes);
    metric_head(m, newest, METRIC_GAUGE, "Unix time of its newest row.");
    for (uint32_t i = 0; i < r->used; i++)
        if (r->all[i] && r->all[i]->archive.newest_ns > 0)
            add_radio(m, newest, r->all[i], (double)r->all[i]->archive.newest_ns / 1e9);
}

void archive_report_metrics(const struct metric_writer *m, const struct radios *r)
{
    const struct copy_totals *t = &r->archives;
    if (!t->on)
        return;
    metric_counter(m, "fftd_hub_archive_blocks", "Blocks of archives that were written.",
                   t->blocks);
    metric_counter(m, "fftd_hub_archive_block_bytes", "Their bytes.", t->bytes);
    metric_counter(m, "fftd_hub_archive_duplicates", "Blocks that were there already.",
                   t->duplicates);
    metric_counter(m, "fftd_hub_archive_gaps",
                   "Times that a sensor did not have the block where "
                   "the hub went on.",
                   t->gaps);
    metric_counter(m, "fftd_hub_archive_late", "Requests without a reply.", t->late);
    metric_counter(m, "fftd_hub_archive_failed",
                   "Blocks that could not be written, and were asked "
                   "for again.",
                   t->failed);
    metric_counter(m, "fftd_hub_archive_dropped", "Replies that waited without room.", t->dropped);
    metric_gauge(m, "fftd_hub_archive_without_place", "Radios whose archive has no place.",
                 t->without_place);
    metric_head(m, "fftd_hub_archive_malformed", METRIC_COUNTER,
                "Replies and blocks that are invalid, by cause.");
    for (int i = 0; i < COPY_FAULTS; i++)
        fprintf(m->f, "fftd_hub_archive_malformed_total{cause=\"%s\"} %llu\n",
                copy_fault_name((enum copy_fault)i), (unsigned long long)t->faults[i]);
    add_radios(m, r);
}
