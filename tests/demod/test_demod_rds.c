/* test_demod_rds.c - RDS: check words, errors, groups, and whole stations. */
#include "tests/demod/receiver.h"

#include "daemon/demod/demod_rds_groups.h"

/* ---- a transmitter ------------------------------------------------------------------------ */

enum { MOST_BITS = 16000 };

struct bits {
    unsigned char bit[MOST_BITS];
    size_t count;
};

/* By the matrix of IEC 62106: the check word is the xor of one row for each bit that is set. */
static const uint32_t rows[16] = {0x077, 0x2e7, 0x3af, 0x30b, 0x359, 0x370, 0x1b8, 0x0dc,
                                  0x06e, 0x037, 0x2c7, 0x3bf, 0x303, 0x35d, 0x372, 0x1b9};
static const uint32_t words[5] = {0x0fc, 0x198, 0x168, 0x1b4, 0x350};

static uint32_t check_word(uint32_t word)
{
    uint32_t sum = 0;
    for (int i = 0; i < 16; i++)
        sum ^= word >> (15 - i) & 1 ? rows[i] : 0;
    return sum;
}

static void add_group(struct bits *b, uint32_t pi, uint32_t second, uint32_t third, uint32_t fourth)
{
    const uint32_t word[4] = {pi, second, third, fourth};
    for (int k = 0; k < 4; k++) {
        const uint32_t offset = words[k == 2 && (second >> 11 & 1) ? 4 : k];
        const uint32_t block = word[k] << 10 | (check_word(word[k]) ^ offset);
        assert_true(b->count + 26 <= MOST_BITS);
        for (int i = 25; i >= 0; i--)
            b->bit[b->count++] = block >> i & 1;
    }
}

static uint32_t pair(const char *text)
{
    return (uint32_t)(unsigned char)text[0] << 8 | (unsigned char)text[1];
}

static void add_name(struct bits *b, uint32_t pi, const char *name)
{
    for (uint32_t i = 0; i < 4; i++) /* 0A, traffic programme, type 10 */
        add_group(b, pi, 1U << 10 | 10 << 5 | i, 0xe0cd, pair(name + 2 * i));
}

static void add_text(struct bits *b, uint32_t pi, const char *text, uint32_t flag)
{
    char padded[65] = {0};
    const size_t length = strlen(text), segments = length / 4 + 1;
    memset(padded, ' ', 64);
    for (size_t i = 0; i < length; i++)
        padded[i] = text[i];
    padded[length] = '\r';
    for (uint32_t i = 0; i < segments && i < 16; i++)
        add_group(b, pi, 2U << 12 | 1U << 10 | 10 << 5 | flag << 4 | i, pair(padded + 4 * i),
                  pair(padded + 4 * i + 2));
}

/* 29 November 2026, 21:45 UTC, an hour ahead: day 61373 of the modified Julian date. */
static void add_clock(struct bits *b, uint32_t pi)
{
    const uint32_t day = 61373, hour = 21, minute = 45, half_hours = 2;
    add_group(b, pi, 4U << 12 | 1U << 10 | 10 << 5 | day >> 15, (day & 0x7fff) << 1 | hour >> 4,
              (hour & 15) << 12 | minute << 6 | half_hours);
}

#define NAME "FFTD 1  "
#define TEXT "A station of the test: its text has 44 letters"

static struct bits *programme(int times)
{
    struct bits *b = calloc(1, sizeof *b);
    assert_non_null(b);
    for (int i = 0; i < times; i++) {
        add_name(b, 0xd1ff, NAME);
        add_text(b, 0xd1ff, TEXT, 0);
        add_clock(b, 0xd1ff);
    }
    return b;
}

static void assert_is_known(const struct demod_rds_station *s)
{
    assert_int_equal(s->pi, 0xd1ff);
    assert_string_equal(s->name, "FFTD 1");
    assert_string_equal(s->text, TEXT);
    assert_int_equal(s->programme_type, 10);
    assert_true(s->traffic);
    assert_int_equal(s->time_s, 1795988700); /* date -u -d '2026-11-29 21:45' +%s */
    assert_int_equal(s->offset_minutes, 60);
}

/* ---- bits --------------------------------------------------------------------------------- */

static void check_words_are_those_of_the_matrix(void **state)
{
    (void)state;
    for (uint32_t word = 0; word < 65536; word += 7)
        assert_int_equal(demod_rds_check(word), check_word(word));
}

static void groups_are_found_at_any_bit_and_read(void **state)
{
    (void)state;
    struct bits *b = programme(3);
    for (size_t skip = 0; skip < 104; skip += 17) {
        struct demod_rds_groups g;
        demod_rds_groups_reset(&g);
        for (size_t i = skip; i < b->count; i++)
            demod_rds_groups_bit(&g, b->bit[i]);
        assert_is_known(&g.station);
        assert_int_equal(g.station.bad_blocks, 0);
        assert_true(g.station.groups >= b->count / 104 - 2);
    }
    free(b);
}

/* Of all bits, one in `each` is wrong, and in half of these cases its neighbour, too. */
static size_t spoil(struct bits *b, unsigned each, uint64_t seed)
{
    size_t spoilt = 0;
    for (size_t i = 100; i + 1 < b->count; i++)
        if (uniform(&seed) * each < 1) {
            b->bit[i] ^= 1;
            b->bit[i + 1] ^= uniform(&seed) < 0.5;
            spoilt++;
        }
    return spoilt;
}

/* Never a wrong name, identification or text, however bad it is. */
static void errors_are_corrected_or_left_out(void **state)
{
    (void)state;
    static const unsigned rates[] = {500, 100, 40, 20, 10, 3};
    for (int k = 0; k < 6; k++) {
        struct bits *b = programme(8);
        struct demod_rds_groups g;
        spoil(b, rates[k], 5);
        demod_rds_groups_reset(&g);
        for (size_t i = 0; i < b->count; i++) {
            demod_rds_groups_bit(&g, b->bit[i]);
            assert_true(g.station.pi == -1 || g.station.pi == 0xd1ff);
            assert_true(g.station.programme_type == -1 || g.station.programme_type == 10);
            assert_true(g.station.name[0] == 0 || strcmp(g.station.name, "FFTD 1") == 0);
        }
        print_message("one error in %u bits: %u of %zu groups, %u of %u blocks bad\n", rates[k],
                      g.station.groups, b->count / 104, g.station.bad_blocks, g.station.blocks);
        if (rates[k] >= 100) {
            assert_is_known(&g.station);
            assert_true(g.station.groups > b->count / 104 * 8 / 10);
        }
        free(b);
    }
}

static void a_slip_of_a_bit_is_found(void **state)
{
    (void)state;
    struct bits *b = programme(6);
    struct demod_rds_groups g;
    demod_rds_groups_reset(&g);
    for (size_t i = 0; i < b->count; i++)
        if (i != 1000)
            demod_rds_groups_bit(&g, b->bit[i]);
    assert_is_known(&g.station);
    assert_true(g.station.groups > b->count / 104 - 12);
    free(b);
}

static void noise_has_no_station(void **state)
{
    (void)state;
    struct demod_rds_groups g;
    uint64_t random = 1;
    demod_rds_groups_reset(&g);
    for (int i = 0; i < 3600 * 1187; i++) /* an hour */
        demod_rds_groups_bit(&g, uniform(&random) < 0.5);
    assert_int_equal(g.station.pi, -1);
    assert_string_equal(g.station.name, "");
}

static void another_station_and_another_text_replace_what_was_known(void **state)
{
    (void)state;
    struct bits *b = programme(3);
    struct demod_rds_groups g;
    demod_rds_groups_reset(&g);
    add_text(b, 0xd1ff, "Another text", 1);
    for (size_t i = 0; i < b->count; i++)
        demod_rds_groups_bit(&g, b->bit[i]);
    assert_string_equal(g.station.text, "Another text");
    b->count = 0;
    for (int i = 0; i < 3; i++)
        add_name(b, 0x1234, "\x52\x84\x92\x69\x6f\x20\xff\x97"); /* of table E.1 */
    for (size_t i = 0; i < b->count; i++)
        demod_rds_groups_bit(&g, b->bit[i]);
    assert_int_equal(g.station.pi, 0x1234);
    assert_string_equal(g.station.name, "Ríêio  ö");
    assert_string_equal(g.station.text, "");
    free(b);
}

/* ---- stations ----------------------------------------------------------------------------- */

#define RATE 240e3

/* The pulse of a bit, which lasts td = 1, by the inverse transform of cos(pi f td / 4). */
static double pulse(double t)
{
    const double below = 1 - 64 * t * t;
    return fabs(t) > 3 ? 0 : fabs(below) < 1e-9 ? PI / 4 : cos(4 * PI * t) / below;
}

/* A station with 2 kHz of deviation for RDS, and its pilot; its clock is off by ppm. */
static struct fft_iq *station(const struct bits *b, double ppm, double c_n0_dbhz, size_t *count)
{
    const double rate = RATE / (1 + ppm * 1e-6), bit_hz = 1187.5;
    int *sign = calloc(b->count + 8, sizeof *sign);
    *count = (size_t)((double)b->count / bit_hz * rate);
    struct fft_iq *x = calloc(*count, sizeof *x);
    assert_true(sign && x);
    for (size_t i = 0; i < b->count; i++) /* differential */
        sign[i + 4] = (i > 0 ? sign[i + 3] : 1) * (b->bit[i] ? -1 : 1);
    double turns = 0;
    for (size_t i = 0; i < *count; i++) {
        const double t = (double)i / rate, at = t * bit_hz;
        double data = 0;
        for (int k = -3; k <= 3; k++) {
            const long number = (long)at + k;
            if (number >= 0 && (size_t)number < b->count)
                data += sign[number + 4] *
                        (pulse(at - (double)number) - pulse(at - (double)number - 0.5));
        }
        const double m = 0.02667 / 1.27 * data * sin(2 * PI * fmod(57000 * t, 1)) +
                         0.09 * sin(2 * PI * fmod(19000 * t, 1)) +
                         0.4 * sin(2 * PI * fmod(1000 * t, 1));
        turns = fmod(turns + 75e3 * m / RATE, 1);
        x[i] = (struct fft_iq){(float)cos(2 * PI * turns), (float)sin(2 * PI * turns)};
    }
    free(sign);
    add_noise(x, *count, RATE * pow(10, -c_n0_dbhz / 10), 8);
    return x;
}

/* redsea reads 62 of 68 groups at C/N0 82 and 76 dB Hz, 49 at 70, and none at 66. */
static void stations_are_read_as_by_redsea(void **state)
{
    (void)state;
    static const struct {
        double ppm, c_n0;
        double least; /* of the groups */
    } rows_of[] = {{0, 82, 0.93}, {90, 76, 0.93}, {-90, 70, 0.72}};
    for (int i = 0; i < 3; i++) {
        struct receiver r;
        struct demod_report report;
        const struct demod_config c = {.ops = demod_find("wfm")};
        struct bits *b = programme(4);
        size_t count;
        struct fft_iq *x = station(b, rows_of[i].ppm, rows_of[i].c_n0, &count);
        receiver_init(&r, &c);
        const size_t skip = i == 1 ? 101 : 0; /* half a bit */
        receiver_push(&r, x + skip, count - skip, 1440);
        r.ops->report(r.demod, &report);
        print_message("C/N0 %g: %u of %zu groups, %u of %u blocks bad\n", rows_of[i].c_n0,
                      report.rds.groups, b->count / 104, report.rds.bad_blocks, report.rds.blocks);
        const size_t sent = b->count / 104;
        assert_true(report.rds.groups >= rows_of[i].least * (double)sent);
        if (i < 2)
            assert_is_known(&report.rds);
        assert_int_equal(report.rds.pi, 0xd1ff);
        const uint32_t groups = report.rds.groups;
        r.ops->reset(r.demod); /* a gap: the station is the same */
        receiver_push(&r, x, count / 4, 1440);
        r.ops->report(r.demod, &report);
        assert_int_equal(report.rds.pi, 0xd1ff);
        assert_true(report.rds.groups > groups + (i < 2 ? 12 : 2)); /* of 17 */
        free(x);
        free(b);
        receiver_finish(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_words_are_those_of_the_matrix),
        cmocka_unit_test(groups_are_found_at_any_bit_and_read),
        cmocka_unit_test(errors_are_corrected_or_left_out),
        cmocka_unit_test(a_slip_of_a_bit_is_found),
        cmocka_unit_test(noise_has_no_station),
        cmocka_unit_test(another_station_and_another_text_replace_what_was_known),
        cmocka_unit_test(stations_are_read_as_by_redsea),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
