/* calibration_edit.c - adds a row to the text of a calibration table, or sets its ppm. */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/format/calibration.h"

static bool has_blank(const char *text)
{
    return strpbrk(text, " \t#") != NULL;
}

void calibration_add_row(struct text *out, const struct calibration_entry *entry)
{
    char hz[32], gain[96];
    const char *antenna = entry->gain.antenna[0] ? entry->gain.antenna : "-";
    const char *quote = has_blank(antenna) ? "\"" : "";
    text_add(out, "%s %s %s%s%s %.3f", si_format(entry->hz, 15, hz, sizeof hz),
             calibration_gain_text(&entry->gain, gain), quote, antenna, quote, entry->offset_db);
}

void calibration_add_ppm(struct text *out, const struct calibration_entry *entry)
{
    text_add(out, "ppm = %.3f", entry->ppm);
}

static void add_header(struct text *out, const struct calibration_entry *entry)
{
    text_add(out,
             "# Calibration table of fftd: dBm = dBFS + offset.\n"
             "serial = %s\n"
             "date = %s\n"
             "uncertainty = -\n"
             "impedance = 50\n"
             "\n"
             "# frequency gain antenna offset_db\n",
             entry->serial[0] ? entry->serial : "-", entry->date);
}

static bool same_number(double a, double b)
{
    return !(fabs(a - b) > 0) && isnan(a) == isnan(b);
}

/* The line of the row that the new one replaces; 0: none. */
static size_t find_line(const struct calibration *c, const struct calibration_row *new)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct calibration_row *row = &c->row[i];
        if (same_number(row->hz, new->hz) && same_number(row->gain_db, new->gain_db) &&
            strcmp(row->gain, new->gain) == 0 && strcmp(row->antenna, new->antenna) == 0)
            return row->line;
    }
    return 0;
}

/* Reads the entry back as a row, as the next reader of the file will. */
static int read_back(struct calibration_row *out, const struct calibration_entry *entry,
                     struct reason *why)
{
    struct calibration c = {0};
    struct text text = {0};
    add_header(&text, entry);
    calibration_add_row(&text, entry);
    int err = -ENOMEM;
    if (text.failed)
        reason_set(why, err, "%s: no memory", entry->name);
    else
        err = calibration_parse(&c, text.data, text.length, entry->name, why);
    if (err == 0) {
        assert(c.count == 1);
        *out = c.row[0];
        calibration_finish(&c);
    }
    text_finish(&text);
    return err;
}

/* ---- lines ------------------------------------------------------------------------------ */

/* Numbers of the lines that change; 0: none. */
struct edit {
    size_t date_line, row_line, ppm_line;
    bool adds_ppm; /* after the date */
};

static void add_line(struct text *out, size_t line, const char *old, size_t length,
                     const struct edit *edit, const struct calibration_entry *entry)
{
    if (line == edit->date_line)
        text_add(out, "date = %s", entry->date);
    else if (line == edit->row_line)
        calibration_add_row(out, entry);
    else if (line == edit->ppm_line)
        calibration_add_ppm(out, entry);
    else
        text_add_bytes(out, old, length);
    text_add_bytes(out, "\n", 1);
    if (line == edit->date_line && edit->adds_ppm) {
        calibration_add_ppm(out, entry);
        text_add_bytes(out, "\n", 1);
    }
}

static void copy_lines(struct text *out, const char *text, size_t size, const struct edit *edit,
                       const struct calibration_entry *entry)
{
    const char *const end = text + size;
    size_t line = 1;
    for (const char *at = text; at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        add_line(out, line, at, (size_t)((newline ? newline : end) - at), edit, entry);
        at = newline ? newline + 1 : end;
    }
}

/* ---- edits ------------------------------------------------------------------------------ */

static int check_length(const struct text *out, const char *name, struct reason *why)
{
    return out->failed ? reason_set(why, -ENOMEM, "%s: no memory", name) : 0;
}

int calibration_set_row(struct text *out, const char *text, size_t size,
                        const struct calibration_entry *entry, struct reason *why)
{
    struct calibration c = {0};
    struct calibration_row row;
    struct edit edit = {0};
    int err = read_back(&row, entry, why);
    if (err == 0 && size > 0)
        err = calibration_parse(&c, text, size, entry->name, why);
    if (err < 0)
        return err;
    if (size == 0) {
        add_header(out, entry);
    } else {
        edit = (struct edit){.date_line = c.date_line, .row_line = find_line(&c, &row)};
        copy_lines(out, text, size, &edit, entry);
    }
    if (edit.row_line == 0) {
        calibration_add_row(out, entry);
        text_add_bytes(out, "\n", 1);
    }
    calibration_finish(&c);
    return check_length(out, entry->name, why);
}

int calibration_set_ppm(struct text *out, const char *text, size_t size,
                        const struct calibration_entry *entry, struct reason *why)
{
    struct calibration c = {0};
    struct text header = {0};
    if (size == 0) {
        add_header(&header, entry);
        text = header.data;
        size = header.length;
    }
    int err = check_length(&header, entry->name, why);
    if (err == 0)
        err = calibration_parse(&c, text, size, entry->name, why);
    if (err == 0) {
        const struct edit edit = {
            .date_line = c.date_line, .ppm_line = c.ppm_line, .adds_ppm = c.ppm_line == 0};
        copy_lines(out, text, size, &edit, entry);
        err = check_length(out, entry->name, why);
    }
    calibration_finish(&c);
    text_finish(&header);
    return err;
}
