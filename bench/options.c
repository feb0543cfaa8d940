/* options.c - one table of options, and their values. */
#include "bench/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/fft.h"

void options_help(void)
{
    puts(
        "fft-bench spectrum [options]: how fast an engine turns raw samples into mean spectra\n"
        "\n"
        "  --engine NAME   auto, cpu, ... (auto)\n"
        "  --isa NAME      instruction set of the cpu engine (the best)\n"
        "  --n LIST        frame sizes, 1K = 1024 (256,1K,4K,16K,64K,256K,1M,4M)\n"
        "  --hop H         samples from frame to frame (half a frame)\n"
        "  --format F      cu8, cs8, cs16, cf32 (cs16)\n"
        "  --threads T     (1)\n"
        "  --vs fftw       against FFTW, loaded at run time; $FFT_BENCH_FFTW names another build\n"
        "  --patient       with FFTW's PATIENT plans: minutes at 256K and more, kept in ~/.cache\n"
        "  --json          an array of rows\n"
        "\n"
        "MS/s are millions of samples in frames; a stream of overlapped frames has hop/n of that.\n"
        "Errors are relative to a double-precision spectrum; the bound is the machine's, "
        "measured.");
}

static int bad(const char *option, const char *value)
{
    fprintf(stderr, "fft-bench: --%s: \"%s\" is not understood\n", option, value);
    return -EINVAL;
}

/* "4096", "4K", "1M"; 0: not a number in 1 .. 2^31. */
static uint32_t parse_count(const char *text, const char **end)
{
    char *rest;
    if (*text < '0' || *text > '9')
        return 0;
    errno = 0;
    uint64_t value = strtoull(text, &rest, 10);
    if (errno || value > INT32_MAX)
        return 0;
    if (*rest == 'K' || *rest == 'M')
        value *= *rest++ == 'K' ? 1U << 10 : 1U << 20;
    *end = rest;
    return value <= INT32_MAX ? (uint32_t)value : 0;
}

static int parse_number(const char *option, const char *text, uint32_t *out)
{
    const char *end = text;
    *out = parse_count(text, &end);
    return *out && !*end ? 0 : bad(option, text);
}

static int parse_sizes(struct options *o, const char *list)
{
    const char *at = list;
    for (o->count = 0; o->count < MAX_SIZES; at++) {
        const uint32_t n = parse_count(at, &at);
        if (n < SPECTRUM_MIN_N || n > SPECTRUM_MAX_N || (n & (n - 1)))
            return bad("n", list);
        o->sizes[o->count++] = n;
        if (*at != ',')
            return *at ? bad("n", list) : 0;
    }
    return bad("n", list);
}

static int take(struct options *o, const char *option, const char *value)
{
    switch (*option) {
    case 'e':
        o->engine = value;
        return 0;
    case 'i':
        o->isa = value;
        return 0;
    case 'n':
        return parse_sizes(o, value);
    case 'f':
        return iq_parse(value, &o->format) == 0 ? 0 : bad(option, value);
    case 't':
        return parse_number(option, value, &o->threads);
    case 'v':
        o->vs_fftw = true;
        return strcmp(value, "fftw") == 0 ? 0 : bad(option, value);
    case 'p':
        o->patient = true;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    default: /* hop */
        return parse_number(option, value, &o->hop);
    }
}

int options_parse(struct options *o, int argc, char **argv)
{
    /* take() tells them apart by the first letter. */
    static const struct option table[] = {
        {"engine", 1, NULL, 0},
        {"isa", 1, NULL, 0},
        {"n", 1, NULL, 0},
        {"hop", 1, NULL, 0},
        {"format", 1, NULL, 0},
        {"threads", 1, NULL, 0},
        {"vs", 1, NULL, 0},
        {"json", 0, NULL, 0},
        {"patient", 0, NULL, 0},
        {"help", 0, NULL, 'h'},
        {0},
    };
    int index = 0, which, err = 0;

    *o = (struct options){.engine = "auto", .threads = 1, .format = IQ_CS16};
    parse_sizes(o, "256,1K,4K,16K,64K,256K,1M,4M");
    while (err == 0 && (which = getopt_long(argc, argv, "", table, &index)) != -1) {
        if (which == 'h')
            return 1;
        err = which == 0 ? take(o, table[index].name, optarg) : -EINVAL;
    }
    if (err < 0)
        return err;
    if (argc - optind != 1 || strcmp(argv[optind], "spectrum") != 0) {
        fputs("fft-bench: say what to measure: spectrum\n", stderr);
        return -EINVAL;
    }
    return 0;
}
