/* options.c - the table: every setting of fftd is one row here. */
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
     .help = "Where samples come from; auto is file when a recording is given, else soapy. The "
             "simulation is never chosen by itself"},
    {"source", "replay", 'r', STRING(source.replay, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard input",
     .help = "Recording to analyse: cu8, cs8, cs16, cf32, SigMF, or WAV with two channels. Runs as "
             "fast as every reader accepts, and without a server unless listen is set"},
    {"source", "device", 'd', STRING(source.device, ""), .metavar = "ARGS",
     .expected = "KEY=VALUE pairs, separated by commas", .check = option_check_key_values,
     .help = "Which radio, as SoapySDR names it (driver=rtlsdr,serial=1), or the arguments of the "
             "simulation (seed=1)"},
    {"source", "format", STRING(source.format, ""), .metavar = "FORMAT",
     .choices = "cu8, cs8, cs16, cf32",
     .help = "Sample format: overrides what a recording says, or asks a radio for its stream in "
             "this format"},
    {"source", "stream-args", STRING(source.stream_args, ""), .metavar = "ARGS",
     .expected = "KEY=VALUE pairs, separated by commas", .check = option_check_key_values,
     .help = "Arguments of the SoapySDR stream (buffers=32)"},
    {"source", "settings", STRING(source.settings, ""), .metavar = "ARGS",
     .expected = "KEY=VALUE pairs, separated by commas", .check = option_check_key_values,
     .help = "Settings written to the radio (direct_samp=2)"},
    {"source", "bias-tee", FLAG(source.bias_tee),
     .help = "Feed power to an amplifier through the antenna socket"},
    {"source", "realtime", FLAG(source.realtime),
     .help = "Replay at the recording's own speed, and serve it"},
    {"source", "fast", FLAG(fast),
     .help = "Run a recording or the simulation as fast as every reader accepts, without a server "
             "unless listen is set"},
    {"source", "loop", FLAG(source.loop),
     .help = "Begin a recording again at its end; implies realtime unless fast is set"},
    {"source", "ring-size", .kind = OPTION_BYTES, FIELD(ring_bytes), .fallback = "0",
     .metavar = "BYTES",
     .expected = "0 or 64k to 1024G bytes, whole, with k, M or G for powers of 1024",
     RANGE(65536, 1099511627776.0),
     .help = "Size of the ring of raw samples; 0 is a second of samples, or eight batches"},

    {"radio", "center", 'f', NUMBER(settings.tuning.center_hz, ""), .metavar = "HZ", RANGE(0, 1e12),
     .missing = NAN, .live = true,
     .help = "Centre frequency; of a recording: overrides what it says"},
    {"radio", "rate", 's', NUMBER(settings.tuning.rate_hz, ""), .metavar = "HZ", RANGE(1, 1e10),
     .live = true, .help = "Samples per second; of a recording: overrides what it says"},
    {"radio", "gain", 'g', LABEL(settings.tuning.gain, "auto"), .metavar = "GAIN",
     .expected = "auto, dB, or dB for each element as in LNA=20,TIA=8", .check = option_check_gain,
     .live = true, .help = "Gain of the radio; empty leaves the driver's setting"},
    {"radio", "ppm", NUMBER(settings.tuning.ppm, "0"), .metavar = "PPM", RANGE(-1000, 1000),
     .live = true, .help = "Correction of the radio's clock, parts per million"},
    {"radio", "bandwidth", NUMBER(settings.tuning.bandwidth_hz, "0"), .metavar = "HZ",
     RANGE(0, 1e10), .live = true, .help = "Analogue filter; 0 is the driver's choice"},
    {"radio", "antenna", LABEL(settings.tuning.antenna, ""), .metavar = "NAME",
     .expected = "a name of at most 31 characters", .live = true,
     .help = "Antenna socket; empty is the driver's choice"},

    {"spectrum", "fft-size", 'n', COUNT(settings.n, "4096"), .metavar = "SAMPLES",
     .expected = "a power of two from 64 to 4194304", .check = option_check_power_of_two,
     .live = true, .help = "Samples in one frame, which is the number of bins"},
    {"spectrum", "window", 'w', .kind = OPTION_WINDOW, FIELD(settings.window),
     .fallback = "blackman-harris", .metavar = "WINDOW", .expected = WINDOWS, .live = true,
     .help =
         "Analysis window. Blackman-Harris shows weak signals 90 dB below strong ones; flat-top "
         "reads levels best"},
    {"spectrum", "overlap", NUMBER(settings.overlap, "50"), .metavar = "PERCENT",
     .expected = "a number from 0 to less than 100", .check = option_check_overlap, .live = true,
     .help = "How far frames overlap, per cent"},
    {"spectrum", "average", COUNT(settings.average, "0"), .metavar = "FRAMES", RANGE(0, 1e9),
     .live = true,
     .help = "Frames folded into one line; 0 goes by line-rate. Not together with line-rate"},
    {"spectrum", "line-rate", NUMBER(settings.line_rate_hz, "20"), .metavar = "HZ",
     RANGE(0.001, 100e3), .live = true, .help = "Lines of spectrum per second of samples"},

    {"engine", "engine", 'e', STRING(engine.name, "auto"), .metavar = "NAME[:DEVICE]",
     .expected = "auto, or an engine's name, with :DEVICE where it has several",
     .check = option_check_engine,
     .help = "What computes the spectra; auto is the best that works here (see --list-engines)"},
    {"engine", "threads", 't', COUNT(engine.threads, "0"), .metavar = "COUNT", RANGE(0, 256),
     .help = "Worker threads of the cpu engine; 0 is one a core"},
    {"engine", "isa", STRING(engine.isa, "auto"), .metavar = "NAME",
     .expected = "auto, or the name of an instruction set", .check = option_check_name,
     .help = "Instruction set of the cpu engine, forced; for tests"},
    {"engine", "engine-options", STRING(engine.options, ""), .metavar = "LIST",
     .expected = "options as in plan=local,measure",
     .help = "Of the opencl engine: plan=passes, digitrev, local, fourstep or whole forces a plan, "
             "measure times the likeliest ones and keeps the quickest, cache=DIR (or off) is where "
             "compiled kernels are kept, profile=NAME plans as for another device, twiddles=native "
             "computes twiddles by native functions where those are good"},

    {"server", "listen", 'l', STRING(server.listen, "127.0.0.1:8010"), .metavar = "ADDRESS",
     .expected = "ADDRESS:PORT, [IPV6]:PORT, unix:/PATH, systemd, or none",
     .check = option_check_listen,
     .help = "Where the page and the websocket are served. Plain HTTP: loopback, a Unix socket, or "
             "behind a TLS proxy. systemd takes the socket of fftd.socket; none opens no port"},
    {"server", "token", STRING(server.token, ""), .metavar = "TEXT", .expected = "some text",
     .secret = true,
     .help = "Control token: whoever has it may change the radio. Everybody can read a command "
             "line; use token-file"},
    {"server", "token-file", STRING(server.token_file, ""), .metavar = "FILE",
     .expected = "a file name", .help = "File that holds the control token in its first line"},
    {"server", "web-root", STRING(server.web_root, ""), .metavar = "DIR", .expected = "a directory",
     .help = "Serve the page from this directory instead of the built-in one; for development"},
    {"server", "allow-origin", STRING(server.allow_origin, ""), .metavar = "LIST",
     .expected = "origins as in https://sdr.example.org, separated by commas",
     .check = option_check_origins,
     .help = "Further origins whose pages may connect; the daemon's own is always allowed"},
    {"server", "allow-host", STRING(server.allow_host, ""), .metavar = "LIST",
     .expected = "host names separated by commas", .check = option_check_hosts,
     .help = "Further names under which browsers may reach the daemon; addresses and localhost are "
             "always allowed"},
    {"server", "max-clients", COUNT(server.max_clients, "256"), .metavar = "COUNT", RANGE(1, 10000),
     .help = "Websocket clients at once"},
    {"server", "max-views", COUNT(server.max_views, "64"), .metavar = "COUNT", RANGE(1, 10000),
     .help = "Different views at once; clients with the same view share one"},

    {"output", "csv", STRING(output.csv, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help = "Write lines as CSV with rtl_power's columns"},
    {"output", "json", STRING(output.json, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help = "Write lines as JSON, one object a line"},
    {"output", "stats", STRING(output.stats, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help =
         "Write one JSON object at the end: samples, lost by cause, frames, lines, speed. A FIFO "
         "may get its reader at any time until two seconds after the end, else it is an error"},
    {"output", "trace", .kind = OPTION_INDEX, FIELD(output.trace_index), .fallback = "mean",
     .metavar = "NAME", .choices = "mean, max, min, sample",
     .help = "Which trace csv and json show"},
    {"output", "lines", COUNT(output.lines, "0"), .metavar = "COUNT", RANGE(0, 1e15),
     .help = "Stop after so many lines; 0 is no limit"},
    {"output", "duration", NUMBER(output.duration_s, "0"), .metavar = "SECONDS", RANGE(0, 1e9),
     .help = "Stop after so many seconds of samples; 0 is no limit"},

    {NULL, "config", 'c', STRING(file, ""), .metavar = "FILE", .expected = "a file name",
     .help = "Read settings from FILE, see fftd.conf(5); options given here weigh more"},
    {NULL, "option", 'o', .kind = OPTION_ASSIGN, .fallback = "", .metavar = "SECTION.KEY=VALUE",
     .expected = "SECTION.KEY=VALUE", .help = "Set one key of the file's"},
    {NULL, "print-config", FLAG(print_config),
     .help = "Print the settings in effect as a configuration file, and exit"},
    {NULL, "check-config", FLAG(check_config),
     .help = "Check the options and the file, print ok, and exit"},
    {NULL, "list-devices", FLAG(list_devices), .help = "List the radios found, and exit"},
    {NULL, "list-engines", FLAG(list_engines),
     .help = "List the engines: what opened, what did not and why, and exit"},
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
