/* iq_name.c - finds the container and the sample format in the name of a recording. */
#include "daemon/format/recording/iq_name.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "daemon/format/recording/iq_name_parts.h"

static const struct suffix {
    const char *name;
    enum iq_container container;
    enum fft_iq_format format;
} suffixes[] = {
    {"cu8", IQ_RAW, FFT_IQ_CU8},
    {"uc8", IQ_RAW, FFT_IQ_CU8},
    {"data", IQ_RAW, FFT_IQ_CU8},
    {"complex16u", IQ_RAW, FFT_IQ_CU8},
    {"cs8", IQ_RAW, FFT_IQ_CS8},
    {"sc8", IQ_RAW, FFT_IQ_CS8},
    {"ci8", IQ_RAW, FFT_IQ_CS8},
    {"c8", IQ_RAW, FFT_IQ_CS8},
    {"complex16s", IQ_RAW, FFT_IQ_CS8},
    {"cs16", IQ_RAW, FFT_IQ_CS16},
    {"sc16", IQ_RAW, FFT_IQ_CS16},
    {"ci16", IQ_RAW, FFT_IQ_CS16},
    {"c16", IQ_RAW, FFT_IQ_CS16},
    {"complex32s", IQ_RAW, FFT_IQ_CS16},
    {"cf32", IQ_RAW, FFT_IQ_CF32},
    {"fc32", IQ_RAW, FFT_IQ_CF32},
    {"cfile", IQ_RAW, FFT_IQ_CF32},
    {"complex", IQ_RAW, FFT_IQ_CF32},
    {"wav", IQ_WAV, FFT_IQ_FORMATS},
    {"wave", IQ_WAV, FFT_IQ_FORMATS},
    {"bwf", IQ_WAV, FFT_IQ_FORMATS},
    {"rf64", IQ_WAV, FFT_IQ_FORMATS},
    {"bw64", IQ_WAV, FFT_IQ_FORMATS},
    {"sdriq", IQ_SDRIQ, FFT_IQ_FORMATS},
    {"sigmf", IQ_SIGMF_ARCHIVE, FFT_IQ_FORMATS},
    {"sigmf-meta", IQ_SIGMF_PAIR, FFT_IQ_FORMATS},
    {"sigmf-data", IQ_SIGMF_PAIR, FFT_IQ_FORMATS},
    {"cu4", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cs4", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cu12", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cs12", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cu16", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cu32", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cs32", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cu64", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cs64", IQ_REFUSED, FFT_IQ_FORMATS},
    {"cf64", IQ_REFUSED, FFT_IQ_FORMATS},
    {"complex32u", IQ_REFUSED, FFT_IQ_FORMATS},
};

static const struct suffix *find_suffix(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (strlen(suffixes[i].name) == length && strncasecmp(suffixes[i].name, text, length) == 0)
            return &suffixes[i];
    }
    return NULL;
}

void iq_name_parse(const char *text, struct iq_name *out)
{
    *out = (struct iq_name){.path = text, .format = FFT_IQ_FORMATS, .center_hz = NAN};
    const char *colon = strchr(text, ':');
    const struct suffix *suffix = colon ? find_suffix(text, (size_t)(colon - text)) : NULL;
    if (suffix)
        out->path = colon + 1;
    const char *slash = strrchr(out->path, '/');
    const char *name = slash ? slash + 1 : out->path;
    const char *dot = strrchr(name, '.');
    const struct suffix *own = dot ? find_suffix(dot + 1, strlen(dot + 1)) : NULL;
    const bool extension = own || (dot && strspn(dot + 1, "0123456789") == 0); /* not 433.92M */
    const size_t length = extension ? (size_t)(dot - name) : strlen(name);
    iq_name_read_values(name, length, out);
    iq_name_read_style(name, length, out);
    if (!suffix)
        suffix = own;
    if (!suffix)
        return;
    out->container = suffix->container;
    out->format = suffix->format;
    if (suffix->container == IQ_REFUSED)
        snprintf(out->refused, sizeof out->refused, "%s", suffix->name);
}
