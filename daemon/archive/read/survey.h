/*
 * survey.h - how much channels were in use, hour by hour, from the archive. Any thread; blocks on
 * the disk.
 *
 * Terms of ITU-R SM.1880-2: a channel is occupied in a row if its strongest column is above the
 * threshold. FCO, frequency channel occupancy, is the part of the observed time that a channel is
 * occupied; FBO, frequency band occupancy, the part of columns above the threshold; SRO, spectrum
 * resource occupancy, the mean FCO of all channels. A row is a sample: with the maximum, a channel
 * that was in use at any moment of a row was in use for all of it, so FCO is an upper bound, and
 * exact to the duration of a row for each transmission.
 */
#ifndef FFTD_DAEMON_ARCHIVE_READ_SURVEY_H
#define FFTD_DAEMON_ARCHIVE_READ_SURVEY_H

#include <stddef.h>

#include "daemon/archive/store/archive_find.h"
#include "daemon/base/text.h"

enum {
    SURVEY_ROWS = 100000,  /* of the archive, at most; else a coarser tier is read */
    SURVEY_CELLS = 1000000 /* channels times hours, at most */
};

struct survey_query {
    struct archive_time from, to;
    double low_hz, high_hz; /* NAN: that edge of the newest row */
    double width_hz;        /* of a channel; 0: all of the band */
    unsigned detector;
    double threshold_db; /* NAN: above_noise_db over the 20th percentile of the band's columns */
    double above_noise_db;
    double resolution_s; /* duration of a row; 0: the shortest that is not more than SURVEY_ROWS */
};

struct survey_channel {
    double observed_s, occupied_s;
    float max_db; /* -INFINITY: never observed */
};

struct survey_hour {
    int64_t start_ns;
    uint64_t rows;
    double observed_s;
    double band_s; /* observed time times the part of columns above the threshold */
};

struct survey {
    struct survey_query query; /* with the edges found */
    uint64_t period_ns;        /* of the rows */
    uint32_t channels, hours;
    double width_hz;
    struct survey_hour *hour;       /* [hours], also those without rows */
    struct survey_channel *channel; /* [hours][channels] */
};

/*
 * 0; -ENODATA, -ENOENT, -EIO, -ENOMEM as archive_read; -E2BIG: more than SURVEY_CELLS, or than
 * SURVEY_ROWS of the wanted resolution. On failure there is nothing to finish.
 */
int survey_read(const char *folder, const struct survey_query *query, struct survey *out);
void survey_finish(struct survey *s);                                       /* zeroed is fine */
double survey_fco(const struct survey *s, uint32_t hour, uint32_t channel); /* %; NAN: unknown */
double survey_fbo(const struct survey *s, uint32_t hour);
double survey_sro(const struct survey *s, uint32_t hour);
void survey_write_csv(struct text *out, const struct survey *s);
void survey_write_json(struct text *out, const struct survey *s);

#endif
