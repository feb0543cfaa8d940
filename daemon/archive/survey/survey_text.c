/* survey_text.c - writes a survey as CSV and JSON. Hours without rows are left out. */
#include <math.h>

#include "daemon/archive/survey/survey.h"
#include "daemon/base/unix_time.h"
#include "daemon/line/line.h"

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
    for (uint32_t h = 0; h < s->hours; h++) {
        char time[UNIX_TIME_TEXT];
        for (uint32_t c = 0; s->hour[h].rows > 0 && c < s->channels; c++) {
            const struct survey_channel *channel = channel_of(s, h, c);
            if (!(channel->observed_s > 0))
                continue;
            text_add(out, "%s,%.15g,%.15g,%.3f,%.2f,%.1f\n", hour_text(s, h, time), center_hz(s, c),
                     s->width_hz, survey_fco(s, h, c), (double)channel->max_db,
                     channel->observed_s);
        }
    }
}

static void add_channels(struct text *out, const struct survey *s, uint32_t hour)
{
    const char *separator = "";
    for (uint32_t c = 0; c < s->channels; c++) {
        const struct survey_channel *channel = channel_of(s, hour, c);
        if (!(channel->observed_s > 0))
            continue;
        text_add(out,
                 "%s\n   {\"frequency_hz\": %.15g, \"fco_percent\": %.3f, \"max_dbfs\": %.2f, "
                 "\"observed_s\": %.1f}",
                 separator, center_hz(s, c), survey_fco(s, hour, c), (double)channel->max_db,
                 channel->observed_s);
        separator = ",";
    }
}

void survey_write_json(struct text *out, const struct survey *s)
{
    const char *separator = "";
    text_add(out,
             "{\"detector\": \"%s\", \"resolution_s\": %.15g, \"low_hz\": %.15g, \"high_hz\": "
             "%.15g, \"width_hz\": %.15g, \"channels\": %u,\n \"hours\": [",
             detector_name(s->query.detector), (double)s->period_ns / 1e9, s->query.low_hz,
             s->query.high_hz, s->width_hz, s->channels);
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
