/* survey.c - counts the rows in which channels are in use, and writes the result as CSV and JSON.
 */
#include "daemon/archive/read/survey.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/archive/reduce.h"
#include "daemon/archive/store/archive_store.h"
#include "daemon/base/unix_time.h"
#include "daemon/database/database.h"
#include "daemon/line/line.h"

static const int64_t hour_ns = INT64_C(3600) * 1000000000;
static const double floor_percent = 20;

struct counting {
    struct survey *out;
    sqlite3 *db;
    const char *folder;
    uint64_t period_ns[ARCHIVE_TIERS];
    int tiers;
    struct archive_interval interval;
    int64_t first_hour_ns;
    int64_t row_ns, row_end_ns; /* of the row before */
    float *level;               /* [ARCHIVE_COLUMNS] of a row */
    uint32_t *histogram;
};

/* ---- a row ------------------------------------------------------------------------------ */

enum { HISTOGRAM = 8000, STEPS_PER_DB = 10 };

static uint32_t step_of(float db)
{
    const float at = (db + 400) * STEPS_PER_DB;
    return at <= 0 ? 0 : at >= HISTOGRAM - 1 ? HISTOGRAM - 1 : (uint32_t)at;
}

/* The percentile of levels, exact to 0.05 dB. */
static double find_floor(struct counting *k, const float *level, uint32_t count)
{
    uint32_t below = 0, i = 0;
    memset(k->histogram, 0, HISTOGRAM * sizeof *k->histogram);
    for (uint32_t c = 0; c < count; c++)
        k->histogram[step_of(level[c])]++;
    const uint32_t wanted = (uint32_t)(floor_percent / 100 * (count - 1)) + 1;
    while (i < HISTOGRAM - 1 && (below += k->histogram[i]) < wanted)
        i++;
    return (i + 0.5) / STEPS_PER_DB - 400;
}

/* Stored columns whose centres are in [low, high); false: the row does not have all of them. */
static bool find_columns(const struct archive_layout *l, double low_hz, double high_hz,
                         uint32_t range[2])
{
    const double from = ceil((low_hz - l->low_hz) / l->column_hz - 0.5 - 1e-6);
    const double to = ceil((high_hz - l->low_hz) / l->column_hz - 0.5 - 1e-6);
    if (!(from >= -1 && to <= l->columns + 1.0 && to > from))
        return false;
    range[0] = from < 0 ? 0 : (uint32_t)from;
    range[1] = to > l->columns ? l->columns : (uint32_t)to;
    return range[0] < range[1];
}

static double channel_low(const struct survey *s, uint32_t channel)
{
    return s->query.low_hz + channel * s->width_hz;
}

/*
 * Frames overlap, so the first samples of a row are the last ones of the row before: they were
 * observed once. A row that does not follow in time is that of another run.
 */
static double observe(struct counting *k, const struct archive_row *row)
{
    const int64_t end_ns = row->time_ns + row->duration_ns;
    const bool follows = row->time_ns > k->row_ns && row->time_ns < k->row_end_ns;
    const int64_t from_ns = follows ? k->row_end_ns : row->time_ns;
    k->row_ns = row->time_ns;
    k->row_end_ns = end_ns;
    return end_ns > from_ns ? (double)(end_ns - from_ns) / 1e9 : 0;
}

static void count_row(struct counting *k, const struct archive_layout *l,
                      const struct archive_row *row, struct survey_hour *hour)
{
    struct survey *s = k->out;
    uint32_t range[2], above = 0;
    const double observed_s = observe(k, row);
    struct survey_channel *channel = s->channel + (size_t)(hour - s->hour) * s->channels;
    if (!find_columns(l, s->query.low_hz, channel_low(s, s->channels), range))
        return; /* the radio was elsewhere */
    const uint32_t count = range[1] - range[0];
    const double threshold =
        isnan(s->query.threshold_db)
            ? find_floor(k, k->level + range[0], count) + s->query.above_noise_db
            : s->query.threshold_db;
    for (uint32_t c = range[0]; c < range[1]; c++)
        above += (double)k->level[c] > threshold;
    hour->rows++;
    hour->observed_s += observed_s;
    hour->band_s += observed_s * above / count;
    for (uint32_t i = 0; i < s->channels; i++) {
        if (!find_columns(l, channel_low(s, i), channel_low(s, i + 1), range))
            continue;
        const float max = archive_reduce(1, k->level + range[0], range[1] - range[0]);
        channel[i].observed_s += observed_s;
        channel[i].occupied_s += (double)max > threshold ? observed_s : 0;
        channel[i].max_db = fmaxf(channel[i].max_db, max);
    }
}

static int take_block(void *user, struct block_reader *r)
{
    struct counting *k = user;
    const unsigned d = k->out->query.detector;
    const struct block_levels levels = {.mean_db = d == 0 ? k->level : NULL,
                                        .max_db = d == 1 ? k->level : NULL,
                                        .min_db = d == 2 ? k->level : NULL};
    if (!(r->head.layout.detectors & 1U << d))
        return 0;
    for (uint32_t i = 0; i < r->head.rows && block_next_row(r, &levels) == 0; i++) {
        const struct archive_row *row = &r->row[i];
        if (row->time_ns < k->interval.from_ns || row->time_ns >= k->interval.to_ns)
            continue;
        const int64_t hour = (row->time_ns - k->first_hour_ns) / hour_ns;
        count_row(k, &r->head.layout, row, &k->out->hour[hour]);
    }
    return 0;
}

/* ---- what is read ----------------------------------------------------------------------- */

/* The wanted tier, or the finest that is not too many rows and does not begin late. */
static int choose_tier(const struct counting *k, uint64_t *period_ns)
{
    const uint64_t wanted = (uint64_t)llround(k->out->query.resolution_s * 1e9);
    const uint64_t length = (uint64_t)(k->interval.to_ns - k->interval.from_ns);
    for (int i = 0; i < k->tiers; i++) {
        int64_t start;
        const int err = archive_find_start(k->db, k->period_ns[i], &k->interval, &start);
        const bool late = start - k->interval.from_ns > (int64_t)k->period_ns[i];
        const bool last = i + 1 == k->tiers;
        if (err < 0)
            return err;
        if (wanted > 0 ? k->period_ns[i] != wanted
                       : !last && (late || length / k->period_ns[i] > SURVEY_ROWS))
            continue;
        *period_ns = k->period_ns[i];
        return length / *period_ns > SURVEY_ROWS ? -E2BIG : 0;
    }
    return -ENODATA;
}

/* The edges that the query leaves open are those of the newest block. */
static int take_newest(void *user, struct block_reader *r)
{
    struct counting *k = user;
    struct survey_query *q = &k->out->query;
    const struct archive_layout *l = &r->head.layout;
    q->low_hz = isnan(q->low_hz) ? l->low_hz : q->low_hz;
    q->high_hz = isnan(q->high_hz) ? l->low_hz + l->columns * l->column_hz : q->high_hz;
    return l->detectors & 1U << q->detector ? 1 : -ENODATA;
}

static int allocate(struct counting *k)
{
    struct survey *s = k->out;
    const double width =
        s->query.width_hz > 0 ? s->query.width_hz : s->query.high_hz - s->query.low_hz;
    const double channels = fmax(1, floor((s->query.high_hz - s->query.low_hz) / width + 1e-9));
    k->first_hour_ns = archive_period_index(k->interval.from_ns, hour_ns) * hour_ns;
    const int64_t hours = (k->interval.to_ns - 1 - k->first_hour_ns) / hour_ns + 1;
    if (!(channels * (double)hours <= SURVEY_CELLS))
        return -E2BIG;
    s->width_hz = width;
    s->channels = (uint32_t)channels;
    s->hours = (uint32_t)hours;
    s->hour = calloc(s->hours, sizeof *s->hour);
    s->channel = calloc((size_t)s->hours * s->channels, sizeof *s->channel);
    k->level = malloc(ARCHIVE_COLUMNS * sizeof *k->level);
    k->histogram = malloc(HISTOGRAM * sizeof *k->histogram);
    if (!s->hour || !s->channel || !k->level || !k->histogram)
        return -ENOMEM;
    for (uint32_t h = 0; h < s->hours; h++)
        s->hour[h].start_ns = k->first_hour_ns + h * hour_ns;
    for (size_t i = 0; i < (size_t)s->hours * s->channels; i++)
        s->channel[i].max_db = -INFINITY;
    return 0;
}

static int count_all(struct counting *k)
{
    struct survey *s = k->out;
    k->tiers = archive_find_tiers(k->db, s->query.from, s->query.to, k->period_ns, &k->interval);
    int err = k->tiers < 0 ? k->tiers : 0;
    if (err == 0)
        err = choose_tier(k, &s->period_ns);
    struct archive_blocks which = {.db = k->db,
                                   .folder = k->folder,
                                   .period_ns = s->period_ns,
                                   .from_ns = k->interval.from_ns,
                                   .to_ns = k->interval.to_ns,
                                   .after_ns = INT64_MIN,
                                   .newest = true};
    if (err == 0)
        err = archive_find_blocks(&which, take_newest, k);
    if (err == 0)
        err = -ENODATA;
    if (err > 0)
        err = s->query.high_hz > s->query.low_hz ? allocate(k) : -ENODATA;
    which.newest = false;
    return err < 0 ? err : archive_find_blocks(&which, take_block, k);
}

int survey_read(const char *folder, const struct survey_query *query, struct survey *out)
{
    struct counting k = {.out = out, .folder = folder};
    *out = (struct survey){.query = *query};
    int err = archive_index_open_read(&k.db, folder);
    if (err == 0)
        err = count_all(&k);
    free(k.level);
    free(k.histogram);
    database_close(k.db);
    if (err < 0)
        survey_finish(out);
    return err < 0 ? err : 0;
}

void survey_finish(struct survey *s)
{
    free(s->hour);
    free(s->channel);
    *s = (struct survey){0};
}

/* ---- figures ---------------------------------------------------------------------------- */

double survey_fco(const struct survey *s, uint32_t hour, uint32_t channel)
{
    const struct survey_channel *c = &s->channel[(size_t)hour * s->channels + channel];
    return c->observed_s > 0 ? 100 * c->occupied_s / c->observed_s : NAN;
}

double survey_fbo(const struct survey *s, uint32_t hour)
{
    const struct survey_hour *h = &s->hour[hour];
    return h->observed_s > 0 ? 100 * h->band_s / h->observed_s : NAN;
}

double survey_sro(const struct survey *s, uint32_t hour)
{
    double sum = 0;
    uint32_t known = 0;
    for (uint32_t c = 0; c < s->channels; c++) {
        const double fco = survey_fco(s, hour, c);
        sum += isnan(fco) ? 0 : fco;
        known += isnan(fco) ? 0U : 1U;
    }
    return known > 0 ? sum / known : NAN;
}

/* ---- text: hours without rows are left out ------------------------------------------------ */

static const char *hour_text(const struct survey *s, uint32_t hour, char into[UNIX_TIME_TEXT])
{
    const struct unix_stamp stamp = unix_time_stamp(s->hour[hour].start_ns);
    strftime(into, UNIX_TIME_TEXT, "%Y-%m-%dT%H:%MZ", &stamp.tm);
    return into;
}

static const struct survey_channel *channel_of(const struct survey *s, uint32_t hour,
                                               uint32_t channel)
{
    return &s->channel[(size_t)hour * s->channels + channel];
}

static double center_hz(const struct survey *s, uint32_t channel)
{
    return s->query.low_hz + (channel + 0.5) * s->width_hz;
}

void survey_write_csv(struct text *out, const struct survey *s)
{
    text_add(out, "hour,frequency_hz,width_hz,fco_percent,max_dbfs,observed_s\n");
    char width[NUMBER_TEXT], center[NUMBER_TEXT];
    for (uint32_t h = 0; h < s->hours; h++) {
        char time[UNIX_TIME_TEXT];
        for (uint32_t c = 0; s->hour[h].rows > 0 && c < s->channels; c++) {
            const struct survey_channel *channel = channel_of(s, h, c);
            if (!(channel->observed_s > 0))
                continue;
            text_add(out, "%s,%s,%s,%.3f,%.2f,%.1f\n", hour_text(s, h, time),
                     number_text(center_hz(s, c), center), number_text(s->width_hz, width),
                     survey_fco(s, h, c), (double)channel->max_db, channel->observed_s);
        }
    }
}

static void add_channels(struct text *out, const struct survey *s, uint32_t hour)
{
    const char *separator = "";
    char center[NUMBER_TEXT];
    for (uint32_t c = 0; c < s->channels; c++) {
        const struct survey_channel *channel = channel_of(s, hour, c);
        if (!(channel->observed_s > 0))
            continue;
        text_add(out,
                 "%s\n   {\"frequency_hz\": %s, \"fco_percent\": %.3f, \"max_dbfs\": %.2f, "
                 "\"observed_s\": %.1f}",
                 separator, number_text(center_hz(s, c), center), survey_fco(s, hour, c),
                 (double)channel->max_db, channel->observed_s);
        separator = ",";
    }
}

void survey_write_json(struct text *out, const struct survey *s)
{
    char low[NUMBER_TEXT], high[NUMBER_TEXT], width[NUMBER_TEXT];
    const char *separator = "";
    text_add(out,
             "{\"detector\": \"%s\", \"resolution_s\": %.15g, \"low_hz\": %s, \"high_hz\": "
             "%s, \"width_hz\": %s, \"channels\": %u,\n \"hours\": [",
             detector_name(s->query.detector), (double)s->period_ns / 1e9,
             number_text(s->query.low_hz, low), number_text(s->query.high_hz, high),
             number_text(s->width_hz, width), s->channels);
    for (uint32_t h = 0; h < s->hours; h++) {
        char time[UNIX_TIME_TEXT];
        if (s->hour[h].rows == 0)
            continue;
        text_add(out,
                 "%s\n  {\"hour\": \"%s\", \"rows\": %llu, \"observed_s\": %.1f, \"fbo_percent\": "
                 "%.3f, \"sro_percent\": %.3f, \"channels\": [",
                 separator, hour_text(s, h, time), (unsigned long long)s->hour[h].rows,
                 s->hour[h].observed_s, survey_fbo(s, h), survey_sro(s, h));
        add_channels(out, s, h);
        text_add(out, "]}");
        separator = ",";
    }
    text_add(out, "]}\n");
}
