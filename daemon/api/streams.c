/* streams.c - paths whose answers are large or go on: spectra, history, files. Their rows. */
#include "daemon/api/streams.h"

#include <string.h>

static const struct api_key archive_keys[] = {
    {"from", "a date, seconds since 1970, or less than 0: before the newest row", NULL},
    {"to", "the same for the end", NULL},
    {"low_hz", "lower edge, Hz or with a unit", NULL},
    {"high_hz", "upper edge", NULL},
    {"rows", "rows, at most", NULL},
    {"columns", "columns, at most", NULL},
    {"detector", "detector of the rows", "mean, max, min"},
    {"format", "form of the answer; else the header Accept decides between JSON and CSV",
     "json, csv, png, binary"},
    {"bottom", "level of the darkest color of a PNG", NULL},
    {"top", "level of the brightest color of a PNG", NULL},
    {0},
};

static const struct api_outcome archive_faults[] = {
    {400, "a parameter is wrong, or the answer would be too large"},
    {404, "there is no archive, or it has no rows there"},
    {0}};

static const struct api_key channel_stream_keys[] = {
    {"center_hz", "centre of the channel, in Hz or with a unit, such as 433.92M", NULL},
    {"id", "a named channel, in place of centre, rate and width", NULL},
    {"rate_hz", "samples: the sample rate, such as 250k", NULL},
    {"width_hz",
     "samples: width of the flat part of the filter, by default the maximum at this rate; audio: "
     "width of the filter of the mode",
     NULL},
    {"format",
     "samples: cf32 (default), cs16, cs8 or cu8, with I and Q in turn, little-endian; audio: s16 "
     "(default), f32, wav or ogg",
     NULL},
    {"gain", "in dB, or auto; default: auto for audio, cu8 and cs8, otherwise 0", NULL},
    {"framed",
     "samples: true: a header of 48 bytes before each block has its index, number, time and "
     "missing samples; gaps are not filled with zeros",
     NULL},
    {"mode", "demodulator, such as nfm; the answer is then audio", NULL},
    {"audio_rate_hz", "audio: the sample rate, such as 22050; default: that of the demodulator",
     NULL},
    {"squelch", "audio: off, decibels above the noise (6), or a level in dBFS (level -60)", NULL},
    {"deviation_hz", "FM: the deviation that reads -3 dBFS", NULL},
    {"deemphasis_us", "FM: time constant of the de-emphasis in microseconds", NULL},
    {"tone_hz", "NFM: sub-audible (CTCSS) tone, without which the audio is silent", NULL},
    {"pitch_hz", "CW: audio frequency of a carrier at the centre", NULL},
    {"notch_hz", "audio: frequency of a tone to remove", NULL},
    {"flat", "NFM: true: audio for decoders, without de-emphasis and audio filter", NULL},
    {"mono", "WFM: true: one audio channel instead of stereo", NULL},
    {"wait", "true: in a replay at full speed, the replay waits for the client", NULL},
    {0},
};

static const struct api_outcome channel_stream_faults[] = {
    {400,
     "a parameter is unknown, missing, given twice, or has a bad value; the sentence names it"},
    {404, "channels are off, or none has this name"},
    {409, "the radio sweeps"},
    {416, "the radio does not receive the centre now"},
    {503, "the limit max-channels, or the share of this address, is reached"},
    {0}};

static const struct api_key density_keys[] = {
    {"format", "form of the answer", "json, png"},
    {"persistence", "none, infinite, or a time constant such as 2s", NULL},
    {0},
};

static const struct api_outcome density_faults[] = {
    {400, "a parameter is unknown, given twice, or has a bad value; the sentence names it"},
    {503, "nothing to answer with yet, or too many unread answers; try again after Retry-After"},
    {0}};

static const struct api_key events_keys[] = {
    {"from", "events that end then or later: a date, or seconds since 1970", NULL},
    {"to", "events that begin then or earlier: the same", NULL},
    {"after", "the next events after the one of this id", NULL},
    {"limit", "events, at most", NULL},
    {"trigger", "of the trigger of this name", NULL},
    {0},
};

static const struct api_outcome events_faults[] = {
    {400, "a parameter is unknown, given twice, or has a bad value; the sentence names it"},
    {500, "the database of events cannot be read; the sentence says why"},
    {503, "too many queries wait; try again after Retry-After"},
    {0}};

static const struct api_key history_keys[] = {
    {"detector", "detector of the rows", "mean, max, min"},
    {"low_hz", "lower edge, Hz or with a unit", NULL},
    {"high_hz", "upper edge", NULL},
    {"columns", "columns of a row", NULL},
    {"rows", "rows", NULL},
    {"lines", "the least number of lines in a row", NULL},
    {"before", "only lines before this one; a negative number is one of an archived row", NULL},
    {"from", "only rows that begin at or after this Unix time, s", NULL},
    {"to", "only rows that begin before this Unix time, s", NULL},
    {"format", "form of the answer", "json, binary"},
    {0},
};

static const struct api_outcome history_faults[] = {
    {400, "a parameter is unknown, given twice, or has a bad value; the sentence names it"},
    {404, "the server keeps no history"},
    {503, "nothing to answer with yet, or too many unread answers; try again after Retry-After"},
    {0}};

static const struct api_outcome recording_files_faults[] = {
    {400, "a parameter is unknown, given twice, or has a bad value; the sentence names it"},
    {404, "recordings are off, or no recording has such a file"},
    {409, "the recording has not ended"},
    {503, "16 files are being downloaded already"},
    {0}};

static const struct api_key spectrum_keys[] = {
    {"detector", "detector of the line, or a percentile of its density", NULL},
    {"low_hz", "lower edge, Hz or with a unit", NULL},
    {"high_hz", "upper edge", NULL},
    {"columns", "number of columns, 1 to 65536", NULL},
    {"format", "form of the answer", "json, csv"},
    {"reduction", "how the bins of a column become its level", "peak, normal, min, mean, sample"},
    {"math", "compute the line against a reference", NULL},
    {"reference", "name of that reference", NULL},
    {0},
};

static const struct api_outcome spectrum_faults[] = {
    {400, "a parameter is unknown, given twice, or has a bad value; the sentence names it"},
    {404, "this detector is not computed"},
    {409, "the reference does not apply to this line, or there is none of this name; the sentence "
          "says why"},
    {416, "nothing from low_hz to high_hz is within the span"},
    {503, "nothing to answer with yet, or too many unread answers; try again after Retry-After"},
    {0}};

static const struct api_key survey_keys[] = {
    {"from", "a date, seconds since 1970, or less than 0: before the newest row", NULL},
    {"to", "the same for the end", NULL},
    {"low_hz", "lower edge, Hz or with a unit", NULL},
    {"high_hz", "upper edge", NULL},
    {"width", "width of a channel; 0: the range is one channel", NULL},
    {"detector", "detector of the rows", "mean, max, min"},
    {"threshold", "level above which a channel is occupied", NULL},
    {"above_noise", "distance of the threshold from the noise floor, if threshold is absent", NULL},
    {"resolution", "duration of the rows, as 1s", NULL},
    {"format", "form of the answer", "json, csv"},
    {0},
};

static const struct api_outcome survey_faults[] = {
    {400, "a parameter is wrong, or the answer would be too large"},
    {404, "there is no archive, or it has no rows there"},
    {0}};

static const struct api_outcome healthz_faults[] = {{503, "they are not; the sentence says why"},
                                                    {0}};

static const struct api_outcome ws_faults[] = {{426, "a plain request"}, {0}};

const struct api_stream api_streams[] = {
    {.path = "/api/v1/archive",
     .tag = "spectra",
     .about = "A part of the spectrum archive as rows and columns",
     .keys = archive_keys,
     .faults = archive_faults,
     .types = "application/json, text/csv, image/png, application/octet-stream",
     .result = "OK"},
    {.path = "/api/v1/channel-stream",
     .tag = "channels",
     .about = "The samples of a band of the radio, or their audio, for as long as they are read",
     .keys = channel_stream_keys,
     .needs = "center_hz=100M&rate_hz=48k",
     .faults = channel_stream_faults,
     .types = "application/octet-stream, audio/ogg, audio/wav",
     .result = "the samples or the audio, without end"},
    {.path = "/api/v1/density",
     .tag = "spectra",
     .about = "How often each column was at each level",
     .keys = density_keys,
     .faults = density_faults,
     .types = "application/json, image/png",
     .result = "the density"},
    {.path = "/api/v1/events",
     .tag = "triggers",
     .about = "The newest events of triggers, or those of a time",
     .keys = events_keys,
     .faults = events_faults,
     .types = "application/json",
     .result = "the events"},
    {.path = "/api/v1/history",
     .tag = "spectra",
     .about = "Rows of the recent past, newest first",
     .keys = history_keys,
     .faults = history_faults,
     .types = "application/json, application/octet-stream",
     .result = "the rows"},
    {.path = "/api/v1/recording-files/",
     .tag = "recordings",
     .about = "A file of a recording that has ended, to be saved. It needs no token",
     .faults = recording_files_faults,
     .types = "application/json, application/octet-stream",
     .result = "the file"},
    {.path = "/api/v1/spectrum",
     .tag = "spectra",
     .about = "The newest line through a view",
     .keys = spectrum_keys,
     .faults = spectrum_faults,
     .types = "application/json, text/csv",
     .result = "the line"},
    {.path = "/api/v1/survey",
     .tag = "spectra",
     .about = "How much channels were in use, hour by hour, from the archive",
     .keys = survey_keys,
     .faults = survey_faults,
     .types = "application/json, text/csv",
     .result = "OK"},
    {.path = "/healthz",
     .tag = "state",
     .about = "Whether spectra are being produced",
     .faults = healthz_faults,
     .types = "text/plain",
     .result = "they are"},
    {.path = "/metrics",
     .tag = "state",
     .about = "Counters and gauges for Prometheus",
     .types = "text/plain, application/openmetrics-text",
     .result = "the metrics"},
    {.path = "/ws",
     .tag = "state",
     .about = "The websocket, subprotocol fftd.3",
     .faults = ws_faults,
     .types = "",
     .result = "it is one now"},
    {0},
};

static const struct api_outcome radio_faults[] = {{404, "there is no such radio"}, {0}};

static const struct api_outcome broker_faults[] = {{503, "it is not"}, {0}};

const struct api_stream api_hub_streams[] = {
    {.path = "/api/v1/openapi.json",
     .tag = "state",
     .about = "The description of these paths for programs (OpenAPI 3.0)",
     .types = "application/json",
     .result = "the document"},
    {.path = "/api/v1/radios",
     .tag = "radios",
     .about = "All radios, and the connection to the broker: the message radios",
     .types = "application/json",
     .result = "the radios"},
    {.path = "/api/v1/radios/",
     .tag = "radios",
     .about = "One radio by its name, SITE.RADIO, with its newest ledger, status and link",
     .faults = radio_faults,
     .types = "application/json",
     .result = "the radio"},
    {.path = "/healthz",
     .tag = "state",
     .about = "Whether the broker is connected",
     .faults = broker_faults,
     .types = "text/plain",
     .result = "it is"},
    {.path = "/metrics",
     .tag = "state",
     .about = "Counters and gauges of the hub, its viewers and each radio, for Prometheus",
     .types = "text/plain, application/openmetrics-text",
     .result = "the metrics"},
    {.path = "/ws",
     .tag = "state",
     .about = "The websocket, subprotocol fftd.3",
     .faults = ws_faults,
     .types = "",
     .result = "it is one now"},
    {0},
};

const struct api_stream *api_stream_find(const struct api_stream *rows, const char *path)
{
    const struct api_stream *s = rows;
    while (s->path && strcmp(s->path, path) != 0)
        s++;
    return s->path ? s : NULL;
}
