/*
 * iq_name.h - parses format, centre and rate from the name of a recording. Pure, any thread.
 *
 *     [format:]path        format: one of the suffixes below; forces a raw file of that format
 *
 *     suffix, upper or lower case        content
 *     .cu8 .uc8 .data .complex16u         raw cu8          (.data and .complex...: as in rtl_433
 *     .cs8 .sc8 .ci8 .c8 .complex16s      raw cs8          and Universal Radio Hacker, URH)
 *     .cs16 .sc16 .ci16 .c16 .complex32s  raw cs16
 *     .cf32 .fc32 .cfile .complex         raw cf32         (.complex64 and .32fc as well)
 *     .cu16 .uc16 .complex32u             raw cu16
 *     .cs24 .sc24 .ci24 .c24, .sc32       raw cs24, cs32
 *     .fc64 .complex128                   raw cf64
 *     other names of iq_sample.h          raw
 *     .wav .wave .bwf .rf64 .bw64 .w64    WAV              (prefix wav: for a pipe; .ddc, too)
 *     .sdriq                              SDRangel         (prefix sdriq: for a pipe)
 *     .sigmf-meta .sigmf-data             SigMF pair
 *     .sigmf                              SigMF archive    (prefix sigmf: for a pipe)
 *     .cu4 .cs4 .cu12 .cu64 .cs64         known formats that fftd cannot read
 *
 * Parts of the file's name between '_', '-' and blanks:
 *
 *     7100kHz 2.4GHz 433920000Hz 2.4G     centre (the first)
 *     250k 250ksps 2.4Msps 250000sps      rate (the last)
 *     433.92M 433M92 1M6 = 1.6 M          M: what is missing. Neither given: two are centre and
 *                                         rate, in this order unless the second alone is above
 *                                         100 M; a single one is the centre, except 1M6 up to
 *                                         100M0, which is a rate. Of more, the last ones count
 *     433,92MHz                           a comma is a decimal point
 *     f1.455e+08 fc145500000              centre in Hz; also cf, freq
 *     s1.0e+06 fs2000000                  rate in Hz; also sr, rate
 *     145.5e6_1e6                         as numbers in M
 *     100MHz 250kHz                       centre and rate, if the second is less than half of the
 *                                         first and no other number is a rate
 *     cf32 cs16 uint8 int16 s16le ...     sample format, if no suffix says it
 *
 * " (1)" and " - Copy" at the end are left out.
 *
 * A centre above 300 GHz and a rate above 10 GS/s are ignored. Some programs write other names:
 *
 *     gqrx_20240101_120000_433920000_2400000_fc.raw    time, centre, rate; cf32   (gqrx)
 *     sigdigger_20220308_165547Z_2560000_433500000_float32_iq.raw
 *                                                      time, rate, centre; cf32   (SigDigger)
 *     2024-01-01_12-00-00_2400000SPS_137100000Hz.s16   time, centre, rate; .s8, .s16 and .f32 are
 *                                                      complex                    (SatDump)
 *     ISS_20220324-185954_F437.800_SR48000.cs16        centre in MHz, rate        (SDR4space)
 *     20230819_064211_451250000_Site_29_baseband.wav   centre                     (SDRTrunk)
 *     rec0_2020-08-05T21_39_07_974.sdriq               time                       (SDRangel)
 *     7100k2024-01-01T12:00:00.5Z.raw                  centre in kHz, time        (ka9q-radio)
 *     145.500_2024-01-01_12-00-00.wav                  centre in MHz              (CubicSDR)
 *     iq_pcm16_ch1_cf800000_sr2000000_dt20251123-204313z.raw
 *                                                      time; cs16                 (rsp-recorder)
 *     20250411-183354_name_HACKRF_100500kHz_20MSps.iq  cs8; RTLSDR: cu8, AIRSPY and HYDRASDR: cs16
 *                                                                                 (RF Analyzer)
 *     Recorded-HackRF-20240101_120000-433_92MHz-2MSps-2MHz   '_' in 433_92        (URH)
 *     20240101T120000Z_77500_HB9RYZ_iq.wav             time, centre in Hz         (kiwirecorder)
 *     kiwi_2024-01-01T12_00_00Z_7100.00_iq.wav         time, centre in kHz        (KiwiSDR)
 *     HDSDR_20240101_120000Z_7100kHz_RF.wav            time, centre        (SDR#, SDRuno: too)
 *
 * Other dates are ignored, because they may be local time (SDR++, SDR Console, SDRconnect, URH,
 * CubicSDR, RF Analyzer, WiNRADiO).
 */
#ifndef FFTD_DAEMON_FORMAT_RECORDING_IQ_NAME_H
#define FFTD_DAEMON_FORMAT_RECORDING_IQ_NAME_H

#include <stdbool.h>

#include "daemon/format/recording/iq_sample.h"

enum iq_container {
    IQ_UNKNOWN, /* no known suffix */
    IQ_RAW,
    IQ_WAV,
    IQ_SDRIQ,
    IQ_SIGMF_PAIR,
    IQ_SIGMF_ARCHIVE,
    IQ_REFUSED /* a format that fftd cannot read: `refused` */
};

struct iq_name {
    const char *path; /* points into the given text, after the prefix */
    enum iq_container container;
    const struct iq_sample *sample; /* of IQ_RAW */
    char refused[12];               /* "cs12" */
    double center_hz;               /* NAN: not in the name */
    double rate_hz;                 /* 0: not in the name */
    bool has_time;
    int64_t time_ns; /* Unix time of the first sample */
};

void iq_name_parse(const char *text, struct iq_name *out);

#endif
