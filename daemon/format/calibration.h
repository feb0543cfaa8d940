/*
 * calibration.h - a calibration table: converts levels in dBFS into dBm at the antenna socket.
 * Pure, any thread.
 *
 * dBm = dBFS + offset, where the offset depends on frequency, gain and antenna. dBm/Hz = dBFS/Hz +
 * offset. In 50 ohm, dBuV = dBm + 106.99.
 *
 * The text (docs/calibration.md), where # starts a comment and every other line is one of these:
 *
 *     serial = 00000001          of the radio; - is unknown, here and in the next two
 *     date = 2026-05-04          of the newest row
 *     uncertainty = 1.5          dB
 *     impedance = 50             ohm; (optional) no other value is read
 *     ppm = -1.2                 (optional) correction of the radio's clock
 *     100M  20  RX  -23.5        frequency, gain, antenna, offset in dB
 *
 * serial, date and uncertainty are required and precede the rows. A gain is - (any), dB in all, or
 * dB for each element as in LNA=20,TIA=8; an antenna is - (any) or a name, in double quotes if it
 * has blanks.
 */
#ifndef FFTD_DAEMON_FORMAT_CALIBRATION_H
#define FFTD_DAEMON_FORMAT_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/base/text.h"

struct reason;

enum { CALIBRATION_ROWS_MAX = 4096, CALIBRATION_BYTES_MAX = 1 << 20 };

struct calibration_row {
    double hz, offset_db;
    double gain_db;   /* NAN: see gain */
    char gain[96];    /* elements without blanks; "" with gain_db NAN: any */
    char antenna[32]; /* "": any */
    size_t line;      /* in the text, from 1 */
    size_t group_end; /* index after the last row of this gain and antenna */
};

struct calibration {
    char serial[64], date[32];  /* "": unknown */
    double uncertainty_db;      /* NAN: unknown */
    double ppm;                 /* NAN: not given */
    size_t date_line, ppm_line; /* 0: not given */
    size_t count;
    struct calibration_row *row; /* in groups of one gain and antenna, each by frequency */
};

/* How a radio is set. */
struct calibration_gain {
    double gain_db;      /* in all; NAN: unknown or automatic */
    const char *gain;    /* as struct tuning has it: a number of dB precedes gain_db */
    const char *antenna; /* "": unknown */
};

/*
 * `name` begins every error: "NAME:3: ...". 0, -EINVAL, or -ENOMEM. Zeroed after a failure;
 * otherwise the caller calls finish.
 */
int calibration_parse(struct calibration *out, const char *text, size_t size, const char *name,
                      struct reason *why);
void calibration_finish(struct calibration *c);

/*
 * The offset in dB; NAN: uncal. Rows with this gain and antenna count. Of those, rows that name
 * both precede rows for any antenna, then rows for any gain; elements of gain precede the sum.
 * Between two rows the offset in dB is linear in frequency. Before the first row and after the last
 * one it is that row's, as far as 5 % of the row's frequency, and at least 1 MHz; nothing is
 * calibrated beyond that.
 */
double calibration_offset_db(const struct calibration *c, double hz,
                             const struct calibration_gain *gain);
/* False if the table names the serial number of another radio. "" is unknown, and may be the same.
 */
bool calibration_is_for(const struct calibration *c, const char *serial);
/* The gain as a row has it: elements, a number, or "-" if it is unknown. Returns into. */
const char *calibration_gain_text(const struct calibration_gain *gain, char into[96]);

/*
 * Appends `text` with a row added: it replaces the row of the same frequency, gain and antenna.
 * Comments stay; the date becomes `date`. An empty text gets a header first. Same errors as
 * calibration_parse.
 */
struct calibration_entry {
    double hz, offset_db; /* of the row */
    double ppm;
    struct calibration_gain gain;
    const char *serial, *date; /* serial: for a new header; "": unknown */
    const char *name;          /* of the table, for errors */
};
int calibration_set_row(struct text *out, const char *text, size_t size,
                        const struct calibration_entry *entry, struct reason *why);
/* The same with the ppm set, and no row. */
int calibration_set_ppm(struct text *out, const char *text, size_t size,
                        const struct calibration_entry *entry, struct reason *why);
/* "100M 20 RX -23.50" without a newline. */
void calibration_add_row(struct text *out, const struct calibration_entry *entry);
/* "ppm = -1.200" without a newline. */
void calibration_add_ppm(struct text *out, const struct calibration_entry *entry);

#endif
