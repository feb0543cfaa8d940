/* test_iq_name.c - the table of file names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cmocka_all.h"

#include "daemon/format/recording/iq_name.h"

static void check(const char *text, enum iq_container container, const char *format,
                  double center_hz, double rate_hz)
{
    struct iq_name name;
    iq_name_parse(text, &name);
    const struct iq_sample *sample = format ? iq_sample_find(format) : NULL;
    if (name.container != container || name.sample != sample || name.rate_hz != rate_hz ||
        !(name.center_hz == center_hz || (isnan(center_hz) && isnan(name.center_hz))))
        fail_msg("%s: container %d, format %s, centre %.3f, rate %.3f", text, name.container,
                 name.sample ? name.sample->name : "none", name.center_hz, name.rate_hz);
}

static void suffixes_name_the_format_in_any_case(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *format;
    } table[] = {
        {"a.cu8", "cu8"},         {"a.data", "cu8"},        {"a.complex16u", "cu8"},
        {"a.CU8", "cu8"},         {"a.cs8", "cs8"},         {"a.complex16s", "cs8"},
        {"a.Complex16S", "cs8"},  {"a.cs16", "cs16"},       {"a.CS16", "cs16"},
        {"a.cf32", "cf32"},       {"a.cfile", "cf32"},      {"a.complex", "cf32"},
        {"a.uc8", "cu8"},         {"a.sc8", "cs8"},         {"a.ci8", "cs8"},
        {"a.C8", "cs8"},          {"BBD_0001.C16", "cs16"}, /* PortaPack */
        {"a.c16", "cs16"},        {"a.ci16", "cs16"},       {"a.sc16", "cs16"},
        {"a.complex32s", "cs16"}, {"a.fc32", "cf32"},       {"/x.wav/a.b.cs16", "cs16"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        check(table[i].text, IQ_RAW, table[i].format, NAN, 0);
}

static void containers_are_known_by_their_suffix(void **state)
{
    (void)state;
    check("a.wav", IQ_WAV, NULL, NAN, 0);
    check("a.BWF", IQ_WAV, NULL, NAN, 0);
    check("a.rf64", IQ_WAV, NULL, NAN, 0);
    check("wav:-", IQ_WAV, NULL, NAN, 0);
    check("a.sdriq", IQ_SDRIQ, NULL, NAN, 0);
    check("a.2021-12-16T14_23_16_147.sdriq", IQ_SDRIQ, NULL, NAN, 0);
    check("a.sigmf-meta", IQ_SIGMF_PAIR, NULL, NAN, 0);
    check("a.sigmf-data", IQ_SIGMF_PAIR, NULL, NAN, 0);
    check("a.SigMF", IQ_SIGMF_ARCHIVE, NULL, NAN, 0);
    check("sigmf:-", IQ_SIGMF_ARCHIVE, NULL, NAN, 0);
    static const char *const unknown[] = {"a.bin", "a.raw", "a.dat", "a.iq", "a.f32", "a.IQ"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        check(unknown[i], IQ_UNKNOWN, NULL, NAN, 0);
    check("-", IQ_UNKNOWN, NULL, NAN, 0);
    check("", IQ_UNKNOWN, NULL, NAN, 0);
}

static void unreadable_formats_are_named(void **state)
{
    (void)state;
    static const char *const table[] = {"cu4", "cs4", "cu12", "cu64", "cs64"};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[32];
        struct iq_name name;
        snprintf(text, sizeof text, "x_433.92M_250k.%s", table[i]);
        iq_name_parse(text, &name);
        assert_int_equal(name.container, IQ_REFUSED);
        assert_string_equal(name.refused, table[i]);
    }
}

static void a_prefix_overrides_the_suffix(void **state)
{
    (void)state;
    struct iq_name name;
    check("cs16:/tmp/a_433.92M_250k.cu8", IQ_RAW, "cs16", 433.92e6, 250e3);
    check("CS8:a.wav", IQ_RAW, "cs8", NAN, 0);
    check("cf32:-", IQ_RAW, "cf32", NAN, 0);
    iq_name_parse("cs16:/tmp/a.cu8", &name);
    assert_string_equal(name.path, "/tmp/a.cu8");
    iq_name_parse("rec:2024.cu8", &name); /* no format: part of the name */
    assert_string_equal(name.path, "rec:2024.cu8");
    assert_ptr_equal(name.sample, iq_sample_find("cu8"));
    iq_name_parse("cs4:a.cu8", &name);
    assert_string_equal(name.refused, "cs4");
}

static void names_give_centre_and_rate(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double center_hz, rate_hz;
    } table[] = {
        {"NAME_433.92M_250k.cu8", 433920000, 250000},
        {"g001_433.92M_1024k.cu8", 433920000, 1024000},
        {"/dir_1M_7k/868.3M_1000K.cu8", 868300000, 1000000},
        {"wmbus_868.950M_1600k.cu8", 868950000, 1600000},
        {"modes1_1090M_2000k.cu8", 1090000000, 2000000},
        {"rtlsdr_868.950M_1M6_samples2.cu8", 868950000, 1600000},
        {"rtlsdr_868.625M_2M4_issue48.cu8", 868625000, 2400000},
        {"1M6_868.95M.cu8", 868950000, 1600000},
        {"1M6.cu8", NAN, 1600000},
        {"868M95_1M6.cu8", 868950000, 1600000},
        {"433M92_250k.cu8", 433920000, 250000},
        {"868.95M_2M.cu8", 868950000, 2000000},
        {"433M.cu8", 433000000, 0},
        {"100M_433M_250k.cu8", 433000000, 250000},
        {"433.92M_250k_1000k.cu8", 433920000, 1000000},
        {"433.92M_2k4.cu8", 433920000, 2400},
        {"1G5_2048k.cu8", 1500000000, 2048000},
        {"2.4G_20Msps.cs16", 2400000000, 20000000},
        {"433920000Hz_250000sps.cu8", 433920000, 250000},
        {"7100kHz_96ksps.cs16", 7100000, 96000},
        {"446mhz_2.4MSPS.cs16", 446000000, 2400000},
        {"5.8GHz_1Gsps.cs16", 5800000000, 1e9},
        {"SDRSharp_20170101_120000Z_433000000Hz_IQ.cs16", 433000000, 0},
        {"a 433.92M 250k.cu8", 433920000, 250000},
        {"433.92M_250k", 433920000, 250000},
        {"x_433.92M_250k.bin", 433920000, 250000},
        {"433.92m_250k.cu8", NAN, 250000},
        {"433.92Mx_250kb.cu8", NAN, 0},
        {"0M_0k.cu8", NAN, 0},
        {"nanM_infk_0x10k_1e6k.cu8", NAN, 0},
        {"99999999999999999999M_1k.cu8", NAN, 1000},
        {"1000000000000000000000000000000000000000000000000000000000000000000k.cu8", NAN, 0},
        {"M_k_Hz_sps_1._.5M_5.M.cu8", NAN, 0},
        {"x_433M92_1M.cu8", 433920000, 1000000},
        {"433M92.cu8", 433920000, 0},
        {"868.95M_433M92_250k.cu8", 433920000, 250000},
        {"2M_868.95M.cu8", 868950000, 2000000},
        {"7M_10M.cs16", 7000000, 10000000},
        {"10M.cs16", 10000000, 0}, /* as in rtl_433: a centre */
        {"x_2.4G_20M", 2400000000, 20000000},
        {"2.4G_61M44.cs16", 2400000000, 61440000},
        {"iq_100MHz_2M", 100000000, 2000000},
        {"a-433.92M-250k", 433920000, 250000},
        {"a-433.92M-250k.iq", 433920000, 250000},
        {"868.95M_1600k.iq", 868950000, 1600000},
        {"301GHz_250k.cu8", NAN, 250000},
        {"433.92M_11Gsps.cu8", 433920000, 0},
        {"5.8G_200G.cu8", 5800000000, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct iq_name name;
        iq_name_parse(table[i].name, &name);
        check(table[i].name, name.container, name.sample ? name.sample->name : NULL,
              table[i].center_hz, table[i].rate_hz);
    }
}

/* Names found in the wild: documents, scripts and recordings of these programs. */
static void names_of_other_programs_give_centre_and_rate(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum iq_container container;
        double center_hz, rate_hz;
    } table[] = {
        /* gqrx */
        {"gqrx_20240101_120000_433920000_2400000_fc.raw", IQ_RAW, 433920000, 2400000},
        {"gqrx_20221116_142706_2216499998_4000000_fc.raw", IQ_RAW, 2216499998, 4000000},
        {"/tmp/gqrx_20180404_011711_144119900_300000_fc.raw", IQ_RAW, 144119900, 300000},
        {"gqrx_20240101_120000_144800000_1800000_8.raw", IQ_UNKNOWN, NAN, 0},
        {"gqrx_20240101_120000_999999999999_1800000_fc.raw", IQ_UNKNOWN, NAN, 0},
        {"gqrx_20240101_120000_144800000_0_fc.raw", IQ_UNKNOWN, NAN, 0},
        /* SDR++ */
        {"baseband_433123259Hz_12-22-59_30-07-2025.wav", IQ_WAV, 433123259, 0},
        {"baseband_468811597Hz_18-53-50_29-12-2025___tetra.wav", IQ_WAV, 468811597, 0},
        {"15-29-07_92783258Hz.wav", IQ_WAV, 92783258, 0},
        /* HDSDR, SDRuno, SDRconnect, SDR#, airspy_rx */
        {"HDSDR_20170125_095238Z_7100kHz_RF.wav", IQ_WAV, 7100000, 0},
        {"ecars_net_7255_HDSDR_20180225_174354Z_7255kHz_RF.wav", IQ_WAV, 7255000, 0},
        {"SDRuno_20200907_184033Z_88110kHz.wav", IQ_WAV, 88110000, 0},
        {"SDRconnect_IQ_20250322_173407_741000HZ.wav", IQ_WAV, 741000, 0},
        {"SDRSharp_20190521_170204Z_137500000Hz_IQ.wav", IQ_WAV, 137500000, 0},
        {"SDRSharp_20160101_231914Z_12kHz_IQ.wav", IQ_WAV, 12000, 0},
        {"AirSpy_20170312_060959Z_137650kHz_IQ.wav", IQ_WAV, 137650000, 0},
        /* SDR Console: local time */
        {"19-Jan-2020 175024.012 162.550MHz.wav", IQ_WAV, 162550000, 0},
        {"04-Jan-2023 210307.838 500.512MHz 000.wav", IQ_WAV, 500512000, 0},
        /* KiwiSDR: kiwirecorder in Hz, its page in kHz */
        {"20171127T104156Z_77500_HB9RYZ_iq.wav", IQ_WAV, 77500, 0},
        {"20251014T122009Z_100000_G0GHK_iq.wav", IQ_WAV, 100000, 0},
        {"kiwi.example_2024-01-01T12_00_00Z_7100.00_iq.wav", IQ_WAV, 7100000, 0},
        {"2024-01-01T12_00_00Z_7100000_iq.wav", IQ_WAV, 7100000, 0},
        {"2024-01-01T12_00_00Z_7100995166.0_iq.wav", IQ_WAV, NAN, 0},
        /* Universal Radio Hacker: the last MHz is the filter's width */
        {"Recorded-HackRF-20250411_183354-433_92MHz-2MSps-2MHz.complex16s", IQ_RAW, 433920000,
         2000000},
        {"RTL-SDR-20250411_183354-868_3MHz-1_024MSps.complex16u", IQ_RAW, 868300000, 1024000},
        {"HackRF-20250411_183354-2_4GHz-20MSps-20MHz.complex", IQ_RAW, 2400000000, 20000000},
        /* SDRangel and PortaPack write only a time or a number */
        {"bfm.2021-12-16T14_23_16_147.wav", IQ_WAV, NAN, 0},
        {"BBD_0000.C16", IQ_RAW, NAN, 0},
        {"CAP_20240101_120000.C16", IQ_RAW, NAN, 0},
        /* rtl_433 */
        {"g001_433.92M_250k.cu8", IQ_RAW, 433920000, 250000},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct iq_name name;
        iq_name_parse(table[i].name, &name);
        check(table[i].name, table[i].container, name.sample ? name.sample->name : NULL,
              table[i].center_hz, table[i].rate_hz);
    }
    check("gqrx_20240101_120000_1000000_2000000_fc.raw", IQ_RAW, "cf32", 1e6, 2e6);
    check("cs16:gqrx_20240101_120000_1000000_2000000_fc.raw", IQ_RAW, "cs16", 1e6, 2e6);
}

/* Seconds as `date -u +%s` gives them; 0: no time, or possibly local time. */
/* As osmocom_fft, SatDump, airspy_rx, hackrf_transfer, SDR#, SDRconnect and scripts write them. */
static void names_of_more_programs_give_centre_and_rate(void **state)
{
    (void)state;
    static const struct {
        const char *name, *format;
        double center_hz, rate_hz;
    } table[] = {
        {"name-f1.455000e+08-s1.000000e+06-t20160807180210.cfile", "cf32", 145.5e6, 1e6},
        {"name-f1.455e+08-s1.0e+06.cs8", "cs8", 145.5e6, 1e6},
        {"433,92MHz_1M.cs16", "cs16", 433.92e6, 1e6},
        {"868,3M_2,4M.cu8", "cu8", 868.3e6, 2.4e6},
        {"capture_fc433920000_fs2000000_cs16.bin", "cs16", 433.92e6, 2e6},
        {"x_145.5e6_1e6_cf32.iq", "cf32", 145.5e6, 1e6},
        {"freq100000000_rate2400000.cu8", "cu8", 100e6, 2.4e6},
        {"2024-01-01_12-00-00_2400000SPS_137100000Hz.cs8", "cs8", 137.1e6, 2.4e6},
        {"AIRSPY_20240101_120000Z_7100kHz_IQ.cs16", "cs16", 7.1e6, 0},
        {"HackRF_20240101_120000Z_433920kHz_IQ.cs8", "cs8", 433.92e6, 0},
        {"SDRSharp_20240101_120000Z_7100000Hz_IQ.cf32", "cf32", 7.1e6, 0},
        {"SDRconnect_IQ_20240101_120000_7100000HZ.cs16", "cs16", 7.1e6, 0},
        /* SigDigger: suscan's source_file.c reads these; a capture of HackTricks has the first */
        {"sigdigger_20220308_165547Z_2560000_433500000_float32_iq.raw", "cf32", 433.5e6, 2.56e6},
        {"sigdigger_2560000_433500000_float32_iq.raw", "cf32", 433.5e6, 2.56e6},
        /* SatDump: prepareBasebandFileName(), and the table in strf's rffft_internal.c */
        {"2023-08-05_08-02-00_16000000SPS_2274000000Hz.s8", "cs8", 2274e6, 16e6},
        {"2023-08-05_18-02-45-534_16000000SPS_2284000000Hz.s16", "cs16", 2284e6, 16e6},
        {"2023-08-05_18-02-45-1691258565.534000_8000000SPS_2284000000Hz.f32", "cf32", 2284e6, 8e6},
        /* SDR4space: its Examples, RX/demod */
        {"ISS-ZARYA-_20220324-185954_F437.800_SR48000.cs16", "cs16", 437.8e6, 48000},
        {"XW-2A_20220201-084845_F145.660_SR22050.cs16", "cs16", 145.66e6, 22050},
        /* words of people: a rate as a width, formats as numpy and ffmpeg call them, copies */
        {"band_100MHz_250kHz.cs16", "cs16", 100e6, 250e3},
        {"7100kHz_48kHz.32fc", "cf32", 7.1e6, 48e3},
        {"88MHz_108MHz.cu8", "cu8", 88e6, 0}, /* two edges */
        {"433.92MHz_2MHz_1Msps.cu8", "cu8", 433.92e6, 1e6},
        {"capture_433.92M_2.4M_int16.raw", "cs16", 433.92e6, 2.4e6},
        {"capture_433.92M_2.4M_s16le", "cs16", 433.92e6, 2.4e6},
        {"rtl-uint8-433.92M-250k.bin", "cu8", 433.92e6, 250e3},
        {"gqrx_20240101_120000_433920000_2400000_fc (1).raw", "cf32", 433.92e6, 2.4e6},
        {"gqrx_20240101_120000_433920000_2400000_fc - Copy.raw", "cf32", 433.92e6, 2.4e6},
        {"433.92M_250k(12).cu8", "cu8", 433.92e6, 250e3},
        {"f1_s2_take3.cs8", "cs8", NAN, 0}, /* numbers of takes, no Hz */
        {"e5_1e_2e+.cs8", "cs8", NAN, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        check(table[i].name, IQ_RAW, table[i].format, table[i].center_hz, table[i].rate_hz);
    check("cs16_7100kHz.wav", IQ_WAV, NULL, 7.1e6, 0);
    check("2023-08-07_16-36-47-1691426207.749000_2400000SPS_100000000Hz.wav", IQ_WAV, NULL, 100e6,
          2.4e6); /* SatDump */
    check("20230819_064211_451250000_SaiaNet_Syracuse_Control_29_baseband.wav", IQ_WAV, NULL,
          451.25e6, 0); /* SDRTrunk: its tests */
    check("20230819_064211_451250000_SaiaNet_audio.wav", IQ_WAV, NULL, NAN, 0);
    check("2400000SPS_100000000Hz.f32", IQ_UNKNOWN, NULL, 100e6, 2.4e6); /* perhaps real samples */
    check("noise_float32_iq.raw", IQ_RAW, "cf32", NAN, 0);
    check("_1_float32_iq.raw", IQ_RAW, "cf32", NAN, 0);
    check("x_F2.8_take.cs8", IQ_RAW, "cs8", NAN, 0);
}

/* The names that these programs' sources or manuals have, or that their formats make. */
static void names_of_recorders_for_one_radio_give_centre_and_rate(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum iq_container container;
        const char *format;
        double center_hz, rate_hz;
    } table[] = {
        /* rsp-recorder: README, "WAVVIEWDX-RAW"; two tuners are two channels */
        {"iq_pcm16_ch1_cf800000_sr2000000_dt20251123-204313z.raw", IQ_RAW, "cs16", 800e3, 2e6},
        {"iq_pcm16_ch2_cf800000_sr2000000_dt20251123-154313.raw", IQ_UNKNOWN, NULL, 800e3, 2e6},
        {"RSP_recording_20251124_003458Z_800kHz.wav", IQ_WAV, NULL, 800e3, 0},
        /* RF Analyzer: Recording.calculateFileName(), enum class FilesourceFileFormat */
        {"20250411-183354_fm_HACKRF_100500kHz_20MSps.iq", IQ_RAW, "cs8", 100.5e6, 20e6},
        {"20250411-183354_a b_RTLSDR_433920kHz_2048kSps.iq", IQ_RAW, "cu8", 433.92e6, 2.048e6},
        {"20250411-183354_x_AIRSPY_137MHz_10MSps.iq", IQ_RAW, "cs16", 137e6, 10e6},
        {"20250411-183354_x_HYDRASDR_137MHz_10MSps.iq", IQ_RAW, "cs16", 137e6, 10e6},
        {"x_HACKRF_100500kHz_20MSps.iq", IQ_UNKNOWN, NULL, 100.5e6, 20e6},
        /* ka9q-radio: pcmrecord.c, session_file_init() */
        {"7100k2024-01-01T12:00:00.5Z.raw", IQ_UNKNOWN, NULL, 7.1e6, 0},
        {"20240101T120000Z_7100000_iq.wav", IQ_WAV, NULL, 7.1e6, 0},
        /* CubicSDR: DemodulatorInstance::updateLabel(), AudioSinkFileThread.cpp */
        {"145.500_2024-01-01_12-00-00.wav", IQ_WAV, NULL, 145.5e6, 0},
        {"145.500_2024-01-01_12-00-00-1.wav", IQ_WAV, NULL, 145.5e6, 0},
        {"145.5_2024-01-01_12-00-00.wav", IQ_WAV, NULL, NAN, 0},
        /* WiNRADiO: manuals of G33DDC and G39DDC, "Recorder", and G65DDC, appendix F: a WAV */
        {"rec-12.345678MHz_11-07-04_15\xe2\x80\x99"
         "34\xe2\x80\x99"
         "57.ddc",
         IQ_WAV, NULL, 12345678, 0},
        {"rec-12.345678MHz-$001-^002.ddc", IQ_WAV, NULL, 12345678, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        check(table[i].name, table[i].container, table[i].format, table[i].center_hz,
              table[i].rate_hz);
}

static void only_utc_times_are_taken(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t seconds;
    } table[] = {
        {"gqrx_20240101_120000_433920000_2400000_fc.raw", 1704110400},
        {"HDSDR_20170125_095238Z_7100kHz_RF.wav", 1485337958},
        {"20171127T104156Z_77500_HB9RYZ_iq.wav", 1511779316},
        {"kiwi.example_2024-01-01T12_00_00Z_7100.00_iq.wav", 1704110400},
        {"x 2024-01-01T12:00:00Z.cu8", 1704110400},
        {"2024-01-01T12_00_00Z_x_20249901_120000_1_2_fc.raw", 1704110400},
        {"2024-01-01T12-00-00Z_433.92M_250k.cu8", 1704110400},
        {"sigdigger_20220308_165547Z_2560000_433500000_float32_iq.raw", 1646758547},
        {"2023-08-05_08-02-00_16000000SPS_2274000000Hz.s8", 1691222520},
        {"2023-08-05_18-02-45-1691258565.534000_8000000SPS_2284000000Hz.f32", 1691258565},
        {"iq_pcm16_ch1_cf800000_sr2000000_dt20251123-204313z.raw", 1763930593},
        {"iq_pcm16_ch1_cf800000_sr2000000_dt20251123-154313.raw", 0},
        {"7100k2024-01-01T12:00:00.0Z.raw", 1704110400},
        {"145.500_2024-01-01_12-00-00.wav", 0},
        {"20250411-183354_fm_HACKRF_100500kHz_20MSps.iq", 0},
        {"2023-08-05_08-02-00_433.92M.cs8", 0},
        {"20230819_064211_451250000_SaiaNet_Syracuse_Control_29_baseband.wav", 0},
        {"test.2020-08-05T21_39_07.sdriq", 0},
        {"SDRconnect_IQ_20250322_173407_741000HZ.wav", 0},
        {"baseband_433123259Hz_12-22-59_30-07-2025.wav", 0},
        {"19-Jan-2020 175024.012 162.550MHz.wav", 0},
        {"20241301_120000Z.wav", 0},
        {"20240101_250000Z.wav", 0},
        {"120240101_120000Z.wav", 0},
        {"20240101_12000Z.wav", 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct iq_name name;
        iq_name_parse(table[i].name, &name);
        if (name.has_time != (table[i].seconds > 0) ||
            (name.has_time && name.time_ns != table[i].seconds * 1000000000))
            fail_msg("%s: time %lld", table[i].name, (long long)name.time_ns);
    }
}

/* SDRangel: FileRecord and WavFileRecord take it from currentDateTimeUtc(). */
static void milliseconds_of_a_name_count(void **state)
{
    (void)state;
    struct iq_name name;
    iq_name_parse("rec0_2020-08-05T21_39_07_974.wav", &name);
    assert_true(name.has_time && name.time_ns == INT64_C(1596663547974000000));
    iq_name_parse("2020-08-05T21_39_07_97.sdriq", &name); /* something else */
    assert_true(!name.has_time && name.time_ns == 0);
    iq_name_parse("test.2020-08-05T21_39_07_974.sdriq", &name);
    assert_true(name.has_time && name.time_ns == INT64_C(1596663547974000000));
    iq_name_parse("7100k2024-01-01T12:00:00.5Z.raw", &name); /* pcmrecord */
    assert_true(name.has_time && name.time_ns == INT64_C(1704110400500000000));
    iq_name_parse("2023-08-05_18-02-45-534_16000000SPS_2284000000Hz.s16", &name);
    assert_true(name.has_time && name.time_ns == INT64_C(1691258565534000000));
}

/* Every name of up to four of these pieces, in a block of its exact size, so that the address
 * sanitizer detects a read past the end. */
static void no_name_is_read_beyond_its_end(void **state)
{
    (void)state;
    static const char *const pieces[] = {"",
                                         "_",
                                         ".",
                                         ":",
                                         "/",
                                         "1",
                                         "1M",
                                         "1M6",
                                         "k",
                                         "MHz",
                                         "_1_2_fc",
                                         "cu8",
                                         "-",
                                         "-4_",
                                         "Z",
                                         "_7.0",
                                         "20240101",
                                         "_120000Z",
                                         "7k2024-01-01T12:00:00.5"};
    enum { PIECES = sizeof pieces / sizeof pieces[0] };
    for (unsigned i = 0; i < PIECES * PIECES * PIECES * PIECES; i++) {
        char text[96];
        struct iq_name name;
        snprintf(text, sizeof text, "%s%s%s%s", pieces[i % PIECES], pieces[i / PIECES % PIECES],
                 pieces[i / PIECES / PIECES % PIECES], pieces[i / PIECES / PIECES / PIECES]);
        char *exact = strdup(text);
        iq_name_parse(exact, &name);
        assert_true(name.rate_hz >= 0 && name.path >= exact && name.path <= exact + strlen(exact));
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suffixes_name_the_format_in_any_case),
        cmocka_unit_test(containers_are_known_by_their_suffix),
        cmocka_unit_test(unreadable_formats_are_named),
        cmocka_unit_test(a_prefix_overrides_the_suffix),
        cmocka_unit_test(names_give_centre_and_rate),
        cmocka_unit_test(names_of_other_programs_give_centre_and_rate),
        cmocka_unit_test(names_of_more_programs_give_centre_and_rate),
        cmocka_unit_test(names_of_recorders_for_one_radio_give_centre_and_rate),
        cmocka_unit_test(only_utc_times_are_taken),
        cmocka_unit_test(milliseconds_of_a_name_count),
        cmocka_unit_test(no_name_is_read_beyond_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
