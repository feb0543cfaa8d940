/* archive_fixture.h - an archive in a folder of its own, and the lines that fill it. */
#ifndef FFTD_TESTS_ARCHIVE_ARCHIVE_FIXTURE_H
#define FFTD_TESTS_ARCHIVE_ARCHIVE_FIXTURE_H

#include "tests/support/cmocka_all.h"

#include "daemon/archive/read/archive_read.h"
#include "daemon/archive/write/archiver.h"
#include "daemon/line/line_ring.h"

enum { FIXTURE_BINS = 64 };
static const int64_t fixture_start_ns = INT64_C(1700000000000000000);

struct archive_fixture {
    char folder[64];
    struct archive_options options;
    struct line_ring *lines;
    struct archiver *archiver;
    uint64_t next; /* number of the next line */
    uint32_t n;
    int64_t line_ns;    /* from a line to the next */
    int64_t overlap_ns; /* that a line shares with the next; 0: nothing */
};

/* Sets the defaults: lines of 100 ms with 64 bins of 1 kHz around 100 MHz. */
void archive_fixture_init(struct archive_fixture *r);
void archive_fixture_start(struct archive_fixture *r);
/* Publishes a line: every bin has the levels of `all`, one bin those of `tone`. In dB. */
struct fixture_levels {
    double mean_db, max_db, min_db;
};
void archive_fixture_add(struct archive_fixture *r, const struct fixture_levels *all, uint32_t bin,
                         const struct fixture_levels *tone);
void archive_fixture_add_noise(struct archive_fixture *r,
                               uint32_t count);         /* lines of -90, -80, -110 dB */
bool archive_fixture_stop(struct archive_fixture *r);   /* as archiver_finish */
void archive_fixture_remove(struct archive_fixture *r); /* the folder; stops */
struct archive_query archive_fixture_query(unsigned detector, uint32_t rows, uint32_t columns);
struct archive_picture archive_fixture_read(const struct archive_fixture *r,
                                            const struct archive_query *q);
double archive_fixture_level(const struct archive_picture *p, uint32_t row, uint32_t column);

#endif
