/* options.c - the table of options: one row for each setting of fftd. */
#include "daemon/config/options.h"

#include <math.h>
#include <string.h>

#include "daemon/config/config.h"

#define FIELD(member)                                                                              \
    .offset = offsetof(struct config, member), .size = sizeof(((struct config *)0)->member)
#define FLAG(member)         .kind = OPTION_FLAG, .fallback = "no", FIELD(member)
#define STRING(member, text) .kind = OPTION_STRING, .fallback = (text), FIELD(member)
#define LABEL(member, text)  .kind = OPTION_LABEL, .fallback = (text), FIELD(member)
#define NUMBER(member, text) .kind = OPTION_NUMBER, .fallback = (text), FIELD(member)
#define COUNT(member, text)  .kind = OPTION_COUNT, .fallback = (text), FIELD(member)
#define RANGE(low, top)      .min = (low), .max = (top)

#define WINDOWS                                                                                    \
    "one of rect, hann, hamming, blackman, blackman-harris, nuttall, flat-top, kaiser, "           \
    "kaiser(BETA), gauss, gauss(ALPHA)"

const struct config_option config_options[] = {
    {"source", "source", STRING(source.source, "auto"), .metavar = "NAME",
     .choices = "auto, soapy, file, sim",
     .help = "Kind of source. auto selects file if replay is set, otherwise soapy; it never "
             "selects the simulation"},
    {"source", "replay", 'r', STRING(source.replay, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard input",
     .help = "Recording to analyse: cu8, cs8, cs16, cf32, WAV with two channels, SigMF, or sdriq. "
             "By default "
             "it runs as fast as the readers accept, and without a server unless listen is set"},
    {"source", "device", 'd', STRING(source.device, ""), .metavar = "ARGS",
     .expected = "KEY=VALUE pairs, separated by commas", .check = option_check_key_values,
     .help = "SoapySDR arguments that select the radio (driver=rtlsdr,serial=1), or arguments of "
             "the simulation (seed=1)"},
    {"source", "format", STRING(source.format, ""), .metavar = "FORMAT",
     .choices = "cu8, cs8, cs16, cf32",
     .help = "Sample format: overrides the format of a recording, which is guessed if neither its "
             "header nor its name gives it, or sets the stream format of a radio"},
    {"source", "stream-args", STRING(source.stream_args, ""), .metavar = "ARGS",
     .expected = "KEY=VALUE pairs, separated by commas", .check = option_check_key_values,
     .help = "Arguments of the SoapySDR stream (buffers=32)"},
    {"source", "settings", STRING(source.settings, ""), .metavar = "ARGS",
     .expected = "KEY=VALUE pairs, separated by commas", .check = option_check_key_values,
     .help = "Settings written to the radio (direct_samp=2)"},
    {"source", "bias-tee", FLAG(source.bias_tee),
     .help = "Supply power to an amplifier through the antenna socket"},
    {"source", "wait-device", NUMBER(source.wait_s, ""), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 1e9), .missing = -1,
     .help = "End with status 1 if the radio is missing for so long; 0 waits for ever. Without "
             "this option, fftd waits 10 s if lines or duration is given, otherwise for ever"},
    {"source", "realtime", FLAG(source.realtime),
     .help = "Replay a recording at its own speed, with the server"},
    {"source", "fast", FLAG(fast),
     .help = "Run a recording or the simulation as fast as the readers accept, and without a "
             "server unless listen is set"},
    {"source", "loop", FLAG(source.loop),
     .help = "Restart a recording at its end; implies realtime unless fast is set"},
    {"source", "ring-size", .kind = OPTION_BYTES, FIELD(ring_bytes), .fallback = "0",
     .metavar = "BYTES",
     .expected = "0, or a whole number of bytes from 64k to 1024G; k, M and G are powers of 1024",
     .unit = SI_BINARY, RANGE(65536, 1099511627776.0),
     .help = "Size of the ring of raw samples; 0 is one second of samples or eight frames, "
             "whichever is larger. It must hold eight batches of about 10 ms or 16 frames, and "
             "never changes the spectra"},

    {"radio", "center", 'f', NUMBER(settings.tuning.center_hz, ""), .metavar = "HZ", .unit = SI_HZ,
     RANGE(0, 1e12), .missing = NAN, .live = true,
     .help = "Centre frequency; overrides that of a recording"},
    {"radio", "rate", 's', NUMBER(settings.tuning.rate_hz, ""), .metavar = "HZ", .unit = SI_RATE,
     RANGE(1, 1e10), .live = true,
     .help = "Samples per second; overrides that of a recording. Without any, "
             "frequencies of a recording are fractions of its rate"},
    {"radio", "gain", 'g', LABEL(settings.tuning.gain, "auto"), .metavar = "GAIN",
     .expected = "auto, dB, or dB for each element as in LNA=20,TIA=8", .check = option_check_gain,
     .live = true, .help = "Gain of the radio; empty keeps the setting of the driver"},
    {"radio", "ppm", NUMBER(settings.tuning.ppm, "0"), .metavar = "PPM", .unit = SI_PPM,
     RANGE(-1000, 1000), .live = true,
     .help = "Correction of the radio's clock in parts per million"},
    {"radio", "bandwidth", NUMBER(settings.tuning.bandwidth_hz, "0"), .metavar = "HZ",
     .unit = SI_HZ, RANGE(0, 1e10), .live = true,
     .help = "Bandwidth of the analogue filter; 0 lets the driver choose"},
    {"radio", "antenna", LABEL(settings.tuning.antenna, ""), .metavar = "NAME",
     .expected = "a name of at most 31 characters", .live = true,
     .help = "Antenna socket; empty lets the driver choose"},
    {"radio", "calibration", STRING(calibration.file, ""), .metavar = "FILE",
     .expected = "a file name", .live = true,
     .help = "Calibration table of the radio: measurements and csv-format mhz-dbm are in dBm where "
             "it knows the frequency, gain and antenna, and its ppm is the default of ppm"},

    {"spectrum", "fft-size", 'n', COUNT(settings.n, "4096"), .metavar = "SAMPLES",
     .unit = SI_BINARY, .expected = "a power of two from 64 to 4194304",
     .check = option_check_power_of_two, .live = true,
     .help = "Samples in one frame, which is also the number of bins"},
    {"spectrum", "rbw", NUMBER(settings.rbw_hz, "0"), .metavar = "HZ", .unit = SI_HZ,
     RANGE(0, 1e10), .live = true,
     .help = "Resolution bandwidth: the noise bandwidth of a bin. fftd takes the smallest FFT size "
             "with this RBW or a finer one; 0 uses fft-size. Cannot be combined with fft-size"},
    {"spectrum", "window", 'w', .kind = OPTION_WINDOW, FIELD(settings.window),
     .fallback = "blackman-harris", .metavar = "WINDOW", .expected = WINDOWS, .live = true,
     .help = "Analysis window. blackman-harris shows weak signals 90 dB below strong ones; "
             "flat-top measures levels most accurately"},
    {"spectrum", "overlap", NUMBER(settings.overlap, "50"), .metavar = "PERCENT",
     .unit = SI_PERCENT, .expected = "a number from 0 to less than 100",
     .check = option_check_overlap, .live = true,
     .help = "Overlap of successive frames in per cent"},
    {"spectrum", "average", COUNT(settings.average, "0"), .metavar = "FRAMES", RANGE(0, 1e9),
     .live = true,
     .help = "Frames folded into one line; 0 uses line-rate. Cannot be combined with line-rate"},
    {"spectrum", "line-rate", NUMBER(settings.line_rate_hz, "20"), .metavar = "HZ",
     .unit = SI_LINES, RANGE(0.001, 100e3), .live = true,
     .help = "Lines of spectrum per second of samples"},

    {"spectrum", "density-columns", COUNT(settings.density.columns, "801"), .metavar = "COUNT",
     RANGE(1, 4096), .live = true,
     .help = "Columns of the density, which counts how often each column is at each level"},
    {"spectrum", "density-levels", COUNT(settings.density.levels, "201"), .metavar = "COUNT",
     RANGE(2, 512), .live = true, .help = "Levels of the density"},
    {"spectrum", "density-top", NUMBER(settings.density.top_db, "0"), .metavar = "DB",
     .unit = SI_DB, RANGE(-300, 300), .live = true,
     .help = "Highest level of the density in dBFS; higher ones count there"},
    {"spectrum", "density-step", NUMBER(settings.density.step_db, "0.5"), .metavar = "DB",
     .unit = SI_DB, RANGE(0.01, 20), .live = true,
     .help = "Distance of two levels of the density; lower levels than the last count there"},

    {"engine", "engine", 'e', STRING(engine.name, "auto"), .metavar = "NAME[:DEVICE]",
     .expected = "auto, or an engine's name, with :DEVICE where it has several",
     .check = option_check_engine,
     .help = "Engine that computes the spectra; auto selects the best one that works (see "
             "--list-engines)"},
    {"engine", "threads", 't', COUNT(engine.threads, "0"), .metavar = "COUNT", RANGE(0, 256),
     .help = "Worker threads of the cpu engine; 0 is one for each core"},
    {"engine", "isa", STRING(engine.isa, "auto"), .metavar = "NAME",
     .expected = "auto, or the name of an instruction set", .check = option_check_name,
     .help = "Instruction set that the cpu engine must use; for tests"},
    {"engine", "engine-options", STRING(engine.options, ""), .metavar = "LIST",
     .expected = "options as in plan=local,measure",
     .help =
         "Options of the opencl engine. plan=passes, digitrev, local, fourstep or whole forces a "
         "plan; measure times the most promising plans and keeps the fastest; cache=DIR (or off) "
         "is the directory for compiled kernels; profile=NAME plans as for another device; "
         "twiddles=native computes twiddles with native functions where these are accurate enough; "
         "storage=half keeps points between passes in 16 bits, with an error of about -70 dB"},

    {"server", "listen", 'l', STRING(server.listen, "127.0.0.1:8010"), .metavar = "ADDRESS",
     .expected = "ADDRESS:PORT, [IPV6]:PORT, :PORT, unix:/PATH, systemd, or none",
     .check = option_check_listen,
     .help =
         "Address of the page and the websocket; :PORT is that port of 127.0.0.1, and [::] serves "
         "IPv4 too. fftd serves plain HTTP: use a loopback address, a Unix socket, or a TLS proxy. "
         "systemd uses the socket of fftd.socket; none opens no port"},
    {"server", "socket-group", STRING(server.socket_group, ""), .metavar = "GROUP",
     .expected = "the name of a group", .check = option_check_name,
     .help = "Group of the Unix socket, such as the group of a proxy; fftd must be a member of it"},
    {"server", "socket-mode", STRING(server.socket_mode, "0660"), .metavar = "MODE",
     .expected = "octal digits from 0 to 0777", .check = option_check_mode,
     .help = "Access rights of the Unix socket; 0666 lets every user of the machine connect"},
    {"server", "token", STRING(server.token, ""), .metavar = "TEXT", .expected = "some text",
     .secret = true,
     .help = "Control token, best of 16 characters or more: a client that sends it may change the "
             "radio. Every user can read a command line, so prefer token-file"},
    {"server", "token-file", STRING(server.token_file, ""), .metavar = "FILE",
     .expected = "a file name", .help = "File with the control token in its first line"},
    {"server", "web-root", STRING(server.web_root, ""), .metavar = "DIR", .expected = "a directory",
     .help = "Serve the page from this directory instead of the built-in one; for development"},
    {"server", "allow-origin", STRING(server.allow_origin, ""), .metavar = "LIST",
     .expected = "origins as in https://sdr.example.org, separated by commas",
     .check = option_check_origins,
     .help =
         "Additional origins whose pages may connect; the origin of the daemon is always allowed"},
    {"server", "allow-host", STRING(server.allow_host, ""), .metavar = "LIST",
     .expected = "host names separated by commas", .check = option_check_hosts,
     .help = "Additional host names of the daemon; addresses and localhost are always allowed"},
    {"server", "max-clients", COUNT(server.max_clients, "256"), .metavar = "COUNT", RANGE(1, 10000),
     .help = "Maximum number of websocket clients"},
    {"server", "max-views", COUNT(server.max_views, "64"), .metavar = "COUNT", RANGE(1, 10000),
     .help = "Maximum number of different views; clients with the same view share one"},

    {"output", "csv", STRING(output.csv, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help = "Write lines as CSV with the columns of rtl_power"},
    {"output", "csv-format", .kind = OPTION_INDEX, FIELD(output.csv_form), .fallback = "rtl_power",
     .metavar = "FORM", .choices = "rtl_power, hackrf_sweep, mhz-dbm",
     .help = "Form of csv. mhz-dbm has two columns for frequency planners, and one sweep: the mean "
             "of the whole run, or its maximum with detector = max, written at the end"},
    {"output", "csv-time", .kind = OPTION_INDEX, FIELD(output.csv_time_index),
     .fallback = "microseconds", .metavar = "UNIT", .choices = "microseconds, seconds",
     .help =
         "Resolution of the time in csv. Readers of rtl_power's files, such as heatmap.py, need "
         "seconds; at more than one line per second, several rows then have the same time"},
    {"output", "json", STRING(output.json, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help = "Write lines as JSON, one object per line"},
    {"output", "measure-json", STRING(output.measure_json, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help = "Write the results of the measurements of each line as JSON, one object per "
             "measurement"},
    {"output", "stats", STRING(output.stats, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help = "Write one JSON object at the end: samples, losses by cause, frames, lines, speed. A "
             "FIFO may get its reader until two seconds after the end; without a reader fftd exits "
             "with an error"},
    {"output", "detector", .kind = OPTION_INDEX, FIELD(output.detector_index), .fallback = "mean",
     .metavar = "NAME", .choices = "mean, max, min, sample", .help = "Detector in csv and json"},
    {"output", "lines", COUNT(output.lines, "0"), .metavar = "COUNT", RANGE(0, 1e15),
     .help = "Stop after this many lines; 0 is no limit"},
    {"output", "duration", NUMBER(output.duration_s, "0"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 1e9), .help = "Stop after this many seconds of samples; 0 is no limit"},

    {NULL, "config", 'c', STRING(file, ""), .metavar = "FILE", .expected = "a file name",
     .help =
         "Read settings from FILE, see fftd.conf(5); options on the command line override them"},
    {NULL, "option", 'o', .kind = OPTION_ASSIGN, .fallback = "", .metavar = "SECTION.KEY=VALUE",
     .expected = "SECTION.KEY=VALUE", .help = "Set one key of the file"},
    {NULL, "measure", .kind = OPTION_MEASURE, .fallback = "", .metavar = "TYPE,KEY=VALUE,...",
     .expected = "TYPE,KEY=VALUE,... as in channel-power,center=433.92M,width=25k,name=voice",
     .help = "Add a measurement, like a section [measure NAME] of the file; may be repeated (see "
             "--list-measurements)"},
    {NULL, "print-config", FLAG(print_config),
     .help = "Print the settings in effect as a configuration file, and exit"},
    {NULL, "check-config", FLAG(check_config),
     .help = "Check the options and the file, open the engine and the recording, check that the "
             "outputs and the address can be opened, print ok, and exit. It opens no radio and "
             "changes no file"},
    {NULL, "list-devices", FLAG(list_devices), .help = "List the radios found, and exit"},
    {NULL, "list-engines", FLAG(list_engines),
     .help = "List the engines: those that opened, and why others did not; and exit"},
    {NULL, "list-measurements", FLAG(list_measurements),
     .help = "List the types of measurements with their keys, and exit"},
    {NULL, "verify", FLAG(verify),
     .help =
         "Check the engine against known signals: levels, bursts, density, the ledger, and speed "
         "beside the sample rate; print pass or FAIL for each, and exit with status 1 after a "
         "FAIL"},
    {NULL, "calibrate-level", NUMBER(calibration.level_dbm, ""), .metavar = "DBM", .unit = SI_DBM,
     RANGE(-200, 60), .missing = NAN,
     .help = "Measure the tone nearest to calibrate-at for one second, or for duration, add the "
             "offset from its level in dBFS to this one to the table of calibration, print the "
             "row, and exit"},
    {NULL, "calibrate-at", NUMBER(calibration.at_hz, ""), .metavar = "HZ", .unit = SI_HZ,
     RANGE(0, 1e12), .missing = NAN, .help = "Frequency of the tone of calibrate-level"},
    {NULL, "version", 'V', FLAG(version), .help = "Print the version, and exit"},
    {NULL, "help", 'h', FLAG(help), .help = "Print this help, and exit"},
};

const size_t config_option_count = sizeof config_options / sizeof config_options[0];

const struct config_option *option_find(const char *section, const char *key)
{
    for (size_t i = 0; i < config_option_count; i++) {
        const struct config_option *o = &config_options[i];
        const bool here = !section || (o->section && strcmp(o->section, section) == 0);
        if (here && strcmp(o->key, key) == 0)
            return o;
    }
    return NULL;
}

const struct config_option *option_find_letter(char letter)
{
    for (size_t i = 0; i < config_option_count; i++)
        if (config_options[i].letter && config_options[i].letter == letter)
            return &config_options[i];
    return NULL;
}

bool option_is_section(const char *name)
{
    for (size_t i = 0; i < config_option_count; i++)
        if (config_options[i].section && strcmp(config_options[i].section, name) == 0)
            return true;
    return false;
}

size_t option_index(const struct config_option *o)
{
    return (size_t)(o - config_options);
}

bool option_is_flag(const struct config_option *o)
{
    return o->kind == OPTION_FLAG;
}
