/* fuzz_calibration.c - libFuzzer target: calibration tables, and rows added to them. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/format/calibration.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const struct calibration_entry entry = {.hz = 100e6,
                                               .offset_db = -20,
                                               .ppm = -1.25,
                                               .gain = {.gain_db = 20, .gain = "", .antenna = "RX"},
                                               .serial = "",
                                               .date = "2026-05-04",
                                               .name = "t"};

/* The offset is that of a row, or between two. */
static void check_offsets(const struct calibration *c)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < c->count; i++) {
        low = fmin(low, c->row[i].offset_db);
        high = fmax(high, c->row[i].offset_db);
    }
    double hz = 0;
    for (int i = 0; i < 20; i++, hz = 3 * hz + 1e3) { /* up to 1 THz */
        const double offset_db = calibration_offset_db(c, hz, &entry.gain);
        if (!isnan(offset_db) && !(offset_db >= low - 1e-6 && offset_db <= high + 1e-6))
            abort();
    }
}

/* The new row applies, whatever the table was. */
static void check_new_row(const char *text, size_t size)
{
    struct text new = {0};
    struct calibration c;
    if (calibration_set_row(&new, text, size, &entry, NULL) < 0)
        abort();
    if (calibration_parse(&c, new.data, new.length, "t", NULL) < 0)
        abort();
    if (fabs(calibration_offset_db(&c, entry.hz, &entry.gain) - entry.offset_db) > 1e-9)
        abort();
    calibration_finish(&c);
    text_finish(&new);
}

/* The new ppm applies, and the rows are as many as before. */
static void check_new_ppm(const char *text, size_t size, size_t rows)
{
    struct text new = {0};
    struct calibration c;
    if (calibration_set_ppm(&new, text, size, &entry, NULL) < 0)
        abort();
    if (calibration_parse(&c, new.data, new.length, "t", NULL) < 0)
        abort();
    if (fabs(c.ppm - entry.ppm) > 1e-9 || c.count != rows)
        abort();
    calibration_finish(&c);
    text_finish(&new);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct calibration c;
    struct reason why = {0};
    const int err = calibration_parse(&c, (const char *)bytes, size, "t", &why);
    if (err < 0 ? strncmp(why.sentence, "t:", 2) != 0 || strpbrk(why.sentence, "\n\r\033") != NULL
                : c.count > CALIBRATION_ROWS_MAX)
        abort();
    if (err < 0)
        return 0;
    const size_t rows = c.count;
    check_offsets(&c);
    calibration_finish(&c);
    check_new_row((const char *)bytes, size);
    check_new_ppm((const char *)bytes, size, rows);
    return 0;
}
