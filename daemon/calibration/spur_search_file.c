/* spur_search_file.c - writes what was learnt as a block of a spur list. */
#include "daemon/calibration/spur_search_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"
#include "daemon/calibration/spur_file.h"

static void add_rows(const struct found_spurs *found, const char *date, struct text *out)
{
    for (size_t i = 0; i < found->count; i++) {
        struct spur spur = found->line[i].spur;
        snprintf(spur.note, sizeof spur.note, "learnt %s, %.1f dB above the noise", date,
                 found->line[i].above_db);
        spur_add_row(out, &spur);
    }
}

/* What the levels depend on. */
static void add_head(const struct spur_search_file *file, const struct line *line, const char *date,
                     bool is_new, struct text *out)
{
    const char *radio = file->radio;
    if (is_new)
        text_add(out, "# Spur list of fftd: frequency width note.\n%s%s%sdate = %s\n",
                 radio[0] ? "serial = " : "", radio, radio[0] ? "\n" : "", date);
    text_add(out, "\n# %s, %s: %g dB above the noise, RBW %.4g Hz, gain %s, centre %.0f Hz\n", date,
             radio[0] ? radio : "unknown radio", file->threshold_db, line_rbw_hz(line),
             line->tuning.gain[0] ? line->tuning.gain : "-", line->tuning.center_hz);
}

/* Adds a block, which is freed, to the file. */
static int write_block(const struct spur_search_file *file, struct text *block,
                       const struct text *rows, struct reason *why)
{
    text_add_bytes(block, rows->data, rows->length);
    const int err =
        rows->failed || block->failed ? -ENOMEM : spur_file_add(file->path, file->own, block, why);
    text_finish(block);
    return err;
}

static int find(const struct spur_search *l, const struct spur_search_file *file,
                const struct spur_list *known, struct found_spurs *out, struct reason *why)
{
    if (l->trace.lines == 0)
        return reason_set(why, -ERANGE, "there was no whole spectrum");
    if (l->newest.rate_assumed)
        return reason_set(why, -EINVAL, "the sample rate is not known: give --rate");
    return spur_search_find(l, file->threshold_db, known, out, why);
}

int spur_search_file_add(const struct spur_search *l, const struct spur_search_file *file,
                         struct text *rows, size_t *added, struct reason *why)
{
    char now[UNIX_TIME_TEXT], date[16];
    struct spur_list known = {0};
    struct found_spurs *found = calloc(1, sizeof *found);
    *added = 0;
    if (!found)
        return -ENOMEM;
    snprintf(date, sizeof date, "%.10s", unix_time_text(clock_unix_ns(), "%Y-%m-%d", now));
    int err = spur_file_read(&known, file->path, file->own, why);
    const bool is_new = err == -ENOENT;
    if (err == 0 || is_new)
        err = find(l, file, &known, found, why);
    if (err == 0 && found->count > 0) {
        struct text block = {0};
        add_rows(found, date, rows);
        add_head(file, &l->newest, date, is_new, &block);
        err = write_block(file, &block, rows, why);
    }
    if (err == 0)
        *added = found->count;
    spur_list_finish(&known);
    free(found);
    return err;
}
