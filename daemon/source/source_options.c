/* source_options.c - the options of sources and of the replay. */
#include "daemon/source/source.h"

#include <errno.h>

#include "daemon/base/geolocation.h"
#include "daemon/format/recording/iq_sample.h"
#include "daemon/option/rows.h"
#include "daemon/source/server_address.h"

static int check_geolocation(const char *text)
{
    struct geolocation g;
    return geolocation_parse(text, &g) ? 0 : -EINVAL;
}

static int check_format(const char *text)
{
    return iq_sample_find(text) ? 0 : -EINVAL;
}

static int check_device(const char *text)
{
    return option_check_key_values(text) < 0 ? server_address_parse(text, NULL) : 0;
}

#define OPTION_OF struct source_config

const struct config_option source_options[] = {
    {"source", "source", STRING(source, "auto"), .metavar = "NAME",
     .choices = "auto, soapy, rtl_tcp, spyserver, file, sim",
     .help = "Kind of source. auto selects file if replay is set, otherwise soapy; it never "
             "selects the simulation. rtl_tcp and spyserver are networked radios: device is the "
             "address of the server"},
    {"source", "replay", 'r', STRING(replay, ""), .metavar = "FILE",
     .expected = "a file name, or - for standard input",
     .help = "Recording to analyse: raw samples, WAV, SigMF, or "
             "sdriq. By default fftd replays it at full speed, without a server unless "
             "listen is set"},
    {"source", "device", 'd', STRING(device, ""), .metavar = "ARGS",
     .expected = "KEY=VALUE pairs, separated by commas, or HOST:PORT", .check = check_device,
     .help = "SoapySDR arguments that select the radio (driver=rtlsdr,serial=1), the server of "
             "rtl_tcp or spyserver (mast.example:1234), or arguments of the simulation (seed=1)"},
    {"source", "format", STRING(format, ""), .metavar = "FORMAT",
     .expected = "cu8, cs8, cs16, cf32, or another sample format, such as cs24, ci16_be or rf32",
     .check = check_format,
     .help =
         "Sample format: cu8, cs8, cs16, cf32; of a recording or a SoapySDR radio also cu16, cu32, "
         "cs12, cs24, cs32, cf64; of a recording also real ones (ru8, ri16, rf32) and big-endian "
         "ones (cs16_be). Overrides the format of a recording, which fftd guesses if neither "
         "header nor name gives it; sets the stream format of a radio"},
    {"source", "full-scale", NUMBER(full_scale, "0"), .metavar = "VALUE",
     .expected = "0, or a number from 1e-6 to 4294967296", RANGE(0, SOURCE_FULL_SCALE_MAX),
     .help =
         "Value of I or Q that corresponds to 0 dBFS in a recording, if it is not the maximum of "
         "the format: 2048 for a radio of 12 bits in cs16, 32768 for 16 bits as cf32. 0 uses the "
         "value of the header, or the maximum of the format: 127.5, 128, 32768 or 1"},
    {"source", "rx-channel", COUNT(rx_channel, "0"), .metavar = "NUMBER", RANGE(0, 63),
     .help = "Receive channel, counted from 0: of a radio, or of a recording with several "
             "channels"},
    {"source", "sigmf-recording", STRING(sigmf_recording, ""), .metavar = "NAME",
     .expected = "the name of a recording in the archive, without a suffix",
     .help = "Recording to read of a SigMF archive that has several; empty reads the first"},
    {"source", "stream-args", STRING(stream_args, ""), .metavar = "ARGS",
     .expected = "KEY=VALUE pairs, separated by commas", .check = option_check_key_values,
     .help = "Arguments of the SoapySDR stream (buffers=32)"},
    {"source", "clock-source", STRING(clock_source, ""), .metavar = "NAME",
     .expected = "a name of the radio's list",
     .help = "Clock of a SoapySDR radio (external, gpsdo); empty keeps the driver's"},
    {"source", "clock-reference", NUMBER(clock_reference_hz, "0"), .metavar = "HZ", .unit = SI_HZ,
     RANGE(0, 1e9),
     .help = "Frequency of the clock that is fed into a SoapySDR radio (10M); 0 keeps the "
             "driver's"},
    {"source", "time-source", STRING(time_source, ""), .metavar = "NAME",
     .expected = "a name of the radio's list",
     .help = "Source of the time of a SoapySDR radio (external, gpsdo); empty keeps the "
             "driver's"},
    {"source", "bias-tee", FLAG(bias_tee),
     .help = "Supply power to an amplifier through the antenna socket"},
    {"source", "wait-device", NUMBER(wait_s, ""), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 1e9), .missing = -1,
     .help = "End with status 1 if the radio is missing for this time; 0 waits forever. By "
             "default fftd waits 10 s if lines or duration is given, otherwise forever"},
    {"source", "realtime", FLAG(realtime),
     .help = "Replay a recording at its own speed, with the server"},
    {"source", "full-speed", FLAG(full_speed), .alias = "fast",
     .help = "Run a recording or the simulation as fast as the readers accept, and without a "
             "server unless listen is set"},
    {"source", "loop", FLAG(loop),
     .help = "Restart a recording at its end; implies realtime unless full-speed is set"},
    {"source", "from", NUMBER(from_s, "0"), .metavar = "SECONDS", .unit = SI_SECONDS, RANGE(0, 1e9),
     .help = "Replay a recording from this position on, as 12.5s"},
    {"source", "to", NUMBER(to_s, "0"), .metavar = "SECONDS", .unit = SI_SECONDS, RANGE(0, 1e9),
     .help = "Replay a recording up to this position, counted from its start; 0 is its end"},
    {"source", "speed", NUMBER(speed, "1"), .metavar = "FACTOR",
     RANGE(REPLAY_SPEED_MIN, REPLAY_SPEED_MAX),
     .help = "Replay a recording in slow motion or quick motion; implies realtime"},
    {"source", "keep-running", FLAG(keep_running), .alias = "stay",
     .help = "Keep running at the end of a recording, so that browsers may seek back; "
             "implies realtime"},
    {"source", "ring-size", BYTES(ring_bytes, "0"), RANGE(65536, 1099511627776.0),
     .help = "Size of the ring of raw samples; 0 is one second of samples or eight frames, "
             "whichever is larger, or less for a run that is not realtime. It must hold eight "
             "batches of about 10 ms or 16 frames, and "
             "never changes the spectra"},
    {"radio", "geolocation", STRING(geolocation, ""), .metavar = "LAT,LON",
     .expected = "degrees north and east, such as 48.21,16.37, and perhaps metres of altitude",
     .check = check_geolocation,
     .help = "Position of the antenna, in degrees and metres of WGS 84: LAT,LON or "
             "LAT,LON,ALTITUDE; overrides the position in a recording. Recordings contain "
             "it as core:geolocation, and announcements to a broker include it"},
    {0}};
