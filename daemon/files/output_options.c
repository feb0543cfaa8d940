/* output_options.c - the options of output files. */
#include "daemon/files/output_options.h"

#include "daemon/option/rows.h"

#define OPTION_OF struct output_options

const struct config_option output_options[] = {
    {"output", "csv", STRING(csv, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help = "Write lines as CSV with the columns of rtl_power"},
    {"output", "csv-format", .kind = OPTION_INDEX, FIELD(csv_form), .fallback = "rtl_power",
     .metavar = "FORM", .choices = "rtl_power, hackrf_sweep, mhz-dbm",
     .help = "Form of csv. mhz-dbm has two columns for frequency planners, and one sweep: the mean "
             "of the whole run, or its maximum with detector = max, written at the end"},
    {"output", "csv-time", .kind = OPTION_INDEX, FIELD(csv_time_index), .fallback = "microseconds",
     .metavar = "UNIT", .choices = "microseconds, seconds",
     .help =
         "Resolution of the time in csv. Readers of rtl_power's files, such as heatmap.py, need "
         "seconds; at more than one line per second, several rows then have the same time"},
    {"output", "json", STRING(json, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help = "Write lines as JSON, one object per line"},
    {"output", "measure-json", STRING(measure_json, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help = "Write the results of the measurements of each line as JSON, one object per "
             "measurement"},
    {"output", "events", STRING(events, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help = "Write each event of a trigger as CSV when it ends; csv-time also applies"},
    {"output", "stats", STRING(stats, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help = "Write one JSON object at the end: samples, losses by cause, frames, lines, "
             "speed. The reader of a FIFO must open it within two seconds after the end; "
             "otherwise fftd exits with an error"},
    {"output", "overwrite", FLAG(overwrite),
     .help = "Empty existing files of outputs at the start, whatever they contain. "
             "Otherwise fftd adds rows to an earlier output of the same form, and refuses "
             "any other file"},
    {"output", "output-max-bytes", BYTES(max_bytes, "0"), RANGE(4096, 1099511627776.0),
     .help = "Rename the file of an output to FILE.000001, FILE.000002, ... before it has more "
             "bytes, and begin a new one; 0 is no limit"},
    {"output", "output-max-age", NUMBER(max_age_s, "0"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 1e9),
     .help = "Rename the file of an output in the same way after it received rows for this "
             "time, such as 1d; 0 is no limit. Applies only in real time"},
    {"output", "output-keep", COUNT(keep, "0"), .metavar = "COUNT", RANGE(0, 1e6),
     .help = "Number of renamed files to keep for each output; fftd deletes older ones; 0 "
             "keeps all. Applies only in real time"},
    {"output", "detector", .kind = OPTION_INDEX, FIELD(detector_index), .fallback = "mean",
     .metavar = "NAME", .choices = "mean, max, min, sample", .help = "Detector in csv and json"},
    {"output", "lines", COUNT(lines, "0"), .metavar = "COUNT", RANGE(0, 1e15),
     .help = "Stop after this many lines; 0 is no limit"},
    {"output", "duration", NUMBER(duration_s, "0"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 1e9), .help = "Stop after this many seconds of samples; 0 is no limit"},
    {0}};
