/* record_options.c - the options of recordings. */
#include "daemon/record/record_options.h"

#include "daemon/option/rows.h"

#define OPTION_OF struct record_options

const struct config_option record_options[] = {
    {"record", "record", STRING(folder, ""), .metavar = "DIR", .expected = "a directory",
     .help = "Allow recordings of the samples, as SigMF pairs in this directory: of the "
             "events of triggers, over HTTP, and from the page. Also completes recordings "
             "that a crash interrupted"},
    {"record", "record-all", FLAG(all), .help = "Record all samples, from the first one on"},
    {"record", "pre", NUMBER(pre_s, "10ms"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 3600),
     .help = "Recordings of triggers begin this long before the event, as far as the IQ "
             "ring reaches back"},
    {"record", "post", NUMBER(post_s, "50ms"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 3600), .help = "Recordings of triggers end this long after the event"},
    {"record", "record-events-max", BYTES(events_max, "4G"), RANGE(1048576, 1125899906842624.0),
     .help = "Maximum bytes per hour of recordings of triggers; unused bytes are kept for up to an "
             "hour. 0 is no limit"},
    {"record", "record-split", BYTES(split, "0"), RANGE(1048576, 1099511627776.0),
     .help = "Continue a recording in the next pair after this many bytes; 0 is no limit"},
    {"record", "record-max-bytes", BYTES(max_bytes, "0"), RANGE(1048576, 1125899906842624.0),
     .help = "Largest total size of the recordings in the directory; fftd deletes the "
             "oldest; 0 is no limit"},
    {"record", "record-max-age", NUMBER(max_age_s, "0"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 1e9), .help = "Delete recordings older than this, such as 30d; 0 is no limit"},
    {"record", "record-min-free", BYTES(min_free, "256M"), RANGE(1048576, 1125899906842624.0),
     .help = "Free space that recordings leave on the disk: they end when less is left"},
    {"record", "iq-history", BYTES(iq_history, "0"), RANGE(67108864, 1125899906842624.0),
     .help = "Keep the newest samples in a file of this size, so that recordings may start "
             "in the past; 0 keeps no file"},
    {"record", "iq-history-dir", STRING(iq_history_folder, ""), .metavar = "DIR",
     .expected = "a directory",
     .help = "Directory of the file of iq-history; by default, the directory of the "
             "recordings"},
    {"record", "cut-format", .kind = OPTION_INDEX, FIELD(cut_cs16), .fallback = "cf32",
     .metavar = "FORMAT", .choices = "cf32, cs16",
     .help = "Sample format of a cut recording: cs16 takes half the space, and clips "
             "samples beyond full scale"},
    {0}};
