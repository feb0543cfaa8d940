/* test_mistakes.c - what newcomers type, and the line that each of them reads. */
#include <string.h>

#include "daemon/base/near_name.h"
#include "daemon/config/loader.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/config/config_case.h"

#define TIME "expected a time from 0 to 1000000000 s; units are ms, s, min, h and d"

static const struct {
    const char *words, *error;
} mistakes[] = {
    {"-f 88M:108M:10k", "--center: bad value '88M:108M:10k': expected a number from 0 to 1000G "
                        "(did you mean --span 88M:108M --rbw 10k?)"},
    {"--center 88M:108M", "--center: bad value '88M:108M': expected a number from 0 to 1000G (did "
                          "you mean --span 88M:108M?)"},
    {"-f 108M:88M", "--center: bad value '108M:88M': expected a number from 0 to 1000G"},
    {"--sweep 88M:108M", "--sweep: unknown option: did you mean --span?"},
    {"--freq 100M", "--freq: unknown option: did you mean --center?"},
    {"--frequency=100M", "--frequency=100M: unknown option: did you mean --center?"},
    {"--samplerate 2.4M", "--samplerate: unknown option: did you mean --rate?"},
    {"--sample-rate 2.4M", "--sample-rate: unknown option: did you mean --rate?"},
    {"--sample_rate 2.4M", "--sample_rate: unknown option: did you mean --rate?"},
    {"--maxhold", "--maxhold: unknown option: did you mean --detector max?"},
    {"--trace max", "--trace: unknown option: did you mean --detector?"},
    {"--samp-rate 2M", "--samp-rate: unknown option: did you mean --rate?"},
    {"--fftsize 1024", "--fftsize: unknown option: did you mean --fft-size?"},
    {"--fft_size 1024", "--fft_size: unknown option: did you mean --fft-size?"},
    {"--nfft 1024", "--nfft: unknown option: did you mean --fft-size?"},
    {"--port 8011", "--port: unknown option: did you mean --listen :PORT?"},
    {"--host 0.0.0.0", "--host: unknown option: did you mean --listen HOST:PORT?"},
    {"--bind 0.0.0.0", "--bind: unknown option: did you mean --listen HOST:PORT?"},
    {"--file a.iq", "--file: unknown option: did you mean --replay?"},
    {"--input a.iq", "--input: unknown option: did you mean --replay?"},
    {"--cetner 100M", "--cetner: unknown option: did you mean --center?"},
    {"--centre 100M", "--centre: unknown option: did you mean --center?"},
    {"--center", "--center: needs a value: a number from 0 to 1000G"},
    {"--gian 30", "--gian: unknown option: did you mean --gain?"},
    {"--gain", "--gain: needs a value: auto, dB, or dB for each element as in LNA=20,TIA=8"},
    {"--gain high",
     "--gain: bad value 'high': expected auto, dB, or dB for each element as in LNA=20,TIA=8"},
    {"--gain 30dBm",
     "--gain: bad value '30dBm': expected auto, dB, or dB for each element as in LNA=20,TIA=8"},
    {"--windw hann", "--windw: unknown option: did you mean --window?"},
    {"--window hanning", "--window: unknown window 'hanning': one of rect, hann, hamming, "
                         "blackman, blackman-harris, nuttall, flat-top, kaiser, kaiser(BETA), "
                         "gauss, gauss(ALPHA) (did you mean hann?)"},
    {"--window foo",
     "--window: unknown window 'foo': one of rect, hann, hamming, blackman, blackman-harris, "
     "nuttall, flat-top, kaiser, kaiser(BETA), gauss, gauss(ALPHA)"},
    {"--format foo", "--format: bad value 'foo': expected cu8, cs8, cs16, cf32, or another sample "
                     "format, such as cs24, ci16_be or rf32"},
    {"--format u8", "--format: bad value 'u8': expected cu8, cs8, cs16, cf32, or another sample "
                    "format, such as cs24, ci16_be or rf32 (did you mean cu8?)"},
    {"--format s16le", "--format: bad value 's16le': expected cu8, cs8, cs16, cf32, or another "
                       "sample format, such as cs24, ci16_be or rf32 (did you mean cs16?)"},
    {"--detector avg",
     "--detector: unknown detector 'avg': one of mean, max, min, sample (did you mean mean?)"},
    {"--detector peak",
     "--detector: unknown detector 'peak': one of mean, max, min, sample (did you mean max?)"},
    {"--source rtlsdr",
     "--source: unknown source 'rtlsdr': one of auto, soapy, rtl_tcp, spyserver, file, sim (did "
     "you mean --device driver=rtlsdr?)"},
    {"--source hackrf",
     "--source: unknown source 'hackrf': one of auto, soapy, rtl_tcp, spyserver, file, sim (did "
     "you mean --device driver=hackrf?)"},
    {"--source rtl",
     "--source: unknown source 'rtl': one of auto, soapy, rtl_tcp, spyserver, file, sim (did you "
     "mean --device driver=rtlsdr?)"},
    {"--source", "--source: needs a value: one of auto, soapy, rtl_tcp, spyserver, file, sim"},
    {"-d rtlsdr",
     "--device: bad value 'rtlsdr': expected KEY=VALUE pairs, separated by commas, or HOST:PORT "
     "(did you mean driver=rtlsdr?)"},
    {"-d driver:rtlsdr", "--device: bad value 'driver:rtlsdr': expected KEY=VALUE pairs, separated "
                         "by commas, or HOST:PORT"},
    {"--rate -2.4M", "--rate: bad value '-2.4M': expected a number from 1 to 10G"},
    {"--rate 2,4M",
     "--rate: bad value '2,4M': expected a number from 1 to 10G (did you mean 2.4M?)"},
    {"--rate 2.4m",
     "--rate: bad value '2.4m': expected a number from 1 to 10G (did you mean 2.4M?)"},
    {"--rate 0", "--rate: bad value '0': expected a number from 1 to 10G"},
    {"--rate fast", "--rate: bad value 'fast': expected a number from 1 to 10G"},
    {"--center 100,5MHz", "--center: bad value '100,5MHz': expected a number from 0 to 1000G "
                          "(did you mean 100.5MHz?)"},
    {"--center 100mhz",
     "--center: bad value '100mhz': expected a number from 0 to 1000G (did you mean 100Mhz?)"},
    {"--center 1e13", "--center: bad value '1e13': expected a number from 0 to 1000G"},
    {"-n 1000", "--fft-size: bad value '1000': expected a power of two from 64 to 4194304 (did "
                "you mean 1024?)"},
    {"-n 4kk", "--fft-size: bad value '4kk': expected a power of two from 64 to 4194304"},
    {"--overlap 100", "--overlap: bad value '100': expected a number from 0 to less than 100"},
    {"--overlap 0.5x", "--overlap: bad value '0.5x': expected a number from 0 to less than 100"},
    {"--threads -1", "--threads: bad value '-1': expected a whole number from 0 to 256"},
    {"--threads auto", "--threads: bad value 'auto': expected a whole number from 0 to 256"},
    {"--listen 127.0.0.1",
     "--listen: bad value '127.0.0.1': expected ADDRESS:PORT, [IPV6]:PORT, :PORT, unix:/PATH, "
     "systemd, or none; tls: before one encrypts it (did you mean 127.0.0.1:8010?)"},
    {"--listen http://127.0.0.1:8010/",
     "--listen: bad value 'http://127.0.0.1:8010/': expected ADDRESS:PORT, [IPV6]:PORT, :PORT, "
     "unix:/PATH, systemd, or none; tls: before one encrypts it (did you mean 127.0.0.1:8010?)"},
    {"--listen 0.0.0.0", "--listen: bad value '0.0.0.0': expected ADDRESS:PORT, [IPV6]:PORT, "
                         ":PORT, unix:/PATH, systemd, or none; tls: before one encrypts it (did "
                         "you mean 0.0.0.0:8010?)"},
    {"--listen localhost",
     "--listen: bad value 'localhost': expected ADDRESS:PORT, [IPV6]:PORT, :PORT, unix:/PATH, "
     "systemd, or none; tls: before one encrypts it (did you mean localhost:8010?)"},
    {"--listen 99999", "--listen: bad value '99999': expected ADDRESS:PORT, [IPV6]:PORT, "
                       ":PORT, unix:/PATH, systemd, or none; tls: before one encrypts it"},
    {"--listen /run/x.sock",
     "--listen: bad value '/run/x.sock': expected ADDRESS:PORT, [IPV6]:PORT, :PORT, "
     "unix:/PATH, systemd, or none; tls: before one encrypts it (did you mean unix:/run/x.sock?)"},
    {"--allow-origin sdr.example.org",
     "--allow-origin: bad value 'sdr.example.org': expected origins as in "
     "https://sdr.example.org, separated by commas (did you mean https://sdr.example.org?)"},
    {"--allow-origin https://sdr.example.org/",
     "--allow-origin: bad value 'https://sdr.example.org/': expected origins as in "
     "https://sdr.example.org, separated by commas (did you mean https://sdr.example.org?)"},
    {"-center 100M", "-center: unknown option: did you mean --center?"},
    {"-rate 2.4M", "-rate: unknown option: did you mean --rate?"},
    {"-freq 100M", "-freq: unknown option: did you mean --center?"},
    {"--hlep", "--hlep: unknown option: did you mean --help?"},
    {"--Help", "--Help: unknown option: did you mean --help?"},
    {"-v", "-v: unknown option: did you mean -V?"},
    {"-H", "-H: unknown option: did you mean -h?"},
    {"-p 8010", "-p: unknown option: did you mean --ppm?"},
    {"-q", "-q: unknown option (see --help)"},
    {"--verbose", "--verbose: unknown option (see --help)"},
    {"--loop=maybe", "--loop: bad value 'maybe': expected yes or no"},
    {"--csv --json x", "--csv: needs a value, not --json (if it is one: --csv=--json)"},
    {"--csv", "--csv: needs a value: a file name, or - for standard output"},
    {"--duration 10m", "--duration: bad value '10m': " TIME " (did you mean 10min?)"},
    {"--duration forever", "--duration: bad value 'forever': " TIME},
    {"--record-max-age 30m", "--record-max-age: bad value '30m': " TIME " (did you mean 30min?)"},
    {"--output-max-age 7days", "--output-max-age: bad value '7days': " TIME " (did you mean 7d?)"},
    {"--events-max-age 2w", "--events-max-age: bad value '2w': " TIME " (did you mean 14d?)"},
    {"--record-max-age 1M", "--record-max-age: bad value '1M': " TIME},
    {"--record-max-age 1month", "--record-max-age: bad value '1month': " TIME},
    {"--nats broker:4222",
     "--nats: bad value 'broker:4222': expected nats://HOST[:PORT] or tls://HOST[:PORT]; user and "
     "password are in the file of nats-credentials (did you mean nats://broker:4222?)"},
    {"--nats nats://broker/path", "--nats: bad value 'nats://broker/path': expected "
                                  "nats://HOST[:PORT] or tls://HOST[:PORT]; user "
                                  "and password are in the file of nats-credentials"},
    {"--hub nats://broker:99999",
     "--hub: bad value 'nats://broker:99999': expected nats://HOST[:PORT] or tls://HOST[:PORT]; "
     "user and password are in the file of nats-credentials"},
    {"--hub nats://broker:", "--hub: bad value 'nats://broker:': expected nats://HOST[:PORT] or "
                             "tls://HOST[:PORT]; user and "
                             "password are in the file of nats-credentials"},
    {"--lines ten", "--lines: bad value 'ten': expected a whole number from 0 to 1000000G"},
    {"--line 5", "--line: ambiguous option: could be --line-rate, --lines"},
    {"--density",
     "--density: there is no such option: it is counted for those who read /api/v1/density or the "
     "page; --density-columns, -levels, -top and -step set its size and range"},
    {"calibrate --source-level -30 --at 100M",
     "--source-level: unknown option: did you mean --calibrate-level DBM?"},
    {"--source-level -30", "--source-level: unknown option: did you mean --calibrate-level DBM?"},
    {"--at 100M", "--at: unknown option: did you mean --calibrate-at HZ?"},
    {"--repair=", "--repair: needs a value: a directory or file"},
    {"--survey=",
     "--survey: needs a value: a directory, and keys as in archive,from=-1d,width=25k"},
    {"--replay-spectra=",
     "--replay-spectra: needs a value: a directory, and keys as in archive,from=-1d,resolution=1s"},
    {"--cut=", "--cut: needs a value: FROM:TO,LOW:HIGH as in 12.5s:14s,433.9M:433.95M"},
    {"--learn-spurs=", "--learn-spurs: needs a value: a file name"},
    {"--calibrate-at=", "--calibrate-at: needs a value: a number from 0 to 1000G"},
    {"learn", "learn: there is no such recording: did you mean --learn-spurs, --learn-threshold?"},
    {"replay-spectra x",
     "replay-spectra: there is no such recording: did you mean --replay-spectra?"},
    {"--unit dbm", "--unit: unknown option: did you mean --level-unit?"},
    {"--level-unit dBµV",
     "--level-unit: unknown level-unit 'dBµV': one of auto, dbfs, dbm, dbuv (did "
     "you mean dbuv?)"},
    {"-o rate=1", "-o rate=1: expected SECTION.KEY=VALUE"},
    {"-o radio.freq=1", "-o radio.freq: unknown key 'freq' in [radio]: did you mean center?"},
    {"-o radio.rat=1", "-o radio.rat: unknown key 'rat' in [radio]: did you mean rate?"},
    {"-o tuner.rate=1", "-o tuner.rate: unknown section [tuner]"},
    {"a.iq b.iq", "b.iq: unexpected argument: the recording is already a.iq"},
    {"-c nosuch.conf", "nosuch.conf: cannot open: No such file or directory"},
    {"-c 433.92M",
     "433.92M: cannot open: No such file or directory (-c names a configuration file; "
     "a centre is -f)"},
    {"-d 0", "--device: bad value '0': expected KEY=VALUE pairs, separated by commas, or HOST:PORT "
             "(did you mean rtl=0?)"},
    {"-d hackrf", "--device: bad value 'hackrf': expected KEY=VALUE pairs, separated by commas, or "
                  "HOST:PORT (did you mean driver=hackrf?)"},
    {"--format int16", "--format: bad value 'int16': expected cu8, cs8, cs16, cf32, or another "
                       "sample format, such as cs24, ci16_be or rf32 (did you mean cs16?)"},
    {"--format float32", "--format: bad value 'float32': expected cu8, cs8, cs16, cf32, or another "
                         "sample format, such as cs24, ci16_be or rf32 (did you mean cf32?)"},
    {"--format uint8", "--format: bad value 'uint8': expected cu8, cs8, cs16, cf32, or another "
                       "sample format, such as cs24, ci16_be or rf32 (did you mean cu8?)"},
    {"--settings direct_samp",
     "--settings: bad value 'direct_samp': expected KEY=VALUE pairs, separated by commas, of at "
     "most 191 bytes"},
    {"--ppm 5000", "--ppm: bad value '5000': expected a number from -1k to 1k"},
    {"--bias-t=YES", "--bias-tee: bad value 'YES': expected yes or no (did you mean yes?)"},
    {"--tokenfile x", "--tokenfile: unknown option: did you mean --token-file?"},
    {"--socket-mode rw", "--socket-mode: bad value 'rw': expected octal digits from 0 to 0777"},
};

static void mistakes_get_a_line_that_helps(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        config_case_bad(mistakes[i].words, NULL, mistakes[i].error);
}

static void mistakes_in_a_file_get_a_line_that_helps(void **state)
{
    (void)state;
    static const struct {
        const char *file, *error;
    } table[] = {
        {"[radio]\ncentre = 100M\n", "@:2: unknown key 'centre' in [radio]: did you mean center?"},
        {"[radio]\nsample_rate = 1M\n",
         "@:2: unknown key 'sample_rate' in [radio]: did you mean rate?"},
        {"[server]\nport = 80\n", "@:2: unknown key 'port' in [server]: did you mean listen?"},
        {"[soruce]\nloop = yes\n", "@:1: unknown section [soruce]: did you mean [source]?"},
        {"[Radio]\nrate = 1M\n", "@:1: unknown section [Radio]: did you mean [radio]?"},
        {"[radio]\nport = 80\n", "@:2: unknown key 'port' in [radio]"},
        {"[radio]\nwindow = hann\n",
         "@:2: unknown key 'window' in [radio]: it belongs to [spectrum]"},
        {"[radio]\nrate = 2,4 MS/s\n", "@:2: rate: bad value '2,4 MS/s': expected a number from 1 "
                                       "to 10G (did you mean 2.4 MS/s?)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        config_case_bad("", table[i].file, table[i].error);
}

/* Changes by hand. */
static void names_are_as_near_as_the_changes_between_them(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *name;
        unsigned distance;
    } table[] = {
        {"center", "center", 0},      {"cetner", "center", 1},     {"cenetr", "center", 1},
        {"centre", "center", 1},      {"centr", "center", 1},      {"ccenter", "center", 1},
        {"dmuration", "duration", 1}, {"durtaoin", "duration", 2}, {"tokenfile", "token-file", 1},
        {"detcetor", "detector", 1},  {"widnwo", "window", 2},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_int_equal(near_name_distance(table[i].typed, table[i].name), table[i].distance);
    static const char *const far[][2] = {{"no", "json"},
                                         {"x", "rate"},
                                         {"verbose", "version"},
                                         {"quiet", "antenna"},
                                         {"abc", "cab"}};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++)
        assert_true(near_name_distance(far[i][0], far[i][1]) == NEAR_NAME_FAR);
}

static void an_option_of_an_output_that_is_not_there_warns(void **state)
{
    (void)state;
    static const struct {
        const char *words, *warning; /* NULL: none */
    } table[] = {
        {"--csv-format mhz-dbm", "--csv-format: nothing is written as CSV: give --csv FILE"},
        {"--csv-format hackrf_sweep --csv x", NULL},
        {"--csv-format mhz-dbm --csv x",
         "--csv-format: without a calibration, the levels of mhz-dbm are in dBFS: give "
         "--calibration FILE"},
        {"--csv-format mhz-dbm --csv x --level-unit dbfs", NULL},
        {"--source sim --fast --measure-json x",
         "--measure-json: there is no measurement: give --measure (see fftd list measurements)"},
        {"--source sim --fast --measure-json x --measure snr", NULL},
        {"--source sim --measure-json x", NULL}, /* a client may add one */
        {"--level-unit dbuv",
         "--level-unit: without a calibration, levels stay in dBFS: give --calibration FILE"},
        {"--overwrite",
         "--overwrite and --output-...: nothing is written: give --csv FILE or another output"},
        {"--output-max-age 1d",
         "--overwrite and --output-...: nothing is written: give --csv FILE or another output"},
        {"--overwrite --stats -", NULL},
        {"--csv - --output-keep 3",
         "output-keep: no file is renamed: give output-max-bytes or output-max-age"},
        {"--level-unit dbfs", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct config_case k;
        config_case_good(&k, table[i].words, NULL);
        const char *warning = config_warning(&k.config);
        assert_string_equal(warning ? warning : "", table[i].warning ? table[i].warning : "");
        config_case_finish(&k);
    }
}

static void a_number_that_lacks_its_unit_gets_a_hint(void **state)
{
    (void)state;
    static const struct {
        const char *words, *hint; /* NULL: none */
    } table[] = {
        {"-f 433.92", "--center: this is 433.92 Hz: did you mean 433.92M?"},
        {"-f 100M -s 2.4", "--rate: this is 2.4 samples a second: did you mean 2.4M?"},
        {"-f 100M -s 250", "--rate: this is 250 samples a second: did you mean 250k?"},
        {"--overlap 0.5", "--overlap: this is 0.5 per cent: did you mean 50?"},
        {"-f 433.92M -s 2.4M --overlap 50", NULL},
        {"-f 0 -s 48k --overlap 0", NULL},
        {"-f 10k -s 1k --overlap 1", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct config_case k;
        char hint[CONFIG_HINT] = "";
        config_case_good(&k, table[i].words, NULL);
        assert_int_equal(config_hint(&k.config, hint), table[i].hint != NULL);
        assert_string_equal(hint, table[i].hint ? table[i].hint : "");
        config_case_finish(&k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_get_a_line_that_helps),
        cmocka_unit_test(an_option_of_an_output_that_is_not_there_warns),
        cmocka_unit_test(a_number_that_lacks_its_unit_gets_a_hint),
        cmocka_unit_test(mistakes_in_a_file_get_a_line_that_helps),
        cmocka_unit_test(names_are_as_near_as_the_changes_between_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
