/* tuning_options.c - the options of the tuning. */
#include "daemon/stream/tuning.h"

#include <errno.h>
#include <string.h>

#include "daemon/option/rows.h"

static int check_element(char *item)
{
    double db;
    const char *value = option_split_value(item);
    return value && !strpbrk(item, " \t") && si_parse_unit(value, SI_DB, &db) == 0 ? 0 : -EINVAL;
}

static int check_gain(const char *text)
{
    double db;
    if (!*text || strcmp(text, "auto") == 0 || si_parse_unit(text, SI_DB, &db) == 0)
        return 0;
    return option_each_item(text, check_element);
}

#define OPTION_OF struct tuning

const struct config_option tuning_options[] = {
    {"radio", "center", 'f', NUMBER(center_hz, ""), .metavar = "HZ", .unit = SI_HZ,
     RANGE(0, TUNING_CENTER_MAX_HZ), .missing = NAN, .live = true,
     .help = "Centre frequency; overrides the centre of a recording", .api = "center_hz",
     .label = "Centre"},
    {"radio", "rate", 's', NUMBER(rate_hz, ""), .metavar = "HZ", .unit = SI_RATE,
     RANGE(1, TUNING_RATE_MAX_HZ), .live = true,
     .help = "Samples per second; overrides the rate of a recording. If the rate is "
             "unknown, frequencies are fractions of it",
     .api = "rate_hz", .label = "Sample rate"},
    {"radio", "gain", 'g', LABEL(gain, "auto"), .metavar = "GAIN",
     .expected = "auto, dB, or dB for each element as in LNA=20,TIA=8", .check = check_gain,
     .live = true, .help = "Gain of the radio; empty keeps the setting of the driver",
     .api = "gain", .label = "Gain"},
    {"radio", "ppm", NUMBER(ppm, "0"), .metavar = "PPM", .unit = SI_PPM, RANGE(-1000, 1000),
     .live = true, .help = "Correction of the radio's clock in parts per million", .api = "ppm",
     .label = "Correction"},
    {"radio", "converter", NUMBER(converter_hz, "0"), .metavar = "HZ", .unit = SI_HZ,
     RANGE(-1e12, 1e12), .live = true,
     .help = "Frequency that a converter before the radio subtracts: 9.75G for an LNB, "
             "-125M for an up-converter. All frequencies are those at the converter's "
             "input; fftd tunes the radio to CENTER - HZ",
     .api = "converter_hz", .label = "Converter"},
    {"radio", "bandwidth", NUMBER(bandwidth_hz, "0"), .metavar = "HZ", .unit = SI_HZ,
     RANGE(0, 1e10), .live = true,
     .help = "Bandwidth of the analogue filter; 0 lets the driver choose", .api = "bandwidth_hz",
     .label = "Bandwidth"},
    {"radio", "antenna", LABEL(antenna, ""), .metavar = "NAME",
     .expected = "a name of at most 31 characters", .live = true,
     .help = "Antenna socket; empty lets the driver choose", .api = "antenna", .label = "Antenna"},
    {"radio", "invert", FLAG(invert), .live = true,
     .help = "Exchange I and Q, which mirrors the spectrum about the centre: for a radio, a "
             "converter or a recording that delivers it inverted",
     .api = "invert", .label = "Invert spectrum"},
    {0}};
