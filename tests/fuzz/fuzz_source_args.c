/*
 * fuzz_source_args.c - libFuzzer target: --device of the simulated radio, and the key=value lists
 * and gains of SoapySDR radios.
 *
 * A list that is accepted, printed and parsed again is the same list.
 */
#include <math.h>

#include "daemon/base/reason.h"
#include "daemon/source/sim/sim_args.h"
#include "daemon/source/soapy/soapy_args.h"
#include "tests/fuzz/fuzz.h"

static void check_sim(const char *text)
{
    struct sim_args args;
    struct reason why = {0};
    const int err = sim_args_parse(text, &args, &why);
    check_error(err, why.sentence);
    if (err)
        return;
    check(!isinf(args.scene.level_dbfs) && !isinf(args.scene.noise_dbfs));
    check(!isinf(args.scene.offset_hz));
    check(isnan(args.overflow_every_s) || args.overflow_every_s > 0);
    check(isnan(args.overflow_lost) || args.overflow_lost >= 0);
    check(!isinf(args.vanish_after_s) && !isinf(args.stall_after_s) && !isinf(args.hang_after_s));
}

static void check_pairs(const char *text)
{
    struct soapy_pairs pairs, again;
    struct reason why = {0};
    char printed[SOAPY_PAIRS * sizeof(struct soapy_pair)];
    const int err = soapy_pairs_parse(text, &pairs, &why);
    check_error(err, why.sentence);
    if (err)
        return;
    size_t length = 0;
    printed[0] = '\0';
    check(pairs.count <= SOAPY_PAIRS);
    for (size_t i = 0; i < pairs.count; i++)
        length += (size_t)snprintf(printed + length, sizeof printed - length, "%s%s=%s",
                                   i ? "," : "", pairs.pair[i].key, pairs.pair[i].value);
    check(soapy_pairs_parse(printed, &again, &why) == 0);
    check(again.count == pairs.count);
    for (size_t i = 0; i < pairs.count; i++)
        check(strcmp(again.pair[i].key, pairs.pair[i].key) == 0 &&
              strcmp(again.pair[i].value, pairs.pair[i].value) == 0);
}

static void check_gain(const char *text)
{
    struct soapy_gain gain;
    struct reason why = {0};
    const int err = soapy_gain_parse(text, &gain, &why);
    check_error(err, why.sentence);
    if (err)
        return;
    check(gain.elements <= SOAPY_GAINS);
    check(gain.kind != SOAPY_GAIN_TOTAL || isfinite(gain.total_db));
    for (size_t i = 0; i < gain.elements; i++)
        check(gain.element[i].name[0] && isfinite(gain.element[i].db));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    char *text = take_text(&in);
    check_sim(text);
    check_pairs(text);
    check_gain(text);
    free(text);
    return 0;
}
