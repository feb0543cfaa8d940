/* image.c - fft-image: filters a picture through transforms of rank 2, on any engine. */
#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/complain.h"
#include "examples/convolve.h"

static const char help[] =
    "fft-image FILTER [options] INPUT OUTPUT: filters a picture by Fourier transforms of rank 2.\n"
    "INPUT and OUTPUT are binary PGM or PPM. Beyond its sides, the picture is mirrored.\n"
    "\n"
    "filters, one of them:\n"
    "  --high-pass CUTOFF  keep what is finer than CUTOFF cycles per pixel (0.001 to 0.25), on\n"
    "                      middle grey; at CUTOFF the amplitude is half\n"
    "  --low-pass CUTOFF   keep what is coarser\n"
    "  --kernel FILE       convolve with the numbers of FILE, one row a line\n"
    "\n"
    "options:\n"
    "  --offset LEVEL      add LEVEL: 0 is black, 1 white (0.5 with --high-pass, else 0)\n"
    "  --engine NAME       auto, cpu, cuda, opencl, opencl:DEVICE (auto)\n"
    "  --options TEXT      of the opencl engine\n"
    "  --verbose           print what is computed, and on what\n";

struct command {
    const char *high, *low, *kernel, *offset; /* as given; NULL: not given */
    const char *engine, *engine_options;
    const char *input, *output;
    bool verbose;
};

int complain(int err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("fft-image: ", stderr);
    vfprintf(stderr, format, args); // NOLINT(clang-analyzer-valist.Uninitialized)
    fputc('\n', stderr);
    va_end(args);
    return err;
}

/* ---- the command line -------------------------------------------------------------------- */

static int check_command(const struct command *c, int words, char **word)
{
    const int filters = (c->high != NULL) + (c->low != NULL) + (c->kernel != NULL);
    if (filters != 1)
        return complain(-EINVAL, "%s --high-pass, --low-pass and --kernel",
                        filters ? "give only one of" : "give one of");
    if (words < 2)
        return complain(-EINVAL, "name the %s picture", words ? "output" : "input");
    return words > 2 ? complain(-EINVAL, "\"%s\" is not understood", word[2]) : 0;
}

/* 0; 1: help was asked for; -EINVAL after a message. */
static int parse(struct command *c, int argc, char **argv)
{
    static const struct option options[] = {{"high-pass", required_argument, NULL, 'h'},
                                            {"low-pass", required_argument, NULL, 'l'},
                                            {"kernel", required_argument, NULL, 'k'},
                                            {"offset", required_argument, NULL, 'o'},
                                            {"engine", required_argument, NULL, 'e'},
                                            {"options", required_argument, NULL, 'p'},
                                            {"verbose", no_argument, NULL, 'v'},
                                            {"help", no_argument, NULL, 'H'},
                                            {0}};
    const char **fields[] = {['h'] = &c->high,   ['l'] = &c->low,    ['k'] = &c->kernel,
                             ['o'] = &c->offset, ['e'] = &c->engine, ['p'] = &c->engine_options};
    int letter;
    opterr = 0;
    while ((letter = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (letter == 'H')
            return 1;
        if (letter == '?')
            return complain(-EINVAL, "\"%s\" is not an option", argv[optind - 1]);
        if (letter == ':')
            return complain(-EINVAL, "%s needs a value", argv[optind - 1]);
        if (letter == 'v')
            c->verbose = true;
        else
            *fields[letter] = optarg;
    }
    const int err = check_command(c, argc - optind, argv + optind);
    if (err == 0) {
        c->input = argv[optind];
        c->output = argv[optind + 1];
    }
    return err;
}

static int parse_number(const char *option, const char *text, double least, double most,
                        double *out)
{
    char *end;
    assert(text);
    *out = strtod(text, &end);
    if (end == text || *end || !(*out >= least && *out <= most))
        return complain(-EINVAL, "--%s \"%s\": not a number from %g to %g", option, text, least,
                        most);
    return 0;
}

/* ---- work -------------------------------------------------------------------------------- */

static int make_gaussian(struct kernel *k, const char *option, const char *text, bool high)
{
    double cutoff;
    const int err = parse_number(option, text, KERNEL_MIN_CUTOFF, KERNEL_MAX_CUTOFF, &cutoff);
    return err < 0 ? err : kernel_gaussian(k, cutoff, high);
}

static int make_kernel(struct kernel *k, const struct command *c)
{
    if (c->kernel)
        return kernel_read(k, c->kernel);
    return c->high ? make_gaussian(k, "high-pass", c->high, true)
                   : make_gaussian(k, "low-pass", c->low, false);
}

static void report(const struct convolution *c, const struct picture *p,
                   const struct fft_engine *engine)
{
    fprintf(stderr, "%u x %u pixels, kernel %u x %u, transforms of %u x %u on %s\n", p->width,
            p->height, c->kernel->width, c->kernel->height, c->columns, c->rows,
            fft_engine_describe(engine));
}

static int filter(const struct command *c, struct picture *p, const struct kernel *k, float offset)
{
    const struct fft_engine_config config = {.name = c->engine, .options = c->engine_options};
    struct convolution convolution = {0};
    struct fft_engine *engine;
    char why[400];
    if (fft_engine_open(&engine, &config, why, sizeof why) < 0)
        return complain(-ENODEV, "%s", why);
    int err = convolution_init(&convolution, engine, k, p->width, p->height);
    if (err == 0 && c->verbose)
        report(&convolution, p, engine);
    if (err == 0) {
        err = convolution_run(&convolution, p, offset);
        if (err < 0)
            complain(err, "%s: %s", fft_engine_name(engine), fft_engine_last_error(engine));
    }
    convolution_finish(&convolution);
    fft_engine_close(engine);
    return err;
}

static int run(const struct command *c)
{
    struct picture picture = {0};
    struct kernel kernel = {0};
    double offset = c->high ? 0.5 : 0;
    int err = c->offset ? parse_number("offset", c->offset, -1, 1, &offset) : 0;
    if (err == 0)
        err = make_kernel(&kernel, c);
    if (err == 0)
        err = picture_read(&picture, c->input);
    if (err == 0)
        err = filter(c, &picture, &kernel, (float)offset);
    if (err == 0)
        err = picture_write(&picture, c->output);
    picture_free(&picture);
    kernel_free(&kernel);
    return err;
}

int main(int argc, char **argv)
{
    struct command command = {.engine = "auto"};
    const int err = parse(&command, argc, argv);
    if (err > 0)
        fputs(help, stdout);
    if (err != 0)
        return err > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    return run(&command) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
