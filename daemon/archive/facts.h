/* facts.h - the facts that interpret the levels of a line, as JSON. Pure. */
#ifndef FFTD_DAEMON_ARCHIVE_FACTS_H
#define FFTD_DAEMON_ARCHIVE_FACTS_H

#include "daemon/archive/archive.h"
#include "daemon/calibration/active_calibration.h"
#include "daemon/line/line.h"

/* The same text for lines of the same settings. table: NULL without one. "{}": no memory. */
void facts_write(const struct line *line, struct calibration_table *table,
                 char into[ARCHIVE_FACTS]);
/* The text of the newest line, and the facts in it. Zeroed at first. */
struct facts {
    bool known;
    struct line line;                /* without its levels */
    struct calibration_table *table; /* a reference; NULL: none */
    char text[ARCHIVE_FACTS];
};

/* As facts_write, which is called only if something has changed. Valid until the next call. */
const char *facts_of(struct facts *f, const struct line *line, struct calibration_table *table);
void facts_finish(struct facts *f);
/* Frequencies of these rows are fractions of an unknown rate. */
bool facts_rate_assumed(const char *facts);

#endif
