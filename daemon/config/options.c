/* options.c - the table of options: one row for each setting of fftd. */
#include "daemon/config/options.h"

#include <math.h>

#include "daemon/config/config.h"

#define FIELD(member)        OPTION_FIELD(struct config, member)
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
    {"source", "full-scale", NUMBER(source.full_scale, "0"), .metavar = "VALUE",
     .expected = "0, or a number from 1e-6 to 4294967296", RANGE(0, SOURCE_FULL_SCALE_MAX),
     .help =
         "Value of I or Q that is 0 dBFS in a recording, if not the largest of its format: 2048 "
         "for a radio of 12 bits in cs16, 32768 for 16 bits as cf32. 0 takes what its header "
         "says, or the format: 127.5, 128, 32768 or 1"},
    {"source", "stream-args", STRING(source.stream_args, ""), .metavar = "ARGS",
     .expected = "KEY=VALUE pairs, separated by commas", .check = option_check_key_values,
     .help = "Arguments of the SoapySDR stream (buffers=32)"},
    {"source", "settings", LABEL(settings.tuning.settings, ""), .metavar = "ARGS",
     .expected = "KEY=VALUE pairs, separated by commas, of at most 191 bytes",
     .check = option_check_key_values, .live = true,
     .help = "Settings of the radio's driver (direct_samp=2); the page offers each of them"},
    {"source", "bias-tee", FLAG(source.bias_tee),
     .help = "Supply power to an amplifier through the antenna socket"},
    {"source", "wait-device", NUMBER(source.wait_s, ""), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 1e9), .missing = -1,
     .help = "End with status 1 if the radio is missing for so long; 0 waits for ever. Without "
             "this option, fftd waits 10 s if lines or duration is given, otherwise for ever"},
    {"source", "realtime", FLAG(source.realtime),
     .help = "Replay a recording at its own speed, with the server"},
    {"source", "full-speed", FLAG(full_speed), .alias = "fast",
     .help = "Run a recording or the simulation as fast as the readers accept, and without a "
             "server unless listen is set"},
    {"source", "loop", FLAG(source.loop),
     .help = "Restart a recording at its end; implies realtime unless full-speed is set"},
    {"source", "from", NUMBER(source.from_s, "0"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 1e9), .help = "Replay a recording from this position on, as 12.5s"},
    {"source", "to", NUMBER(source.to_s, "0"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 1e9),
     .help = "Replay a recording up to this position, counted from its start; 0 is its end"},
    {"source", "speed", NUMBER(source.speed, "1"), .metavar = "FACTOR",
     RANGE(REPLAY_SPEED_MIN, REPLAY_SPEED_MAX),
     .help = "Replay a recording in slow motion or quick motion; implies realtime"},
    {"source", "keep-running", FLAG(source.keep_running), .alias = "stay",
     .help = "Do not exit at the end of a recording: browsers may go back; implies realtime"},
    {"source", "ring-size", .kind = OPTION_BYTES, FIELD(ring_bytes), .fallback = "0",
     .metavar = "BYTES",
     .expected = "0, or a whole number of bytes from 64k to 1024G; k, M and G are powers of 1024",
     .unit = SI_BINARY, RANGE(65536, 1099511627776.0),
     .help = "Size of the ring of raw samples; 0 is one second of samples or eight frames, "
             "whichever is larger, or less for a run that is not realtime. It must hold eight "
             "batches of about 10 ms or 16 frames, and "
             "never changes the spectra"},

    {"radio", "center", 'f', NUMBER(settings.tuning.center_hz, ""), .metavar = "HZ", .unit = SI_HZ,
     RANGE(0, TUNING_CENTER_MAX_HZ), .missing = NAN, .live = true,
     .help = "Centre frequency; overrides that of a recording"},
    {"radio", "rate", 's', NUMBER(settings.tuning.rate_hz, ""), .metavar = "HZ", .unit = SI_RATE,
     RANGE(1, TUNING_RATE_MAX_HZ), .live = true,
     .help = "Samples per second; overrides that of a recording. Without any, "
             "frequencies of a recording are fractions of its rate"},
    {"radio", "gain", 'g', LABEL(settings.tuning.gain, "auto"), .metavar = "GAIN",
     .expected = "auto, dB, or dB for each element as in LNA=20,TIA=8", .check = option_check_gain,
     .live = true, .help = "Gain of the radio; empty keeps the setting of the driver"},
    {"radio", "ppm", NUMBER(settings.tuning.ppm, "0"), .metavar = "PPM", .unit = SI_PPM,
     RANGE(-1000, 1000), .live = true,
     .help = "Correction of the radio's clock in parts per million"},
    {"radio", "converter", NUMBER(settings.tuning.converter_hz, "0"), .metavar = "HZ",
     .unit = SI_HZ, RANGE(-1e12, 1e12), .live = true,
     .help = "What a converter before the radio takes off each frequency: 9.75G for an LNB, "
             "-125M for an up-converter. All frequencies are those before the converter; the radio "
             "is tuned to CENTER - HZ"},
    {"radio", "bandwidth", NUMBER(settings.tuning.bandwidth_hz, "0"), .metavar = "HZ",
     .unit = SI_HZ, RANGE(0, 1e10), .live = true,
     .help = "Bandwidth of the analogue filter; 0 lets the driver choose"},
    {"radio", "antenna", LABEL(settings.tuning.antenna, ""), .metavar = "NAME",
     .expected = "a name of at most 31 characters", .live = true,
     .help = "Antenna socket; empty lets the driver choose"},
    {"radio", "geolocation", STRING(source.geolocation, ""), .metavar = "LAT,LON",
     .expected = "degrees north and east, such as 48.21,16.37, and perhaps metres of altitude",
     .check = option_check_geolocation,
     .help = "Where the antenna is, in degrees and metres of WGS 84: LAT,LON or LAT,LON,ALTITUDE; "
             "overrides that of a recording. Recordings have it as core:geolocation, and "
             "announcements to a broker tell it"},
    {"radio", "calibration", STRING(calibration.file, ""), .metavar = "FILE",
     .expected = "a file name", .live = true,
     .help = "Calibration table of the radio: measurements and csv-format mhz-dbm are in dBm where "
             "it knows the frequency, gain and antenna, and its ppm is the default of ppm"},
    {"radio", "spurs", STRING(spurs_file, ""), .metavar = "FILE", .expected = "a file name",
     .live = true,
     .help = "Spur list: frequencies, absolute or relative to the centre, that are never reported "
             "as a carrier"},
    {"radio", "dc-spur", .kind = OPTION_INDEX, FIELD(settings.dc_spur), .fallback = "auto",
     .metavar = "WHEN", .choices = DC_SPUR_NAMES, .live = true,
     .help = "Whether the centre, where most radios have a DC spike, is on the spur list; auto "
             "lists it with a radio whose DC is not removed, but not for recordings and the "
             "simulation"},

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
    {"spectrum", "vbw", NUMBER(settings.vbw_hz, "0"), .metavar = "HZ", .unit = SI_HZ,
     RANGE(0, 1e10), .live = true,
     .help = "Video bandwidth of a line's mean. fftd folds the fewest frames with this VBW or a "
             "narrower one into a line; 0 uses average or line-rate, with which it cannot be "
             "combined"},
    {"spectrum", "average", COUNT(settings.average, "0"), .metavar = "FRAMES", RANGE(0, 1e9),
     .live = true,
     .help = "Frames folded into one line; 0 uses line-rate. Cannot be combined with line-rate"},
    {"spectrum", "line-rate", NUMBER(settings.line_rate_hz, "20"), .metavar = "HZ",
     .unit = SI_LINES, RANGE(SETTINGS_LINE_RATE_MIN_HZ, SETTINGS_LINE_RATE_MAX_HZ), .live = true,
     .help = "Lines of spectrum per second of samples, on average; at most one for each frame"},
    {"spectrum", "usable-band", NUMBER(settings.usable_percent, "100"), .metavar = "PERCENT",
     .unit = SI_PERCENT, RANGE(10, 100), .live = true,
     .help = "Part of the sample rate, around the centre, that is measured and written; the edges "
             "beyond it have aliases and the slopes of the radio's filters"},

    {"spectrum", "dc-removal", FLAG(settings.dc_removal), .live = true,
     .help = "Subtract the offset that a receiver adds to its samples, and that looks like a "
             "carrier at the centre frequency. A carrier within 1 Hz of it is attenuated too"},
    {"spectrum", "iq-correction", FLAG(settings.iq_correction), .live = true,
     .help = "Correct the gain and phase errors between I and Q, which mirror each signal about "
             "the centre frequency"},

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

    {"sweep", "span", .kind = OPTION_SPAN, FIELD(settings.sweep.span), .fallback = "",
     .metavar = "LOW:HIGH", .expected = "two frequencies with LOW below HIGH, as in 88M:108M",
     .live = true,
     .help =
         "Sweep this span, which is wider than the rate: the radio is tuned from dwell to dwell, "
         "and each line has the whole span. Cannot be combined with center"},
    {"sweep", "dwell", NUMBER(settings.sweep.dwell_s, "10 ms"), .metavar = "SECONDS",
     .unit = SI_SECONDS, RANGE(1e-6, 3600), .live = true,
     .help = "Time that a sweep spends in each dwell, in whole frames and at least one. Cannot be "
             "combined with average, which gives the frames"},

    {"engine", "engine", 'e', STRING(engine.name, "auto"), .metavar = "NAME[:DEVICE]",
     .expected = "auto, or an engine's name, with :DEVICE where it has several",
     .check = option_check_engine,
     .help = "Engine that computes the spectra; auto selects the best one that works (see "
             "fftd list engines)"},
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
     .expected = "a file name", .help = "File or pipe with the control token in its first line"},
    {"server", "web-root", STRING(server.web_root, ""), .metavar = "DIR", .expected = "a directory",
     .help = "Serve the page from this directory instead of the built-in one; for development"},
    {"server", "state-dir", STRING(server.state_dir, ""), .metavar = "DIR",
     .expected = "a directory",
     .help = "Directory that keeps reference traces, presets, events, and learnt spurs without a "
             "spurs file, and is made if it is not there; by default that of the service "
             "(STATE_DIRECTORY). Without any, references, presets and events end with fftd"},
    {"server", "allow-origin", STRING(server.allow_origin, ""), .metavar = "LIST",
     .expected = "origins as in https://sdr.example.org, separated by commas",
     .check = option_check_origins,
     .help =
         "Additional origins whose pages may connect; the origin of the daemon is always allowed"},
    {"server", "allow-host", STRING(server.allow_host, ""), .metavar = "LIST",
     .expected = "host names separated by commas", .check = option_check_hosts,
     .help = "Additional host names of the daemon; addresses and localhost are always allowed"},
    {"server", "band-plan", STRING(server.band_plan, ""), .metavar = "FILE[,FILE...]",
     .expected = "file names, separated by commas", .live = true,
     .help = "Band plans and bookmarks that the page shows on the frequency axis: SDR++'s JSON, "
             "gqrx's bandplan.csv and bookmarks.csv"},
    {"server", "max-clients", COUNT(server.max_clients, "256"), .metavar = "COUNT", RANGE(1, 10000),
     .help = "Maximum number of websocket clients"},
    {"server", "max-views", COUNT(server.max_views, "64"), .metavar = "COUNT", RANGE(1, 10000),
     .help = "Maximum number of different views; clients with the same view share one"},
    {"server", "history", .kind = OPTION_BYTES, FIELD(server.history_bytes), .fallback = "64M",
     .metavar = "BYTES",
     .expected = "0, or a whole number of bytes from 1M to 64G; k, M and G are powers of 1024",
     .unit = SI_BINARY, RANGE(1048576, 68719476736.0),
     .help = "Memory for recent lines, which fill the waterfall of a new page and of a changed "
             "view; at most an eighth of the memory that is left; 0 keeps none"},

    {"server", "control-lease", NUMBER(server.lease_s, "30"), .metavar = "SECONDS",
     .unit = SI_SECONDS, RANGE(0, 86400),
     .help = "Time for which a client that changed the radio controls it alone, unless another one "
             "that may change it takes over; each change renews it; 0 lets all of them change it"},

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
    {"output", "events", STRING(output.events, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help =
         "Write the events of triggers as CSV, each when it has ended; csv-time is for them too"},
    {"output", "stats", STRING(output.stats, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard output",
     .help = "Write one JSON object at the end: samples, losses by cause, frames, lines, speed. A "
             "FIFO may get its reader until two seconds after the end; without a reader fftd exits "
             "with an error"},
    {"output", "overwrite", FLAG(output.overwrite),
     .help = "Empty files of outputs that exist, whatever they contain, when the run starts. "
             "Without it, rows are added to an earlier output of the same form, and another file "
             "is refused"},
    {"output", "output-max-bytes", .kind = OPTION_BYTES, FIELD(output.max_bytes), .fallback = "0",
     .metavar = "BYTES",
     .expected = "0, or a whole number of bytes from 4k to 1024G; k, M and G are powers of 1024",
     .unit = SI_BINARY, RANGE(4096, 1099511627776.0),
     .help = "Rename the file of an output to FILE.000001, FILE.000002, ... before it has more "
             "bytes, and begin a new one; 0 is no limit"},
    {"output", "output-max-age", NUMBER(output.max_age_s, "0"), .metavar = "SECONDS",
     .unit = SI_SECONDS, RANGE(0, 1e9),
     .help = "Rename it likewise when rows were written to it for so long, as 1d; 0 is no limit. "
             "Only runs in real time do"},
    {"output", "output-keep", COUNT(output.keep, "0"), .metavar = "COUNT", RANGE(0, 1e6),
     .help = "Delete the oldest renamed files when an output has more of them; 0 keeps all. Only "
             "runs in real time delete"},
    {"output", "detector", .kind = OPTION_INDEX, FIELD(output.detector_index), .fallback = "mean",
     .metavar = "NAME", .choices = "mean, max, min, sample", .help = "Detector in csv and json"},
    {"output", "level-unit", .kind = OPTION_INDEX, FIELD(calibration.unit_index),
     .fallback = "auto", .metavar = "UNIT", .choices = "auto, dbfs, dbm, dbuv", .live = true,
     .help = "Unit of levels that a calibration is known for. auto: dBm in measurements and in "
             "csv-format mhz-dbm, dBFS in json. dbfs, dbm and dbuv (in 50 ohm): in all of these"},
    {"output", "lines", COUNT(output.lines, "0"), .metavar = "COUNT", RANGE(0, 1e15),
     .help = "Stop after this many lines; 0 is no limit"},
    {"output", "duration", NUMBER(output.duration_s, "0"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 1e9), .help = "Stop after this many seconds of samples; 0 is no limit"},

    {"record", "record", STRING(record.folder, ""), .metavar = "DIR", .expected = "a directory",
     .help = "Allow recordings of the samples, as SigMF pairs in this directory: of the events of "
             "triggers, over HTTP, and from the page. Completes those that a crash interrupted"},
    {"record", "record-all", FLAG(record.all), .help = "Record all samples, from the first one on"},
    {"record", "pre", NUMBER(record.pre_s, "10ms"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 3600),
     .help = "Recordings of triggers begin this much before the event, as far as the IQ ring "
             "reaches back"},
    {"record", "post", NUMBER(record.post_s, "50ms"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 3600), .help = "Recordings of triggers end this much after the event"},
    {"record", "record-split", .kind = OPTION_BYTES, FIELD(record.split), .fallback = "0",
     .metavar = "BYTES",
     .expected = "0, or a whole number of bytes from 1M to 1024G; k, M and G are powers of 1024",
     .unit = SI_BINARY, RANGE(1048576, 1099511627776.0),
     .help = "Continue a recording in the next pair after this many bytes; 0 is no limit"},
    {"record", "record-max-bytes", .kind = OPTION_BYTES, FIELD(record.max_bytes), .fallback = "0",
     .metavar = "BYTES",
     .expected = "0, or a whole number of bytes from 1M to 1048576G; k, M and G are powers of 1024",
     .unit = SI_BINARY, RANGE(1048576, 1125899906842624.0),
     .help = "Delete the oldest recordings of the directory when all of them have more bytes; 0 is "
             "no limit"},
    {"record", "record-max-age", NUMBER(record.max_age_s, "0"), .metavar = "SECONDS",
     .unit = SI_SECONDS, RANGE(0, 1e9),
     .help = "Delete recordings that ended longer ago, as 30d; 0 is no limit"},
    {"record", "record-min-free", .kind = OPTION_BYTES, FIELD(record.min_free), .fallback = "256M",
     .metavar = "BYTES",
     .expected = "0, or a whole number of bytes from 1M to 1048576G; k, M and G are powers of 1024",
     .unit = SI_BINARY, RANGE(1048576, 1125899906842624.0),
     .help = "Free space that recordings leave on the disk: they end when less is left"},

    {"record", "iq-history", .kind = OPTION_BYTES, FIELD(record.iq_history), .fallback = "0",
     .metavar = "BYTES",
     .expected =
         "0, or a whole number of bytes from 64M to 1048576G; k, M and G are powers of 1024",
     .unit = SI_BINARY, RANGE(67108864, 1125899906842624.0),
     .help = "Keep the last samples in a file of this size, from which recordings may start; 0 is "
             "none"},
    {"record", "iq-history-dir", STRING(record.iq_history_folder, ""), .metavar = "DIR",
     .expected = "a directory",
     .help = "Directory of that file; by default, that of the recordings"},
    {"record", "cut-format", .kind = OPTION_INDEX, FIELD(record.cut_cs16), .fallback = "cf32",
     .metavar = "FORMAT", .choices = "cf32, cs16",
     .help = "Samples of a recording that is cut to a band: cs16 takes half the space, and limits "
             "what exceeds full scale"},
    {"events", "events-max", COUNT(events.max, "100000"), .metavar = "COUNT", RANGE(0, 1e9),
     .help = "Events of triggers that the database in state-dir keeps: the newest; 0 is no limit"},
    {"events", "events-max-age", NUMBER(events.max_age_s, "0"), .metavar = "SECONDS",
     .unit = SI_SECONDS, RANGE(0, 1e9),
     .help = "Delete events from the database that were found longer ago, as 30d; 0 is no limit"},
    {"archive", "archive", STRING(archive.folder, ""), .metavar = "DIR", .expected = "a directory",
     .help = "Keep the spectra of all time, thinned by age, in files of this directory"},
    {"archive", "archive-tiers", STRING(archive.tiers, "10/s:1h,1/s:1y"), .metavar = "LIST",
     .expected = "PERIOD:AGE,... as in 10/s:1h,1/s:1y, from short periods to long ones",
     .check = option_check_archive_tiers,
     .help = "Duration of the rows of the archive, and for how long they are kept. Tiers of ten "
             "times the duration follow, up to a day, which are kept as long as the last one"},
    {"archive", "archive-columns", COUNT(archive.columns, "4096"), .metavar = "COUNT",
     RANGE(16, 65536), .help = "Maximum number of columns in a row of the archive"},
    {"archive", "archive-step", NUMBER(archive.step_db, "0.5"), .metavar = "DB", .unit = SI_DB,
     RANGE(0.01, 2),
     .help = "Step of the levels in the archive: the mean is exact to half of it, the maximum to "
             "all of it. A smaller step needs more space"},
    {"archive", "archive-max-bytes", .kind = OPTION_BYTES, FIELD(archive.max_bytes),
     .fallback = "0", .metavar = "BYTES",
     .expected = "0, or a whole number of bytes from 1M to 1048576G; k, M and G are powers of 1024",
     .unit = SI_BINARY, RANGE(1048576, 1125899906842624.0),
     .help = "Delete the oldest rows of the archive when it has more bytes; 0 is no limit"},
    {"archive", "archive-min-free", .kind = OPTION_BYTES, FIELD(archive.min_free),
     .fallback = "256M", .metavar = "BYTES",
     .expected = "0, or a whole number of bytes from 1M to 1048576G; k, M and G are powers of 1024",
     .unit = SI_BINARY, RANGE(1048576, 1125899906842624.0),
     .help = "Free space that the archive leaves on the disk: rows are lost while less is left"},

#include "daemon/config/options_nats.inc"

#include "daemon/config/options_command.inc"
};

const size_t config_option_count = sizeof config_options / sizeof config_options[0];
