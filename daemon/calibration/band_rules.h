/*
 * band_rules.h - the bins that are on the spur list, which searches and noise floors leave out.
 * Pure, any thread.
 *
 * A spur takes the bins of its width, and on both sides of it the main lobe of the window down to
 * -60 dB, at most 8 bins: what a tone at its edge leaves there. The bins are found once for a
 * tuning, FFT size, window and list, not for every line.
 */
#ifndef FFTD_DAEMON_CALIBRATION_BAND_RULES_H
#define FFTD_DAEMON_CALIBRATION_BAND_RULES_H

#include "daemon/format/spur_list.h"
#include "daemon/line/line.h"

enum { BAND_RULES_MAX = SPURS_MAX + 1 }; /* and the centre */

struct band_spur {
    struct line_bins bins; /* within the usable band */
    char note[SPUR_NOTE];  /* of one of its entries */
};

/* Zeroed at first: no bin is left out. */
struct band_rules {
    uint32_t count;
    struct band_spur spur[BAND_RULES_MAX]; /* rising, with bins between them */

    /* Private: the line that they were made for. */
    uint32_t n;
    double center_hz, rate_hz, usable_percent, lobe_bins;
    bool rate_assumed, dc_spur;
    char window[32];
    const struct spur_list *list;
};

/*
 * Makes the rules for this line, unless they are for it already. list: NULL is none; it is compared
 * by its address.
 */
void band_rules_update(struct band_rules *r, const struct line *line, const struct spur_list *list);
/* The spur that has this bin; NULL: none, or r is NULL. */
const struct band_spur *band_rules_spur(const struct band_rules *r, uint32_t bin);
/*
 * The first bins of from .. last, without a break, that are on no list. False: there are none. r:
 * NULL has no spurs. The next ones begin after out->last.
 */
bool band_rules_next(const struct band_rules *r, uint32_t from, uint32_t last,
                     struct line_bins *out);

#endif
