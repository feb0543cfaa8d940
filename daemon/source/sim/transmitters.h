/*
 * transmitters.h - the scenes of the simulated radio that decoders understand: transmissions of
 * known contents, made from the published formats.
 *
 *     scene     offset  what is sent
 *     sensor    +300k   a Nexus-TH, on-off keying: of each bit a pulse of 500 us and a gap of
 *                       1000 us (0) or 2000 us (1), 4000 us between the 12 copies of a telegram.
 *                       36 bits: id (8), battery, 0, channel - 1 (2), temperature in tenths
 *                       (12, signed), 1111, humidity (8). Every 3 s: id 165, channel 2, 21.7 C,
 *                       48 %; 1.5 s later: id 60, channel 1, -5.3 C, 91 %
 *     squitter          Mode S extended squitters (DF17; ICAO Annex 10 IV): after pulses at 0, 1,
 *                       3.5 and 4.5 us, 112 bits of 1 us by position, with a CRC of the generator
 *                       0x1FFF409. Four of them (transmitters.c), one each 20 ms
 *     nfm       -300k   a tone of 1 kHz with a deviation of 3 kHz, and CTCSS of 88.5 Hz with 500 Hz
 *     am        -600k   a tone of 1 kHz, m = 0.6; the level is that of the carrier
 *     ssb       +600k   upper sideband: tones of 700 and 1900 Hz, each 6 dB below the level
 *     ax25      -900k   a packet each 2 s: a UI frame (AX.25 2.2) from FFTD-1 to TEST, "fftd sends
 *                       this", between flags of HDLC, 1200 baud, NRZI, tones of 1200 Hz (mark)
 *                       and 2200 Hz (Bell 202), FM with a deviation of 3 kHz
 *     channels          all that have an offset; those beyond the radio's rate are left out
 *
 * level= (default -20 dBFS) of each, offset= of a single one (default 0), noise= of that total
 * power (default -50 dBFS). Times are those of the samples: sample 0 is at 0. Pulses begin and end
 * between samples: a sample has the part of them that lies within half a sample of it. Pure, any
 * thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SIM_TRANSMITTERS_H
#define FFTD_DAEMON_SOURCE_SIM_TRANSMITTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "fft/iq.h"

enum sim_service {
    SIM_SERVICE_SENSOR,
    SIM_SERVICE_SQUITTER,
    SIM_SERVICE_NFM,
    SIM_SERVICE_AM,
    SIM_SERVICE_SSB,
    SIM_SERVICE_AX25,
    SIM_SERVICES
};

enum { SIM_PULSES = 1024, SIM_BITS = 1024 };

/* Those of a time that repeats, in order. */
struct sim_pulses {
    double every_s;
    unsigned count;
    struct sim_pulse {
        double from_s, to_s;
    } pulse[SIM_PULSES];
};

/* The tones of a packet, of one bit each, in order. */
struct sim_packet {
    double every_s, from_s, bit_s, deviation_hz;
    unsigned count;
    struct sim_bit {
        double hz;           /* of the tone */
        double sound, swing; /* phases of tone and carrier where the bit begins, in turns */
    } bit[SIM_BITS];
};

struct sim_transmitters {
    const struct fft_iq *noise; /* [period], which repeats; a power of two. Set by the caller */
    uint32_t period;
    double rate_hz;
    struct sim_transmitter {
        enum sim_service service;
        double fraction, amplitude; /* of the rate; of full scale */
    } one[SIM_SERVICES];
    unsigned count;
    struct sim_pulses sensor, squitter;
    struct sim_packet packet;
};

void sim_transmitters_init(struct sim_transmitters *t, double rate_hz);
/* Beyond half of the rate: it is left out. */
void sim_transmitters_add(struct sim_transmitters *t, enum sim_service service, double offset_hz,
                          double level_dbfs);
void sim_transmitters_add_all(struct sim_transmitters *t, double level_dbfs); /* scene=channels */
/* Writes the samples number first .. first + count - 1. */
void sim_transmitters_render(const struct sim_transmitters *t, uint64_t first, uint32_t count,
                             enum fft_iq_format format, void *into);

#endif
