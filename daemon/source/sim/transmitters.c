/* transmitters.c - the pulses and modulations of transmissions with known contents. */
#include "daemon/source/sim/transmitters.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "daemon/source/sim/scene.h"
#include "daemon/source/sim/turn.h"

enum { CHUNK = 1024 };

static const double nyquist = 0.5;

static void add_pulse(struct sim_pulses *p, double from_s, double to_s)
{
    assert(p->count < SIM_PULSES);
    p->pulse[p->count++] = (struct sim_pulse){from_s, to_s};
}

/* ---- the sensor --------------------------------------------------------------------------- */

struct reading {
    unsigned id, battery, channel;
    int tenths;
    unsigned humidity;
};

static uint64_t telegram_bits(const struct reading *r)
{
    return (uint64_t)r->id << 28 | (uint64_t)r->battery << 27 | (uint64_t)(r->channel - 1) << 24 |
           (uint64_t)((unsigned)r->tenths & 0xfff) << 12 | 0xf00 | r->humidity;
}

static void add_telegram(struct sim_pulses *p, double at_s, const struct reading *r)
{
    enum { BITS = 36, COPIES = 12 };
    const double pulse_s = 500e-6, zero_s = 1000e-6, one_s = 2000e-6, pause_s = 4000e-6;
    const uint64_t bits = telegram_bits(r);
    for (int copy = 0; copy < COPIES; copy++) {
        for (int i = BITS - 1; i >= 0; i--) {
            add_pulse(p, at_s, at_s + pulse_s);
            at_s += pulse_s + (bits >> i & 1 ? one_s : zero_s);
        }
        add_pulse(p, at_s, at_s + pulse_s);
        at_s += pulse_s + pause_s;
    }
}

static void make_sensor(struct sim_pulses *p)
{
    static const struct reading warm = {165, 1, 2, 217, 48}, cold = {60, 1, 1, -53, 91};
    p->every_s = 3;
    add_telegram(p, 0.1, &warm);
    add_telegram(p, 1.6, &cold);
}

/* ---- squitters ---------------------------------------------------------------------------- */

/* Of examples in Junzi Sun, "The 1090 Megahertz Riddle": a name, a position in two forms, a
 * speed. The rest of a message is its CRC. */
static const struct squitter {
    uint32_t address;
    uint64_t message; /* 56 bits */
} squitters[] = {{0x4840D6, 0x202CC371C32CE0},
                 {0x40621D, 0x58C382D690C8AC},
                 {0x40621D, 0x58C386435CC412},
                 {0x485020, 0x99440994083817}};

enum { SQUITTERS = sizeof squitters / sizeof squitters[0], MESSAGE_BITS = 112, CRC_BITS = 24 };

static void make_message(const struct squitter *s, bool bit[MESSAGE_BITS])
{
    enum { FIRST = 88 };
    const uint32_t head = 17 << 3 | 5, generator = 0x1FFF409;
    bool rest[MESSAGE_BITS] = {false};
    for (int i = 0; i < FIRST; i++)
        rest[i] = i < 8    ? head >> (7 - i) & 1
                  : i < 32 ? s->address >> (31 - i) & 1
                           : s->message >> (87 - i) & 1;
    for (int i = 0; i < MESSAGE_BITS; i++)
        bit[i] = rest[i];
    for (int i = 0; i < FIRST; i++)
        for (int k = 1; rest[i] && k <= CRC_BITS; k++)
            rest[i + k] ^= generator >> (CRC_BITS - k) & 1;
    for (int i = FIRST; i < MESSAGE_BITS; i++)
        bit[i] = rest[i];
}

static void add_squitter(struct sim_pulses *p, double at_s, const struct squitter *s)
{
    static const double preamble_us[] = {0, 1, 3.5, 4.5};
    const double us = 1e-6, half_s = 0.5e-6, data_us = 8;
    bool bit[MESSAGE_BITS];
    make_message(s, bit);
    for (int i = 0; i < 4; i++)
        add_pulse(p, at_s + preamble_us[i] * us, at_s + preamble_us[i] * us + half_s);
    for (int i = 0; i < MESSAGE_BITS; i++) {
        const double from_s = at_s + (data_us + i) * us + (bit[i] ? 0 : half_s);
        add_pulse(p, from_s, from_s + half_s);
    }
}

/* Their places among the samples change from one to the next. */
static void make_squitters(struct sim_pulses *p)
{
    const double apart_s = 0.0200001;
    p->every_s = SQUITTERS * apart_s;
    for (int i = 0; i < SQUITTERS; i++)
        add_squitter(p, 0.01 + i * apart_s, &squitters[i]);
}

/* ---- packets ------------------------------------------------------------------------------ */

static const double mark_hz = 1200, space_hz = 2200;

/* The integral of a sine that begins at `sound` and lasts for s, in turns of the carrier. */
static double swing_of(const struct sim_packet *p, const struct sim_bit *b, double s)
{
    return p->deviation_hz / b->hz / (2 * M_PI) *
           (turn(b->sound).re - turn(b->sound + b->hz * s).re);
}

/* NRZI: a 0 changes the tone. */
static void add_bit(struct sim_packet *p, bool one)
{
    assert(p->count < SIM_BITS);
    struct sim_bit *b = &p->bit[p->count++];
    *b = (struct sim_bit){.hz = mark_hz};
    if (p->count == 1)
        return;
    const struct sim_bit *before = b - 1;
    b->hz = one ? before->hz : mark_hz + space_hz - before->hz;
    b->sound = before->sound + before->hz * p->bit_s;
    b->sound -= floor(b->sound);
    b->swing = before->swing + swing_of(p, before, p->bit_s);
}

static void add_flags(struct sim_packet *p, int count)
{
    const unsigned flag = 0x7e;
    for (int i = 0; i < 8 * count; i++)
        add_bit(p, flag >> i % 8 & 1);
}

/* The lowest bit first; after five ones in a row comes a 0. */
static void add_octet(struct sim_packet *p, unsigned octet, int *ones)
{
    enum { IN_A_ROW = 5 };
    for (int i = 0; i < 8; i++) {
        const bool one = octet >> i & 1;
        add_bit(p, one);
        *ones = one ? *ones + 1 : 0;
        if (*ones == IN_A_ROW) {
            add_bit(p, false);
            *ones = 0;
        }
    }
}

/* The check sequence of HDLC: CRC-16 of the generator 0x1021, its bits reversed. */
static unsigned check_octet(unsigned check, unsigned octet)
{
    const unsigned reversed = 0x8408;
    check ^= octet;
    for (int i = 0; i < 8; i++)
        check = check & 1 ? check >> 1 ^ reversed : check >> 1;
    return check;
}

enum { ADDRESS = 7, HEAD = 2 * ADDRESS + 2 };

/* Letters of addresses are shifted by one; then the SSID, with a 1 after the last address. */
static void make_head(unsigned octet[HEAD])
{
    static const char to[] = "TEST  ", from[] = "FFTD  ";
    for (int i = 0; i < ADDRESS - 1; i++) {
        octet[i] = (unsigned)to[i] << 1;
        octet[ADDRESS + i] = (unsigned)from[i] << 1;
    }
    octet[ADDRESS - 1] = 0xe0;
    octet[2 * ADDRESS - 1] = 0x60 | 1 << 1 | 1;
    octet[HEAD - 2] = 0x03; /* UI */
    octet[HEAD - 1] = 0xf0; /* no layer above */
}

static void make_packet(struct sim_packet *p)
{
    static const char text[] = "fftd sends this";
    enum { TEXT = sizeof text - 1, BEFORE = 40, AFTER = 4 };
    unsigned octet[HEAD + TEXT], check = 0xffff;
    int ones = 0;
    make_head(octet);
    for (int i = 0; i < TEXT; i++)
        octet[HEAD + i] = (unsigned)text[i];
    p->every_s = 2;
    p->from_s = 0.2;
    p->bit_s = 1 / 1200.0;
    p->deviation_hz = 3000;
    add_flags(p, BEFORE);
    for (int i = 0; i < HEAD + TEXT; i++) {
        add_octet(p, octet[i], &ones);
        check = check_octet(check, octet[i]);
    }
    check ^= 0xffff;
    add_octet(p, check & 0xff, &ones);
    add_octet(p, check >> 8, &ones);
    add_flags(p, AFTER);
}

/* ---- modulations -------------------------------------------------------------------------- */

/* The first pulse that ends after this time. */
static unsigned find_pulse(const struct sim_pulses *p, double at_s)
{
    unsigned low = 0, high = p->count;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (p->pulse[middle].to_s > at_s)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* What is on of the time of each sample, from half a sample before it to half a sample after. */
static void make_envelope(const struct sim_pulses *p, double rate_hz, uint64_t first,
                          uint32_t count, double *envelope)
{
    const double every = p->every_s * rate_hz;
    double at = fmod((double)first, every); /* in samples */
    unsigned next = find_pulse(p, (at - 0.5) / rate_hz);
    for (uint32_t i = 0; i < count; i++, at++) {
        if (at - 0.5 >= every) {
            at -= every;
            next = 0;
        }
        double on = 0;
        for (unsigned k = next; k < p->count; k++) {
            const double from = p->pulse[k].from_s * rate_hz, to = p->pulse[k].to_s * rate_hz;
            if (from >= at + 0.5)
                break;
            on += fmax(0, fmin(to, at + 0.5) - fmax(from, at - 0.5));
            next = to <= at + 0.5 ? k + 1 : next;
        }
        envelope[i] = on;
    }
}

static double sine(double hz, double rate_hz, uint64_t number)
{
    const double cycles = hz / rate_hz * (double)number;
    return turn(cycles - floor(cycles)).im;
}

static struct point at_frequency(double fraction, uint64_t number)
{
    const double cycles = fraction * (double)number;
    return turn(cycles - floor(cycles));
}

static void add(double *re, double *im, double level, struct point p)
{
    *re += level * p.re;
    *im += level * p.im;
}

static void add_pulses(const struct sim_transmitter *x, const struct sim_pulses *p, double rate_hz,
                       uint64_t first, uint32_t count, double *re, double *im)
{
    double envelope[CHUNK];
    make_envelope(p, rate_hz, first, count, envelope);
    for (uint32_t i = 0; i < count; i++)
        if (envelope[i] > 0)
            add(&re[i], &im[i], x->amplitude * envelope[i], at_frequency(x->fraction, first + i));
}

/* A sine of deviation d turns the carrier by -d / f cos(2 pi f t) radians. */
static void add_nfm(const struct sim_transmitter *x, double rate_hz, uint64_t first, uint32_t count,
                    double *re, double *im)
{
    const double voice_hz = 1000, voice_deviation_hz = 3000, tone_hz = 88.5,
                 tone_deviation_hz = 500, quarter = 0.25;
    for (uint32_t i = 0; i < count; i++) {
        const double n = (double)(first + i) / rate_hz;
        const double voice = turn(voice_hz * n + quarter).im, tone = turn(tone_hz * n + quarter).im;
        const double swing =
            voice_deviation_hz / voice_hz * voice + tone_deviation_hz / tone_hz * tone;
        add(&re[i], &im[i], x->amplitude,
            turn_by(at_frequency(x->fraction, first + i), turn(-swing / (2 * M_PI))));
    }
}

static void add_am(const struct sim_transmitter *x, double rate_hz, uint64_t first, uint32_t count,
                   double *re, double *im)
{
    const double tone_hz = 1000, depth = 0.6;
    for (uint32_t i = 0; i < count; i++)
        add(&re[i], &im[i], x->amplitude * (1 + depth * sine(tone_hz, rate_hz, first + i)),
            at_frequency(x->fraction, first + i));
}

static void add_ssb(const struct sim_transmitter *x, double rate_hz, uint64_t first, uint32_t count,
                    double *re, double *im)
{
    static const double tones_hz[] = {700, 1900};
    for (int k = 0; k < 2; k++) {
        const double fraction = x->fraction + tones_hz[k] / rate_hz;
        for (uint32_t i = 0; i < count; i++)
            add(&re[i], &im[i], x->amplitude / 2, at_frequency(fraction, first + i));
    }
}

static void add_ax25(const struct sim_transmitter *x, const struct sim_packet *p, double rate_hz,
                     uint64_t first, uint32_t count, double *re, double *im)
{
    const double every = p->every_s * rate_hz;
    for (uint32_t i = 0; i < count; i++) {
        const double since_s = fmod((double)(first + i), every) / rate_hz - p->from_s;
        const double number = floor(since_s / p->bit_s);
        if (number < 0 || number >= p->count)
            continue;
        const struct sim_bit *b = &p->bit[(unsigned)number];
        const double swing = b->swing + swing_of(p, b, since_s - number * p->bit_s);
        add(&re[i], &im[i], x->amplitude,
            turn_by(at_frequency(x->fraction, first + i), turn(swing)));
    }
}

static void add_transmitter(const struct sim_transmitters *t, const struct sim_transmitter *x,
                            uint64_t first, uint32_t count, double *re, double *im)
{
    switch (x->service) {
    case SIM_SERVICE_SENSOR:
        add_pulses(x, &t->sensor, t->rate_hz, first, count, re, im);
        break;
    case SIM_SERVICE_SQUITTER:
        add_pulses(x, &t->squitter, t->rate_hz, first, count, re, im);
        break;
    case SIM_SERVICE_NFM:
        add_nfm(x, t->rate_hz, first, count, re, im);
        break;
    case SIM_SERVICE_AM:
        add_am(x, t->rate_hz, first, count, re, im);
        break;
    case SIM_SERVICE_SSB:
        add_ssb(x, t->rate_hz, first, count, re, im);
        break;
    case SIM_SERVICE_AX25:
        add_ax25(x, &t->packet, t->rate_hz, first, count, re, im);
        break;
    case SIM_SERVICES:
        break;
    }
}

/* ------------------------------------------------------------------------------------------- */

void sim_transmitters_init(struct sim_transmitters *t, double rate_hz)
{
    *t = (struct sim_transmitters){.rate_hz = rate_hz};
    make_sensor(&t->sensor);
    make_squitters(&t->squitter);
    make_packet(&t->packet);
}

void sim_transmitters_add(struct sim_transmitters *t, enum sim_service service, double offset_hz,
                          double level_dbfs)
{
    const double fraction = offset_hz / t->rate_hz;
    assert(t->count < SIM_SERVICES);
    if (fabs(fraction) <= nyquist)
        t->one[t->count++] = (struct sim_transmitter){
            .service = service, .fraction = fraction, .amplitude = pow(10, level_dbfs / 20)};
}

void sim_transmitters_add_all(struct sim_transmitters *t, double level_dbfs)
{
    static const struct {
        enum sim_service service;
        double offset_hz;
    } all[] = {{SIM_SERVICE_SENSOR, 300e3},
               {SIM_SERVICE_NFM, -300e3},
               {SIM_SERVICE_AM, -600e3},
               {SIM_SERVICE_SSB, 600e3},
               {SIM_SERVICE_AX25, -900e3}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sim_transmitters_add(t, all[i].service, all[i].offset_hz, level_dbfs);
}

void sim_transmitters_render(const struct sim_transmitters *t, uint64_t first, uint32_t count,
                             enum fft_iq_format format, void *into)
{
    double re[CHUNK], im[CHUNK];
    for (uint32_t done = 0; done < count; done += CHUNK) {
        const uint32_t run = count - done < CHUNK ? count - done : CHUNK;
        for (uint32_t i = 0; i < run; i++) {
            const struct fft_iq *x = &t->noise[(first + done + i) & (t->period - 1)];
            re[i] = (double)x->re;
            im[i] = (double)x->im;
        }
        for (unsigned k = 0; k < t->count; k++)
            add_transmitter(t, &t->one[k], first + done, run, re, im);
        sim_write(format, re, im, run, (char *)into + done * fft_iq_bytes(format));
    }
}
