/*
 * fuzz_engine_options.c - libFuzzer target: the options of the OpenCL engine and its plan choices.
 *
 * A choice that is accepted, printed and parsed again is the same choice.
 */
#include "fft/opencl/opencl_settings.h"
#include "tests/fuzz/fuzz.h"

static void check_choice(const struct opencl_choice *choice)
{
    struct opencl_choice again;
    char printed[512];
    check((size_t)opencl_choice_print(choice, printed, sizeof printed) < sizeof printed);
    check(opencl_choice_parse(&again, printed));
    check(memcmp(&again, choice, sizeof again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    char why[200] = "";
    char *text = take_text(&in);
    struct opencl_settings s;
    struct opencl_choice choice;
    const int err = opencl_settings_parse(&s, text, (struct fft_reason){why, sizeof why});
    check_error(err, why);
    if (err == 0)
        check_choice(&s.choice);
    if (opencl_choice_parse(&choice, text))
        check_choice(&choice);
    free(text);
    return 0;
}
