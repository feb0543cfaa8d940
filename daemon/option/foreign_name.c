/* foreign_name.c - the table of foreign names of options, of letters and of values. */
#include "daemon/option/foreign_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* From rtl_power, rtl_sdr, gqrx, SoapySDRUtil and GNU Radio, and what people guess. */
static const struct {
    const char *key; /* the option whose values they are; NULL: options; "-": letters of options */
    const char *words, *ours;
} foreign[] = {
    {NULL, "freq frequency centre tune", "center"},
    {NULL, "samplerate samp-rate sampling-rate fs", "rate"},
    {NULL, "fft nfft bins", "fft-size"},
    {NULL, "port", "listen :PORT"},
    {NULL, "host bind address", "listen HOST:PORT"},
    {NULL, "file input filename iq", "replay"},
    {NULL, "output", "csv"},
    {NULL, "averages avg", "average"},
    {NULL, "driver", "device driver=NAME"},
    {NULL, "serial", "device serial=NUMBER"},
    {NULL, "sdr", "device"},
    {NULL, "lna", "gain LNA=DB"},
    {NULL, "freq-correction", "ppm"},
    {NULL, "converter-offset", "converter"},
    {NULL, "trace", "detector"},
    {NULL, "maxhold max-hold peak-hold", "detector max"},
    {NULL, "minhold", "detector min"},
    {NULL, "fps", "line-rate"},
    {NULL, "sweep range", "span"},
    {NULL, "time", "duration"},
    {NULL, "simulate sim demo", "source sim"},
    {NULL, "cores", "threads"},
    {NULL, "gpu", "engine"},
    {NULL, "password", "token-file"},
    {NULL, "sample-format type", "format"},
    {NULL, "list devices", "list-devices"},
    {NULL, "bw", "bandwidth"},
    {NULL, "source-level", "calibrate-level DBM"},
    {NULL, "at", "calibrate-at HZ"},
    {NULL, "unit units", "level-unit"},
    {NULL, "dbm", "level-unit dbm"},
    {NULL, "dbuv", "level-unit dbuv"},
    {"detector", "avg average", "mean"},
    {"detector", "peak maxhold max-hold", "max"},
    {"detector", "minhold", "min"},
    {"detector", "last", "sample"},
    {"format", "u8 uint8", "cu8"},
    {"format", "s8 int8", "cs8"},
    {"format", "s16 i16 s16le ci16 sc16 int16", "cs16"},
    {"format", "f32 float float32 fc32 complex64 cfile", "cf32"},
    {"window", "none boxcar rectangular", "rect"},
    {"window", "hanning", "hann"},
    {"window", "flattop", "flat-top"},
    {"window", "bh4", "blackman-harris"},
    {"window", "gaussian", "gauss"},
    {"source", "replay", "file"},
    {"source", "simulation", "sim"},
    {"source", "rtl rtlsdr rtl-sdr rtl_sdr", "--device driver=rtlsdr"},
    {"source", "hackrf", "--device driver=hackrf"},
    {"source", "airspy", "--device driver=airspy"},
    {"source", "radio", "soapy"},
    {"device", "rtl rtlsdr rtl-sdr", "driver=rtlsdr"},
    {"device", "0", "rtl=0"},
    {"device", "1", "rtl=1"},
    {"device", "hackrf", "driver=hackrf"},
    {"device", "airspy", "driver=airspy"},
    {"-", "p", "--ppm"},
    {"-", "a", "--antenna"},
    {"-", "i", "--replay"},
    {"-", "b", "--fft-size"},
};

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; *at; at += strspn(at, " ")) {
        const size_t here = strcspn(at, " ");
        if (here == length && strncmp(at, word, length) == 0)
            return true;
        at += here;
    }
    return false;
}

const char *foreign_name(const char *key, const char *typed)
{
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        const char *of = foreign[i].key;
        if ((key ? of && strcmp(of, key) == 0 : !of) && has_word(foreign[i].words, typed))
            return foreign[i].ours;
    }
    return NULL;
}
