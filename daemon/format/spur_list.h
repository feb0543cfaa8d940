/*
 * spur_list.h - the spur list: frequencies at which a radio shows lines of its own. Pure, any
 * thread.
 *
 * The text (docs/measurements.md), where # starts a comment and every other line is one of these:
 *
 *     serial = 00000001           of the radio; (optional)
 *     date = 2026-05-04           (optional)
 *     center        0    DC spike             frequency, width, and a note (optional)
 *     center+1.2M   10k  image of the clock   follows the centre
 *     28.8M         2k                        absolute
 */
#ifndef FFTD_DAEMON_FORMAT_SPUR_LIST_H
#define FFTD_DAEMON_FORMAT_SPUR_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/base/text.h"

struct reason;

enum { SPURS_MAX = 1024, SPUR_NOTE = 64, SPUR_LIST_BYTES_MAX = 1 << 18 };

struct spur {
    double hz;       /* from the centre if relative */
    double width_hz; /* of the line itself; 0: a tone */
    bool relative;
    char note[SPUR_NOTE]; /* "": none */
};

struct spur_list {
    char serial[64], date[32]; /* "": unknown */
    size_t count;
    struct spur *spur; /* in the order of the text */
};

/*
 * `name` begins every error: "NAME:3: ...". 0, -EINVAL, or -ENOMEM. Zeroed after a failure;
 * otherwise the caller calls finish.
 */
int spur_list_parse(struct spur_list *out, const char *text, size_t size, const char *name,
                    struct reason *why);
void spur_list_finish(struct spur_list *list);

/* Appends "center+1.2M 10k note" and a newline; frequencies and widths are rounded to 0.1 Hz. */
void spur_add_row(struct text *out, const struct spur *spur);
/* The frequency as a row has it; returns into. */
const char *spur_frequency_text(const struct spur *spur, char into[48]);

#endif
