/* test_config_rules.c - the rules between options. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/config/loader.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/config/config_case.h"

static void contradictions_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *words, *error;
    } table[] = {
        {"--average 10 --line-rate 5",
         "--average and --line-rate cannot be given together: a line's length follows from one of "
         "them"},
        {"--replay a --realtime --fast",
         "--realtime and --full-speed cannot be given together: they are opposites"},
        {"--token a --token-file b",
         "--token and --token-file cannot be given together: there is one control token"},
        {"--fast",
         "--full-speed: a radio runs at its own speed: only for --replay or the simulation"},
        {"--source soapy --fast",
         "--full-speed: a radio runs at its own speed: only for --replay or the simulation"},
        {"--loop", "--loop: only a recording can be looped: give --replay FILE"},
        {"--source sim --loop", "--loop: only a recording can be looped: give --replay FILE"},
        {"--source sim --to 5", "--to: only a recording has it: give --replay FILE"},
        {"--stay", "--keep-running: only a recording has it: give --replay FILE"},
        {"--replay x --from 2s --to 1500ms", "--to: 1.5 s is not after from, 2 s"},
        {"--replay x --stay --fast",
         "--keep-running: only a replay in real time has it, and full-speed is given"},
        {"--replay - --loop", "--loop: standard input cannot be read again"},
        {"--source file", "--source: file needs a recording: give --replay FILE"},
        {"--source sim --replay x.cu8",
         "--source: sim cannot replay 'x.cu8': leave the source out, or auto"},
        {"--csv - --json -", "--csv and --json are both '-'"},
        {"--calibrate-ppm --calibrate-at 1M --calibration x --csv y",
         "--csv: a calibration writes its table alone"},
        {"--calibrate-ppm --calibrate-at 1M --calibration x --listen 127.0.0.1:1",
         "--listen: a calibration writes its table alone"},
        {"--learn-spurs x --json y", "--json: learn-spurs writes its list alone"},
        {"--learn-spurs x --measure peaks", "--measure: learn-spurs writes its list alone"},
        {"--learn-spurs x --calibrate-level -30 --calibrate-at 1M --calibration y",
         "--learn-spurs and --calibrate-level cannot be given together: a run does one of them"},
        {"--learn-spurs x --calibrate-ppm --calibrate-at 1M --calibration y",
         "--learn-spurs and --calibrate-ppm cannot be given together: a run does one of them"},
        {"--learn-threshold 20", "--learn-threshold needs --learn-spurs"},
        {"--span 100M:200M --learn-spurs x",
         "--span and --learn-spurs cannot be given together: spurs are learnt at one frequency"},
        {"--span 100M:200M --calibrate-ppm --calibrate-at 1M --calibration y",
         "--span and --calibrate-ppm cannot be given together: a calibration is at one frequency"},
        {"--verify --learn-spurs x",
         "--verify and --learn-spurs cannot be given together: a run does one of them"},
        {"--verify --calibrate-level -30",
         "--verify and --calibrate-level cannot be given together: a run does one of them"},
        {"--verify x.cu8",
         "--verify and --replay cannot be given together: its signals are made for it"},
        {"--verify --calibrate-ppm",
         "--verify and --calibrate-ppm cannot be given together: a run does one of them"},
        {"--csv x --csv-format hackrf_sweep --csv-time seconds",
         "--csv-time: only the form rtl_power has it in seconds"},
        {"--csv - --stats -", "--csv and --stats are both '-'"},
        {"--json x --stats x", "--json and --stats are both 'x'"},
        {"--replay x.cu8 --csv x.cu8", "--replay and --csv are both 'x.cu8'"},
        {"--band-plan x,y --json y --overwrite", "--band-plan and --json are both 'y'"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        config_case_bad(table[i].words, NULL, table[i].error);
}

static void contradictions_inside_a_file_name_its_lines(void **state)
{
    (void)state;
    config_case_bad("", "[spectrum]\naverage = 10\nline-rate = 5\n",
                    "@:2: average and @:3: line-rate cannot be given together: a line's length "
                    "follows from one of them");
    config_case_bad("", "[source]\nsource = sim\nloop = yes\n",
                    "@:3: loop: only a recording can be looped: give --replay FILE");
}

static void command_line_resolves_contradictions_of_the_file(void **state)
{
    (void)state;
    struct config_case k;
    config_case_good(&k, "--line-rate 5", "[spectrum]\naverage = 10\n");
    assert_int_equal(k.config.settings.average, 0);
    assert_near(k.config.settings.line_rate_hz, 5, 0);
    config_case_finish(&k);
    config_case_good(&k, "--average 10", "[spectrum]\nline-rate = 5\n");
    assert_int_equal(k.config.settings.average, 10);
    config_case_finish(&k);
    config_case_good(&k, "--token-file b", "[server]\ntoken = a\n");
    assert_null(k.config.server.token);
    assert_string_equal(k.config.server.token_file, "b");
    config_case_finish(&k);
    config_case_good(&k, "--replay x --fast", "[source]\nrealtime = yes\n");
    assert_false(k.config.source.realtime);
    config_case_finish(&k);
    config_case_good(&k, "--replay x", "[source]\nsource = sim\n");
    assert_string_equal(k.config.source.source, "auto");
    assert_string_equal(k.config.source.replay, "x");
    config_case_finish(&k);
    config_case_good(&k, "--source sim", "[source]\nreplay = x\n");
    assert_null(k.config.source.replay);
    config_case_finish(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contradictions_are_refused_by_name),
        cmocka_unit_test(contradictions_inside_a_file_name_its_lines),
        cmocka_unit_test(command_line_resolves_contradictions_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
