/* archive_report.c - writes what a hub has of the archives of its radios. */
#include "daemon/hub/archive_report.h"

#include "daemon/base/json.h"
#include "daemon/figure/figure_report.h"

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

static const char *fault_name(unsigned fault)
{
    return copy_fault_name((enum copy_fault)fault);
}

static const struct figure figures[] = {
    FIGURE_KEY(struct copy_totals, connected, "connected"),
    FIGURE_KEY(struct copy_totals, radios, "radios"),
    FIGURE_COUNTER(struct copy_totals, blocks, "blocks", "fftd_hub_archive_blocks",
                   "Blocks of archives that were written."),
    FIGURE_COUNTER(struct copy_totals, bytes, "bytes", "fftd_hub_archive_block_bytes",
                   "Their bytes."),
    FIGURE_COUNTER(struct copy_totals, duplicates, "duplicates", "fftd_hub_archive_duplicates",
                   "Blocks that were there already."),
    FIGURE_COUNTER(struct copy_totals, gaps, "gaps", "fftd_hub_archive_gaps",
                   "Times that a sensor did not have the block where the hub went on."),
    FIGURE_COUNTER(struct copy_totals, late, "late", "fftd_hub_archive_late",
                   "Requests without a reply."),
    FIGURE_COUNTER(struct copy_totals, failed, "failed", "fftd_hub_archive_failed",
                   "Blocks that could not be written, and were asked for again."),
    FIGURE_COUNTER(struct copy_totals, dropped, "dropped", "fftd_hub_archive_dropped",
                   "Replies that waited without room."),
    FIGURE_GAUGE(struct copy_totals, without_place, "without_place",
                 "fftd_hub_archive_without_place", "Radios whose archive has no place."),
    FIGURE_EACH(struct copy_totals, faults, "malformed", "fftd_hub_archive_malformed",
                "Replies and blocks that are invalid, by cause.", "cause", fault_name),
    FIGURE_KEY(struct copy_totals, failure, "failure"),
    FIGURE_END,
};

void archive_report_head(json_t *head, const struct copy_totals *t)
{
    if (t->on)
        json_object_set_new(head, "archive", figures_to_json(figures, t));
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
    figures_write(m, figures, t);
    add_radios(m, r);
}
