/* test_unpack.c - recordings that are compressed, and files that are no samples at all. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/support/source/wav_support.h"

enum packer { GZIP, ZSTD, PACKERS };
static const char *const suffix[PACKERS] = {".gz", ".zst"};

static struct bytes pack_gzip(const void *data, size_t size)
{
    struct bytes out = {0};
    z_stream z = {.next_in = (Bytef *)data, .avail_in = (uInt)size};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    out.size = deflateBound(&z, size);
    out.at = malloc(out.size);
    z.next_out = out.at;
    z.avail_out = (uInt)out.size;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.size -= z.avail_out;
    deflateEnd(&z);
    return out;
}

static struct bytes pack(enum packer packer, const void *data, size_t size)
{
    if (packer == GZIP)
        return pack_gzip(data, size);
    struct bytes out = {.size = ZSTD_compressBound(size)};
    out.at = malloc(out.size);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1); /* as zstd(1) does */
    out.size = ZSTD_compress2(context, out.at, out.size, data, size);
    ZSTD_freeCCtx(context);
    assert_false(ZSTD_isError(out.size));
    return out;
}

static const char *packed_file(const char *name, enum packer packer, const struct bytes *b)
{
    char full[80];
    snprintf(full, sizeof full, "%s%s", name, suffix[packer]);
    return file_of(full, b->at, b->size);
}

/* 3 MiB of noise: more than any buffer on its way. */
static struct bytes noise(void)
{
    struct bytes b = {.size = 3 << 20};
    uint64_t x = 88172645463325252U;
    b.at = malloc(b.size);
    for (size_t i = 0; i < b.size; i++) {
        x = x * 6364136223846793005U + 1442695040888963407U;
        b.at[i] = (uint8_t)(112 + (x >> 59));
    }
    return b;
}

static void expect_bytes(const char *path, const struct bytes *expected, int end)
{
    struct source_config config = replay_of(path);
    config.tuning.rate_hz = 1e6;
    struct source *s = open_source(&config);
    int err = 0;
    struct bytes out = read_samples(s, UINT64_MAX, 5000, &err);
    assert_int_equal(err, end);
    assert_int_equal(out.size, expected->size);
    assert_memory_equal(out.at, expected->at, out.size);
    drop(&out);
    source_destroy(s);
}

static void compressed_samples_are_those_of_the_file(void **state)
{
    (void)state;
    struct bytes raw = noise();
    for (enum packer p = 0; p < PACKERS; p++) {
        struct bytes packed = pack(p, raw.at, raw.size);
        expect_bytes(packed_file("a_100M_1M.cu8", p, &packed), &raw, -ENODATA);
        expect_bytes(packed_file("guessed.iq", p, &packed), &raw, -ENODATA);
        drop(&packed);
    }
    drop(&raw);
}

static void the_name_within_gives_format_centre_and_rate(void **state)
{
    (void)state;
    struct bytes raw = noise(), packed = pack(GZIP, raw.at, raw.size);
    const struct source_config config = replay_of(packed_file("a_100M_2M.cs8", GZIP, &packed));
    struct source *s = open_source(&config);
    assert_int_equal(s->stream.format, FFT_IQ_CS8);
    assert_true(s->stream.tuning.rate_hz == 2e6 && s->stream.tuning.center_hz == 100e6);
    assert_false(s->replay.seekable);
    source_destroy(s);
    drop(&raw);
    drop(&packed);
}

static void several_members_and_padding_are_one_stream(void **state)
{
    (void)state;
    struct bytes raw = noise();
    for (enum packer p = 0; p < PACKERS; p++) {
        struct bytes all = {0};
        for (size_t at = 0, piece = 1; at < raw.size; at += piece, piece *= 7) {
            const size_t size = piece < raw.size - at ? piece : raw.size - at;
            struct bytes one = pack(p, raw.at + at, size);
            put(&all, one.at, one.size);
            drop(&one);
        }
        put_zeros(&all, 100000);
        expect_bytes(packed_file("members_1M.cu8", p, &all), &raw, -ENODATA);
        drop(&all);
    }
    drop(&raw);
}

/* RFC 8878, 3.1.2: a decoder skips such a frame. */
static void frames_of_zstd_without_data_may_come_first(void **state)
{
    (void)state;
    struct bytes raw = noise(), packed = pack(ZSTD, raw.at, raw.size);
    for (unsigned char low = 0x50; low < 0x60; low += 5) {
        const unsigned char skipped[] = {low, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4};
        struct bytes all = {0};
        put(&all, skipped, sizeof skipped);
        put(&all, packed.at, packed.size);
        expect_bytes(packed_file("skipped_1M.cu8", ZSTD, &all), &raw, -ENODATA);
        drop(&all);
    }
    drop(&raw);
    drop(&packed);
}

static void containers_are_read_from_within(void **state)
{
    (void)state;
    struct bytes wav = wav_of(&cs16_shape, "abcdefgh");
    for (enum packer p = 0; p < PACKERS; p++) {
        struct bytes packed = pack(p, wav.at, wav.size);
        source_destroy(expect_samples(packed_file("a.wav", p, &packed), "abcdefgh"));
        source_destroy(expect_samples(file_of("nameless", packed.at, packed.size), "abcdefgh"));
        expect_piped_wav(&packed, "-", "abcdefgh");
        drop(&packed);
    }
    drop(&wav);
}

static struct source *open_packed(const char *name, enum packer p, const struct bytes *packed)
{
    static struct source_config config; /* the source keeps its address */
    config = replay_of(packed_file(name, p, packed));
    return open_source(&config);
}

/* What came before is read. */
static void a_truncated_file_is_an_error_after_its_samples(void **state)
{
    static const char *const ends[] = {"gzip data end early: the file is truncated",
                                       "Zstandard data end early: the file is truncated"};
    (void)state;
    struct bytes raw = noise();
    for (enum packer p = 0; p < PACKERS; p++) {
        struct bytes packed = pack(p, raw.at, raw.size);
        int err = 0;
        packed.size -= 1000;
        struct source *s = open_packed("cut_1M.cu8", p, &packed);
        struct bytes out = read_samples(s, UINT64_MAX, 5000, &err);
        assert_int_equal(err, -EIO);
        assert_non_null(strstr(s->why.sentence, ends[p]));
        assert_true(out.size > raw.size - 200000 && out.size < raw.size);
        assert_memory_equal(out.at, raw.at, out.size);
        drop(&out);
        drop(&packed);
        source_destroy(s);
    }
    drop(&raw);
}

/* The end of the samples of a WAV is not the end of its file. */
static void a_wav_cut_after_its_samples_is_named_with_the_reason(void **state)
{
    (void)state;
    struct bytes raw = wav_of(&cs16_shape, "abcdefgh"), packed = pack(GZIP, raw.at, raw.size);
    int err = 0;
    packed.size -= 8; /* the checksum and the size */
    struct source *s = open_packed("trailer.wav", GZIP, &packed);
    struct bytes out = read_samples(s, UINT64_MAX, 5000, &err);
    assert_int_equal(err, -EIO);
    assert_int_equal(out.size, 8);
    assert_non_null(strstr(s->why.sentence, "trailer.wav.gz: its gzip data end early"));
    drop(&out);
    drop(&packed);
    drop(&raw);
    source_destroy(s);
}

static void damage_is_an_error(void **state)
{
    (void)state;
    struct bytes raw = noise();
    for (enum packer p = 0; p < PACKERS; p++) {
        for (int tail = 0; tail < 2; tail++) {
            struct bytes packed = pack(p, raw.at, raw.size);
            int err = 0;
            if (tail)
                put_text(&packed, "and something else after it");
            else
                memset(packed.at + packed.size - 3000, 0xff, 500);
            struct source *s = open_packed("damaged_1M.cu8", p, &packed);
            struct bytes out = read_samples(s, UINT64_MAX, 5000, &err);
            assert_int_equal(err, -EBADMSG);
            assert_non_null(strstr(s->why.sentence, "data are damaged"));
            if (tail)
                assert_int_equal(out.size, raw.size);
            drop(&out);
            drop(&packed);
            source_destroy(s);
        }
    }
    drop(&raw);
}

static void a_compressed_file_cannot_loop_and_is_unpacked_once(void **state)
{
    (void)state;
    struct bytes raw = noise(), packed = pack(GZIP, raw.at, raw.size);
    struct source_config config = replay_of(packed_file("loop_1M.cu8", GZIP, &packed));
    config.loop = true;
    expect_refused(&config, -EINVAL, "cannot --loop, it is compressed: unpack it first");
    struct bytes twice = pack(ZSTD, packed.at, packed.size);
    config = replay_of(packed_file("twice_1M.cu8", ZSTD, &twice));
    expect_refused(&config, -ENOTSUP, "it is compressed twice");
    config = replay_of(packed_file("pair.sigmf-data", GZIP, &packed));
    expect_refused(&config, -ENOTSUP, "a SigMF pair has to be unpacked first");
    drop(&raw);
    drop(&packed);
    drop(&twice);
}

/* ---- files of other kinds ------------------------------------------------------------------ */

static void what_has_no_samples_is_refused_whatever_its_name_says(void **state)
{
    static const char *const names[] = {"x.cs16",        "x.iq",    "x.wav",
                                        "x_433M_1M.cu8", "x.sdriq", "x.cu12"};
    struct bytes png = {0};
    (void)state;
    put(&png, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    put_zeros(&png, 40000);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct source_config config = replay_of(file_of(names[i], png.at, png.size));
        expect_refused(&config, -ENOTSUP, ": it is a PNG picture: ");
        config.format = "cu8";
        expect_refused(&config, -ENOTSUP, ": it is a PNG picture: ");
    }
    drop(&png);
}

static void the_mend_names_the_file_as_it_is_typed(void **state)
{
    (void)state;
    struct source_config config = replay_of(file_of("a b.cu8", "PK\x03\x04\x14\0\0\0", 8));
    expect_refused(&config, -ENOTSUP, "a b.cu8: it is a ZIP archive: unpack it first: unzip ");
    expect_refused(&config, -ENOTSUP, "a b.cu8'");
}

static void a_wav_with_the_name_of_raw_samples_is_a_wav(void **state)
{
    (void)state;
    struct bytes wav = wav_of(&cs16_shape, "abcdefgh");
    struct source *s = expect_samples(file_of("w.cs16", wav.at, wav.size), "abcdefgh");
    assert_true(s->stream.tuning.rate_hz == cs16_shape.rate_hz);
    source_destroy(s);
    drop(&wav);
}

/* Raw pipes are not looked at before their first samples come. */
static void a_raw_pipe_is_refused_when_it_shows_what_it_is(void **state)
{
    int ends[2], saved = dup(STDIN_FILENO), err = 0;
    struct source_config config = replay_of("-");
    (void)state;
    config.format = "cs16";
    config.tuning.rate_hz = 1e6;
    assert_int_equal(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    struct source *s = open_source(&config);
    uint8_t raw[40];
    assert_int_equal(s->ops->read(s, raw, 10, 1), 0);
    struct bytes wav = wav_of(&cs16_shape, "abcdefgh");
    assert_int_equal(write(ends[1], wav.at, wav.size), (ssize_t)wav.size);
    struct bytes out = read_samples(s, UINT64_MAX, 10, &err);
    assert_int_equal(err, -ENOTSUP);
    assert_int_equal(out.size, 0);
    assert_string_equal(s->why.sentence, "standard input: it is a WAV file, no raw cs16 samples: "
                                         "leave the format out, and fftd reads it");
    source_destroy(s);
    drop(&wav);
    drop(&out);
    close(ends[0]);
    close(ends[1]);
    dup2(saved, STDIN_FILENO);
    close(saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compressed_samples_are_those_of_the_file),
        cmocka_unit_test(the_name_within_gives_format_centre_and_rate),
        cmocka_unit_test(several_members_and_padding_are_one_stream),
        cmocka_unit_test(frames_of_zstd_without_data_may_come_first),
        cmocka_unit_test(containers_are_read_from_within),
        cmocka_unit_test(a_truncated_file_is_an_error_after_its_samples),
        cmocka_unit_test(a_wav_cut_after_its_samples_is_named_with_the_reason),
        cmocka_unit_test(damage_is_an_error),
        cmocka_unit_test(a_compressed_file_cannot_loop_and_is_unpacked_once),
        cmocka_unit_test(what_has_no_samples_is_refused_whatever_its_name_says),
        cmocka_unit_test(the_mend_names_the_file_as_it_is_typed),
        cmocka_unit_test(a_wav_with_the_name_of_raw_samples_is_a_wav),
        cmocka_unit_test(a_raw_pipe_is_refused_when_it_shows_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
