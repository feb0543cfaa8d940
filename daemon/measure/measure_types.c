/* measure_types.c - the types of measurements and their keys, as lists for people. */
#include <errno.h>
#include <string.h>

#include "daemon/line/trace.h"
#include "daemon/measure/measure_setup.h"

static int check_reference(const char *text)
{
    const bool valid = !*text || (strlen(text) < REFERENCE_NAME && option_name_is_valid(text));
    return valid ? 0 : -EINVAL;
}

static const struct config_option common[] = {
    {"measure", "detector", .kind = OPTION_OTHER, .form = &detector_form,
     OPTION_FIELD(struct measure_setup, detector), .fallback = "mean", .metavar = "NAME",
     .choices = "mean, max, min, sample, median", .expected = "or a percentile as p90",
     .help = "How frames become the lines that are measured"},
    {"measure", "trace", .kind = OPTION_INDEX, OPTION_FIELD(struct measure_setup, trace),
     .fallback = "clear-write", .metavar = "NAME", .choices = TRACE_FUNCTION_NAMES,
     .help = "How lines become the trace that is measured"},
    {"measure", "count", .kind = OPTION_COUNT, OPTION_FIELD(struct measure_setup, count),
     .fallback = "0", .metavar = "LINES", .min = 0, .max = 1e9,
     .help = "Lines that the averages combine; 0 combines all"},
    {"measure", "vbw", .kind = OPTION_NUMBER, OPTION_FIELD(struct measure_setup, vbw_hz),
     .fallback = "0", .metavar = "HZ", .unit = SI_HZ, .min = 0, .max = 1e10,
     .help = "Video bandwidth of the averages, instead of count; 0 uses count"},
    {"measure", "math", .kind = OPTION_INDEX, OPTION_FIELD(struct measure_setup, math),
     .fallback = "none", .metavar = "NAME", .choices = MATH_NAMES,
     .help = "The trace minus the power of a reference, or relative to it: then levels are in dB"},
    {"measure", "math-reference", .kind = OPTION_STRING,
     OPTION_FIELD(struct measure_setup, reference), .fallback = "", .metavar = "NAME",
     .expected = "the name of a reference", .check = check_reference,
     .help = "Stored reference trace of math"},
};

struct option_type measure_type(const struct measure_ops *ops)
{
    return (struct option_type){ops->name, ops->about, ops->options, ops->option_count};
}

static struct option_type type_at(size_t i)
{
    return measure_type(measure_list[i]);
}

struct option_family measure_family(void)
{
    return (struct option_family){"measurement", "type", common, sizeof common / sizeof common[0],
                                  measure_count, type_at};
}

void measure_print_types(FILE *out)
{
    const struct option_family f = measure_family();
    option_family_print(&f, out);
}

void measure_print_man(FILE *out)
{
    const struct option_family f = measure_family();
    option_family_print_man(&f, out);
}
