/* settings_options.c - the options of the settings other than the tuning. */
#include "daemon/stream/settings.h"

#include <stdio.h>

#include "daemon/base/si.h"
#include "daemon/option/rows.h"
#include "daemon/stream/sweep.h"

#define WINDOWS                                                                                    \
    "one of rect, hann, hamming, blackman, blackman-harris, nuttall, flat-top, kaiser, "           \
    "kaiser(BETA), gauss, gauss(ALPHA)"

static int parse_span(const char *text, void *field)
{
    return sweep_span_parse(text, field);
}

static const char *format_span(const void *field, char *into, size_t size)
{
    const struct span *span = field;
    char low[32], high[32];
    if (span->high_hz > 0)
        snprintf(into, size, "%s:%s", si_format(span->low_hz, 15, low, sizeof low),
                 si_format(span->high_hz, 15, high, sizeof high));
    else
        snprintf(into, size, "%s", "");
    return into;
}

static const struct option_form span_form = {parse_span, format_span};

#define OPTION_OF struct settings

const struct config_option settings_options[] = {
    {"source", "settings", LABEL(tuning.settings, ""), .metavar = "ARGS",
     .expected = "KEY=VALUE pairs, separated by commas, of at most 191 bytes",
     .check = option_check_key_values, .live = true,
     .help = "Settings of the radio's driver (direct_samp=2); the page offers each of them"},
    {"radio", "dc-spur", .kind = OPTION_INDEX, FIELD(dc_spur), .fallback = "auto",
     .metavar = "WHEN", .choices = DC_SPUR_NAMES, .live = true,
     .help = "Whether the centre, where most radios have a DC spike, is on the spur list; auto "
             "lists it with a radio whose DC is not removed, but not for recordings and the "
             "simulation",
     .api = "dc_spur", .label = "DC spur"},
    {"spectrum", "fft-size", 'n', COUNT(n, "4096"), .metavar = "SAMPLES", .unit = SI_BINARY,
     .expected = "a power of two from 64 to 4194304", .check = option_check_power_of_two,
     .live = true, .help = "Samples in one frame, which is also the number of bins",
     .api = "fft_size", .label = "FFT size"},
    {"spectrum", "rbw", NUMBER(rbw_hz, "0"), .metavar = "HZ", .unit = SI_HZ, RANGE(0, 1e10),
     .live = true,
     .help = "Resolution bandwidth: the noise bandwidth of a bin. fftd takes the smallest FFT size "
             "with this RBW or a finer one; 0 uses fft-size. Cannot be combined with fft-size",
     .api = "rbw_hz", .label = "RBW"},
    {"spectrum", "window", 'w', .kind = OPTION_WINDOW, FIELD(window), .fallback = "blackman-harris",
     .metavar = "WINDOW", .expected = WINDOWS, .live = true,
     .help = "Analysis window. blackman-harris shows weak signals 90 dB below strong ones; "
             "flat-top measures levels most accurately",
     .api = "window", .label = "Window"},
    {"spectrum", "overlap", NUMBER(overlap, "50"), .metavar = "PERCENT", .unit = SI_PERCENT,
     .expected = "a number from 0 to less than 100", .check = option_check_overlap, .live = true,
     .help = "Overlap of successive frames in per cent", .api = "overlap", .label = "Overlap"},
    {"spectrum", "vbw", NUMBER(vbw_hz, "0"), .metavar = "HZ", .unit = SI_HZ, RANGE(0, 1e10),
     .live = true,
     .help = "Video bandwidth of a line's mean. fftd folds the fewest frames with this VBW or a "
             "narrower one into a line; 0 uses average or line-rate, with which it cannot be "
             "combined",
     .api = "vbw_hz", .label = "VBW"},
    {"spectrum", "average", COUNT(average, "0"), .metavar = "FRAMES", RANGE(0, 1e9), .live = true,
     .help = "Frames folded into one line; 0 uses line-rate. Cannot be combined with line-rate",
     .api = "average", .label = "Frames per line"},
    {"spectrum", "line-rate", NUMBER(line_rate_hz, "20"), .metavar = "HZ", .unit = SI_LINES,
     RANGE(SETTINGS_LINE_RATE_MIN_HZ, SETTINGS_LINE_RATE_MAX_HZ), .live = true,
     .help = "Lines of spectrum per second of samples, on average; at most one for each frame",
     .api = "line_rate", .label = "Line rate"},
    {"spectrum", "usable-band", NUMBER(usable_percent, "100"), .metavar = "PERCENT",
     .unit = SI_PERCENT, RANGE(10, 100), .live = true,
     .help = "Part of the sample rate around the centre to measure and write; the edges "
             "contain aliases and the slopes of the radio's filters",
     .api = "usable_band", .label = "Usable band"},
    {"spectrum", "dc-removal", FLAG(dc_removal), .live = true,
     .help = "Subtract the receiver's offset, which looks like a carrier at the centre "
             "frequency. This also attenuates a real carrier within 1 Hz",
     .api = "dc_removal", .label = "DC removal"},
    {"spectrum", "iq-correction", FLAG(iq_correction), .live = true,
     .help = "Correct the gain and phase errors between I and Q, which mirror each signal about "
             "the centre frequency",
     .api = "iq_correction", .label = "IQ correction"},
    {"spectrum", "density-columns", COUNT(density.columns, "801"), .metavar = "COUNT",
     RANGE(1, 4096), .live = true,
     .help = "Columns of the density, which counts how often each column is at each level"},
    {"spectrum", "density-levels", COUNT(density.levels, "201"), .metavar = "COUNT", RANGE(2, 512),
     .live = true, .help = "Levels of the density"},
    {"spectrum", "density-top", NUMBER(density.top_db, "0"), .metavar = "DB", .unit = SI_DB,
     RANGE(-300, 300), .live = true,
     .help = "Highest level of the density in dBFS; it includes all higher levels"},
    {"spectrum", "density-step", NUMBER(density.step_db, "0.5"), .metavar = "DB", .unit = SI_DB,
     RANGE(0.01, 20), .live = true,
     .help = "Distance of two levels of the density; the lowest level includes all lower "
             "levels"},
    {"sweep", "span", .kind = OPTION_OTHER, .form = &span_form, FIELD(sweep.span), .fallback = "",
     .metavar = "LOW:HIGH", .expected = "two frequencies with LOW below HIGH, as in 88M:108M",
     .live = true,
     .help = "Sweep this span, which is wider than the rate: fftd tunes the radio from "
             "dwell to dwell, and each line covers the whole span. Cannot be combined with "
             "center",
     .api = "span", .label = "Sweep span"},
    {"sweep", "dwell", NUMBER(sweep.dwell_s, "10 ms"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(1e-6, 3600), .live = true,
     .help = "Duration of each dwell of a sweep, in whole frames, at least one. Cannot be "
             "combined with average, which gives the frames",
     .api = "dwell", .label = "Dwell"},
    {0}};
