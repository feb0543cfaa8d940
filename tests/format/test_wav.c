/* test_wav.c - WAV, RF64, BW64 and Wave64 recordings, put together here byte by byte. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/source/wav_support.h"

#include "daemon/format/recording/wav_header.h"

static void each_readable_encoding_comes_back_byte_for_byte(void **state)
{
    (void)state;
    static const struct {
        struct shape shape;
        enum fft_iq_format format;
    } table[] = {{{"RIFF", PCM, 2, 16, 192000}, FFT_IQ_CS16},
                 {{"RIFF", FLOAT, 2, 32, 96000}, FFT_IQ_CF32}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct bytes b = wav_of(&table[i].shape, "0123456789abcdef");
        struct source *s =
            expect_samples(file_of_bytes("a_7100kHz_1k.wav", &b), "0123456789abcdef");
        assert_int_equal(s->stream.format, table[i].format);
        assert_true(s->stream.tuning.rate_hz == table[i].shape.rate_hz); /* not the name's 1k */
        assert_true(s->stream.tuning.center_hz == 7100000);              /* only the name has it */
        source_destroy(s);
    }
}

/* "Multimedia Programming Interface 1.0": samples of 8 bits are unsigned, 0 to 255, with the zero
 * at 128. Exactly 0, and the rails at -128/128 and 127/128. */
static void eight_bits_have_their_zero_at_128(void **state)
{
    (void)state;
    static const uint8_t stored[] = {128, 128, 0, 255, 1, 129};
    static const float value[] = {0, 0, -1, 127 / 128.F, -127 / 128.F, 1 / 128.F};
    struct bytes b = {0};
    int err = 0;
    put_riff(&b, "RIFF");
    put_fmt(&b, &(struct shape){"RIFF", PCM, 2, 8, 48000});
    put_data(&b, sizeof stored);
    put(&b, stored, sizeof stored);
    const struct source_config config = replay_of(file_of_bytes("zero.wav", &b));
    struct source *s = open_source(&config);
    struct bytes out = read_samples(s, UINT64_MAX, 2, &err);
    struct fft_iq iq[3];
    assert_int_equal(out.size, sizeof stored);
    fft_iq_unpack(s->stream.format, out.at, iq, 3);
    for (int i = 0; i < 3; i++)
        assert_true(iq[i].re == value[2 * i] && iq[i].im == value[2 * i + 1]);
    assert_true(s->stream.full_scale == 128);
    drop(&out);
    source_destroy(s);
}

/* Wider integers and floats of 64 bits become floats: 0.5 and -0.25 in each. */
static void wider_samples_become_floats(void **state)
{
    (void)state;
    static const struct {
        struct shape shape;
        const char *bytes; /* of one sample */
    } table[] = {{{"RIFF", PCM, 2, 24, 48000}, "\0\0\x40\0\0\xe0"},
                 {{"RIFF", PCM, 2, 32, 48000}, "\0\0\0\x40\0\0\0\xe0"},
                 {{"RIFF", FLOAT, 2, 64, 48000}, "\0\0\0\0\0\0\xe0\x3f\0\0\0\0\0\0\xd0\xbf"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const size_t size = 2 * table[i].shape.bits / 8;
        struct bytes b = {0};
        int err = 0;
        put_riff(&b, "RIFF");
        put_fmt(&b, &table[i].shape);
        put_data(&b, 2 * size);
        put(&b, table[i].bytes, size);
        put(&b, table[i].bytes, size);
        const struct source_config config = replay_of(file_of_bytes("wide.wav", &b));
        struct source *s = open_source(&config);
        struct bytes out = read_samples(s, UINT64_MAX, 2, &err);
        assert_int_equal(err, -ENODATA);
        assert_int_equal(s->stream.format, FFT_IQ_CF32);
        assert_memory_equal(out.at, ((const float[]){.5F, -.25F, .5F, -.25F}), 16);
        assert_int_equal(out.size, 16);
        drop(&out);
        source_destroy(s);
    }
}

static void a_forced_format_leaves_the_bytes_as_they_are(void **state)
{
    (void)state;
    struct bytes b = wav_of(&(struct shape){"RIFF", PCM, 2, 8, 48000}, "abcdefgh");
    struct source_config config = replay_of(file_of_bytes("forced.wav", &b));
    int err = 0;
    config.format = "cu8";
    struct source *s = open_source(&config);
    struct bytes out = read_samples(s, UINT64_MAX, 3, &err);
    assert_int_equal(s->stream.format, FFT_IQ_CU8);
    assert_memory_equal(out.at, "abcdefgh", 8);
    drop(&out);
    source_destroy(s);
}

static void rf64_and_bw64_have_their_length_in_ds64(void **state)
{
    (void)state;
    static const char *const magics[] = {"RF64", "BW64"};
    for (int i = 0; i < 2; i++) {
        struct bytes b = {0};
        put_riff(&b, magics[i]);
        put_text(&b, "ds64");
        put_u32(&b, 28);
        put_u64(&b, 1000); /* of the whole file */
        put_u64(&b, 8);    /* of the samples */
        put_u64(&b, 2);
        put_u32(&b, 0);
        put_fmt(&b, &cs16_shape);
        put_data(&b, 0xffffffff);
        put_text(&b, "abcdefgh");
        put_text(&b, "LIST and more, no samples");
        source_destroy(expect_samples(file_of_bytes("b.rf64", &b), "abcdefgh"));
    }
}

/* The GUIDs of libsndfile's and FFmpeg's readers, written out. */
static void put_guid(struct bytes *b, const char *id)
{
    put_text(b, id);
    if (strcmp(id, "riff") == 0)
        put(b, "\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0", 12);
    else
        put(b, "\xf3\xac\xd3\x11\x8c\xd1\0\xc0\x4f\x8e\xdb\x8a", 12);
}

static void put_head_64(struct bytes *b, const char *id, uint64_t content)
{
    put_guid(b, id);
    put_u64(b, content + 24);
}

/* Up to the samples: 48 kHz, 16 bits; before them a chunk of 5 bytes and 3 of padding. */
static struct bytes wave64_of(uint64_t data_bytes)
{
    struct bytes b = {0};
    put_head_64(&b, "riff", 1000);
    put_guid(&b, "wave");
    put_head_64(&b, "list", 5);
    put_text(&b, "datax");
    put_zeros(&b, 3);
    put_head_64(&b, "fmt ", 16);
    put(&b, "\1\0\2\0\x80\xbb\0\0\0\xee\2\0\4\0\x10\0", 16);
    put_head_64(&b, "data", data_bytes);
    return b;
}

static void wave64_has_guids_and_sizes_of_64_bits(void **state)
{
    (void)state;
    struct bytes b = wave64_of(12);
    put_text(&b, "abcdefghijkl");
    put_zeros(&b, 4);
    put_head_64(&b, "mark", 3);
    put_text(&b, "xyz");
    struct source *s = expect_samples(file_of_bytes("a_7100kHz.w64", &b), "abcdefghijkl");
    assert_int_equal(s->stream.format, FFT_IQ_CS16);
    assert_true(s->stream.tuning.rate_hz == 48000 && s->stream.tuning.center_hz == 7100000);
    assert_int_equal(s->stream.samples, 3);
    source_destroy(s);
    b = wave64_of(8);
    put_text(&b, "abcdefgh");
    put_head_64(&b, "data", 4);
    put_text(&b, "ijkl");
    expect_wav(&b, "abcdefghijkl"); /* two chunks of samples */
    drop(&b);
}

/* A size of FFmpeg at a pipe, an unfinished one, and those of a hostile file. */
static void wave64_without_a_length_is_read_to_the_end(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {INT64_MAX - 24, 0, 1000, 1ULL << 62, UINT64_MAX - 24,
                                     (uint64_t)-24};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct bytes b = wave64_of(sizes[i]);
        struct wav_header header;
        struct reason why = {0};
        const bool is_length = sizes[i] == 1000 || sizes[i] == 1ULL << 62;
        assert_int_equal(wav_header_parse(b.at, b.size, &header, &why), 0);
        assert_int_equal(header.has_size64, is_length);
        assert_true(header.data_bytes == (is_length ? sizes[i] : WAV_TO_END));
        put_text(&b, "abcdefgh");
        expect_wav(&b, "abcdefgh");
        if (sizes[i] != 1000)
            expect_piped_wav(&b, "-", "abcdefgh");
        drop(&b);
    }
}

/* Sizes of Wave64 count the 24 bytes of the head, so that 24 is the least. */
static void a_chunk_of_wave64_smaller_than_its_head_is_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        uint64_t size;
        const char *why; /* NULL: it is read */
    } cases[] = {
        {"list", 24, NULL},
        {"list", 23, "its chunk 'list' states 23 bytes, its head alone has 24"},
        {"list", 0, "its chunk 'list' states 0 bytes, its head alone has 24"},
        {"fmt ", 16, "its chunk 'fmt ' states 16 bytes, its head alone has 24"},
        {"data", 8, "its chunk 'data' states 8 bytes, its head alone has 24"},
        {"l\x1b[m", 1, "its chunk 'l?[m' states 1 bytes, its head alone has 24"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct wav_header header;
        struct reason why = {0};
        struct bytes b = {0}, rest = wave64_of(8);
        put(&b, rest.at, 40);
        put_head_64(&b, cases[i].id, cases[i].size - 24);
        put(&b, rest.at + 40, rest.size - 40);
        assert_int_equal(wav_header_parse(b.at, b.size, &header, &why), cases[i].why ? -EINVAL : 0);
        if (cases[i].why)
            assert_string_equal(why.sentence, cases[i].why);
        drop(&b);
        drop(&rest);
    }
}

/* After the samples nothing is lost: what cannot be a chunk ends the file, with a warning. */
static void samples_after_a_chunk_smaller_than_its_head_are_left_out(void **state)
{
    (void)state;
    struct bytes b = wave64_of(8);
    put_text(&b, "abcdefgh");
    put_head_64(&b, "mark", (uint64_t)-8);
    put_head_64(&b, "data", 4);
    put_text(&b, "ijkl");
    expect_wav(&b, "abcdefgh");
    drop(&b);
}

static void hostile_sizes_of_wave64_are_refused(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1 << 20,           UINT32_MAX,      1ULL << 32,     INT64_MAX,
                                     UINT64_MAX - 1000, UINT64_MAX - 40, UINT64_MAX - 24};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct wav_header header;
        struct reason why = {0};
        struct bytes b = {0};
        put_head_64(&b, "riff", 1000);
        put_guid(&b, "wave");
        put_head_64(&b, "list", sizes[i]);
        put_zeros(&b, 4000);
        assert_int_equal(wav_header_parse(b.at, b.size, &header, &why), -EINVAL);
        assert_string_equal(why.sentence, "no samples in its first MiB");
        drop(&b);
    }
    struct wav_header header;
    struct reason why = {0};
    struct bytes b = {0};
    put_head_64(&b, "riff", 1000);
    assert_int_equal(wav_header_parse(b.at, b.size, &header, &why), 40);
    put_guid(&b, "riff"); /* where "wave" belongs */
    assert_int_equal(wav_header_parse(b.at, b.size, &header, &why), -EINVAL);
    drop(&b);
}

static void chunks_before_and_after_the_samples_are_skipped(void **state)
{
    (void)state;
    struct bytes b = {0};
    put_riff(&b, "RIFF");
    put_text(&b, "LIST");
    put_u32(&b, 5); /* odd: one byte of padding */
    put_text(&b, "INFOx");
    put_zeros(&b, 1);
    put_fmt(&b, &cs16_shape);
    put_text(&b, "JUNK");
    put_u32(&b, 1000);
    put_zeros(&b, 1000);
    put_data(&b, 8);
    put_text(&b, "abcdefgh");
    put_text(&b, "LIST");
    put_u32(&b, 4);
    put_text(&b, "tail");
    source_destroy(expect_samples(file_of_bytes("c.wav", &b), "abcdefgh"));
}

static void put_extensible(struct bytes *b, unsigned tag)
{
    static const uint8_t base[14] = {0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
    struct bytes fmt = {0};
    put_fmt(&fmt, &(struct shape){"", EXTENSIBLE, 2, 32, 48000});
    fmt.at[4] = 40; /* the chunk's size */
    put_u16(&fmt, 22);
    put_u16(&fmt, 32);
    put_u32(&fmt, 3);
    put_u16(&fmt, tag);
    put(&fmt, base, sizeof base);
    put(b, fmt.at, fmt.size);
    drop(&fmt);
}

static void the_extensible_format_is_resolved(void **state)
{
    (void)state;
    struct bytes b = {0};
    put_riff(&b, "RIFF");
    put_extensible(&b, FLOAT);
    put_data(&b, 8);
    put_text(&b, "abcdefgh");
    struct source *s = expect_samples(file_of_bytes("e.wav", &b), "abcdefgh");
    assert_int_equal(s->stream.format, FFT_IQ_CF32);
    source_destroy(s);
}

/* 2014-09-20 12:34:56.789 UTC at 14.175 MHz. */
static void put_auxi(struct bytes *b)
{
    static const unsigned date[8] = {2014, 9, 6, 20, 12, 34, 56, 789};
    put_text(b, "auxi");
    put_u32(b, 68);
    for (int i = 0; i < 16; i++)
        put_u16(b, date[i % 8]);
    put_u32(b, 14175000);
    put_zeros(b, 32);
}

static void expect_wav_refused(const char *name, struct bytes b, int err, const char *piece)
{
    const struct source_config config = replay_of(file_of_bytes(name, &b));
    expect_refused(&config, err, name);
    expect_refused(&config, err, piece);
}

static void encodings_that_are_not_iq_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        struct shape shape;
        int err;
        const char *piece;
    } table[] = {
        {{"RIFF", PCM, 4, 16, 48000}, -EINVAL, "neither two channels"},
        {{"RIFF", PCM, 0, 16, 48000}, -EINVAL, "neither two channels"},
        {{"RIFF", PCM, 1, 12, 48000}, -ENOTSUP, "cannot read 12-bit integer"},
        {{"RIFF", PCM, 2, 12, 48000}, -ENOTSUP, "cannot read 12-bit integer"},
        {{"RIFF", FLOAT, 2, 16, 48000}, -ENOTSUP, "cannot read 16-bit float"},
        {{"RIFF", 6, 2, 8, 48000}, -ENOTSUP, "cannot read encoding 6"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        expect_wav_refused("h.wav", wav_of(&table[i].shape, "0123456789abcdef"), table[i].err,
                           table[i].piece);
}

static void broken_files_are_refused(void **state)
{
    (void)state;
    struct bytes b = {0};
    expect_wav_refused("i.wav", b, -EINVAL, "ends inside its WAV header");
    put_text(&b, "this is no WAV file at all");
    expect_wav_refused("i.wav", b, -EINVAL, "no WAV file");
    b = wav_of(&cs16_shape, "");
    expect_wav_refused("i.wav", b, -EINVAL, "empty, no samples");
    b = wav_of(&cs16_shape, "abc");
    expect_wav_refused("i.wav", b, -EINVAL, "no samples: 3 of the 4 bytes of a cs16 sample");
    b = wav_of(&cs16_shape, "abcdefgh");
    b.size = 30;
    expect_wav_refused("i.wav", b, -EINVAL, "ends inside its WAV header");
    b = (struct bytes){0};
    put_riff(&b, "RIFF");
    put_data(&b, 8);
    put_text(&b, "abcdefgh");
    expect_wav_refused("i.wav", b, -EINVAL, "no fmt chunk");
    b = (struct bytes){0};
    put_riff(&b, "RIFF");
    put_text(&b, "JUNK");
    put_u32(&b, 0xfffffff0);
    expect_wav_refused("i.wav", b, -EINVAL, "no samples in its first MiB");
}

static void the_command_line_overrides_the_header(void **state)
{
    (void)state;
    struct bytes b = wav_of(&(struct shape){"RIFF", PCM, 2, 32, 48000}, "abcdefgh");
    struct source_config config = replay_of(file_of_bytes("j.wav", &b));
    config.format = "cf32";
    config.tuning.rate_hz = 12345;
    config.tuning.center_hz = 77;
    struct source *s = open_source(&config);
    assert_int_equal(s->stream.format, FFT_IQ_CF32);
    assert_true(s->stream.tuning.rate_hz == 12345 && s->stream.tuning.center_hz == 77);
    source_destroy(s);
}

static void a_loop_restarts_at_the_first_sample(void **state)
{
    (void)state;
    struct bytes b = wav_of(&cs16_shape, "abcdefgh");
    struct source_config config = replay_of(file_of_bytes("k.wav", &b));
    int err = 0;
    config.loop = true;
    struct source *s = open_source(&config);
    struct bytes out = read_samples(s, 5, 16, &err);
    assert_memory_equal(out.at, "abcdefghabcdefghabcd", 20);
    drop(&out);
    source_destroy(s);
}

/* The parser alone, on exactly sized blocks: every prefix asks for more, every changed byte is
 * survived. */
static void no_header_is_read_beyond_its_end(void **state)
{
    (void)state;
    struct bytes b = {0};
    put_riff(&b, "RF64");
    put_text(&b, "ds64");
    put_u32(&b, 16);
    put_zeros(&b, 16);
    put_extensible(&b, PCM);
    put_auxi(&b);
    put_data(&b, 0xffffffff);
    struct wav_header header;
    struct reason why = {0};
    for (size_t size = 0; size <= b.size; size++) {
        for (size_t change = 0; change <= size; change++) {
            uint8_t *exact = malloc(size + !size);
            memcpy(exact, b.at, size);
            if (change < size)
                exact[change] ^= (uint8_t)(1 + (size * 31 + change * 7) % 255);
            const int need = wav_header_parse(exact, size, &header, &why);
            assert_true(need == -EINVAL || need == 0 || (size_t)need > size);
            assert_true(need <= WAV_HEADER_MAX);
            free(exact);
        }
    }
    assert_int_equal(wav_header_parse(b.at, b.size, &header, &why), 0);
    assert_int_equal(header.data_at, b.size);
    drop(&b);
}

/* Each chunk is looked at once or twice, however many there are. */
static void many_chunks_before_the_samples_are_parsed_once(void **state)
{
    enum { CHUNKS = 50000 };
    struct bytes b = {0};
    struct wav_header header;
    struct wav_progress progress = {0};
    struct reason why = {0};
    (void)state;
    put_riff(&b, "RIFF");
    const size_t first = b.size;
    put_zeros(&b, CHUNKS * (size_t)8); /* at once: put() moves all of it each time */
    for (size_t i = 0; i < CHUNKS; i++)
        memcpy(b.at + first + 8 * i, "JUNK", 4);
    put_extensible(&b, PCM);
    put_data(&b, 400);
    size_t have = 0, calls = 0;
    int need;
    while ((need = wav_header_continue(&progress, b.at, have, &header, &why)) > 0) {
        assert_true((size_t)need > have && (size_t)need <= b.size);
        have = (size_t)need;
        calls++;
    }
    assert_int_equal(need, 0);
    assert_int_equal(header.data_at, have);
    assert_int_equal(header.data_bytes, 400);
    assert_true(calls <= CHUNKS + 10 && progress.heads <= 2 * (CHUNKS + 3));
    drop(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_chunks_before_the_samples_are_parsed_once),
        cmocka_unit_test(each_readable_encoding_comes_back_byte_for_byte),
        cmocka_unit_test(eight_bits_have_their_zero_at_128),
        cmocka_unit_test(wider_samples_become_floats),
        cmocka_unit_test(a_forced_format_leaves_the_bytes_as_they_are),
        cmocka_unit_test(rf64_and_bw64_have_their_length_in_ds64),
        cmocka_unit_test(wave64_has_guids_and_sizes_of_64_bits),
        cmocka_unit_test(wave64_without_a_length_is_read_to_the_end),
        cmocka_unit_test(a_chunk_of_wave64_smaller_than_its_head_is_refused_by_name),
        cmocka_unit_test(samples_after_a_chunk_smaller_than_its_head_are_left_out),
        cmocka_unit_test(hostile_sizes_of_wave64_are_refused),
        cmocka_unit_test(chunks_before_and_after_the_samples_are_skipped),
        cmocka_unit_test(the_extensible_format_is_resolved),
        cmocka_unit_test(encodings_that_are_not_iq_are_refused_by_name),
        cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(the_command_line_overrides_the_header),
        cmocka_unit_test(a_loop_restarts_at_the_first_sample),
        cmocka_unit_test(no_header_is_read_beyond_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
