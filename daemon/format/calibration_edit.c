/* calibration_edit.c - adds a row to the text of a calibration table. */
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
                     char *error, size_t error_size)
{
    struct calibration c = {0};
    struct text text = {0};
    add_header(&text, entry);
    calibration_add_row(&text, entry);
    int err = -ENOMEM;
    if (text.failed)
        reason_set(error, error_size, err, "%s: no memory", entry->name);
    else
        err = calibration_parse(&c, text.data, text.length, entry->name, error, error_size);
    if (err == 0) {
        assert(c.count == 1);
        *out = c.row[0];
        calibration_finish(&c);
    }
    text_finish(&text);
    return err;
}

/* Copies the lines, but for two. */
static void copy_lines(struct text *out, const char *text, size_t size, size_t date_line,
                       size_t row_line, const struct calibration_entry *entry)
{
    const char *const end = text + size;
    size_t line = 1;
    for (const char *at = text; at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *next = newline ? newline + 1 : end;
        if (line == date_line)
            text_add(out, "date = %s", entry->date);
        else if (line == row_line)
            calibration_add_row(out, entry);
        else
            text_add_bytes(out, at, (size_t)((newline ? newline : end) - at));
        text_add_bytes(out, "\n", 1);
        at = next;
    }
}

int calibration_set_row(struct text *out, const char *text, size_t size,
                        const struct calibration_entry *entry, char *error, size_t error_size)
{
    struct calibration c = {0};
    struct calibration_row row;
    size_t line = 0;
    int err = read_back(&row, entry, error, error_size);
    if (err == 0 && size > 0)
        err = calibration_parse(&c, text, size, entry->name, error, error_size);
    if (err < 0)
        return err;
    if (size == 0) {
        add_header(out, entry);
    } else {
        line = find_line(&c, &row);
        copy_lines(out, text, size, c.date_line, line, entry);
    }
    if (line == 0) {
        calibration_add_row(out, entry);
        text_add_bytes(out, "\n", 1);
    }
    calibration_finish(&c);
    return out->failed ? reason_set(error, error_size, -ENOMEM, "%s: no memory", entry->name) : 0;
}
