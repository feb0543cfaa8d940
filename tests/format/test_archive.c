/* test_archive.c - SigMF archives: ustar, pax and GNU headers, from files and pipes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/source/source_support.h"

#include "daemon/format/recording/tar.h"

#define META "{\"global\":{\"core:datatype\":\"ci8\",\"core:sample_rate\":48000},\"captures\":[]}"

/* A header with a correct checksum, by the table of POSIX. */
static void put_header(struct bytes *tar, const char *name, char type, size_t size)
{
    uint8_t block[TAR_BLOCK] = {0};
    unsigned sum = 0;
    snprintf((char *)block, 100, "%s", name);
    snprintf((char *)block + 124, 12, "%011o", (unsigned)size);
    memset(block + 148, ' ', 8);
    block[156] = (uint8_t)type;
    snprintf((char *)block + 257, 6, "ustar");
    block[263] = block[264] = '0'; /* the version */
    for (int i = 0; i < TAR_BLOCK; i++)
        sum += block[i];
    snprintf((char *)block + 148, 8, "%06o", sum);
    put(tar, block, sizeof block);
}

static void put_entry(struct bytes *tar, const char *name, char type, const char *content)
{
    const size_t size = strlen(content);
    put_header(tar, name, type, size);
    put_text(tar, content);
    put_zeros(tar, (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

static void put_pair(struct bytes *tar)
{
    put_entry(tar, "x/", '5', "");
    put_entry(tar, "x/x.sigmf-meta", '0', META);
    put_entry(tar, "x/x.sigmf-data", '0', "abcdefgh");
}

static void put_end(struct bytes *tar)
{
    put_zeros(tar, (size_t)2 * TAR_BLOCK);
}

static struct source_config config;

static void expect_data_of(const char *replay)
{
    config = replay_of(replay);
    struct source *s = open_source(&config);
    int err = 0;
    assert_int_equal(s->stream.format, FFT_IQ_CS8);
    assert_true(s->stream.tuning.rate_hz == 48000);
    struct bytes out = read_samples(s, UINT64_MAX, 3, &err);
    assert_int_equal(err, -ENODATA);
    assert_int_equal(out.size, 8);
    assert_memory_equal(out.at, "abcdefgh", 8);
    drop(&out);
    source_destroy(s);
}

static void expect_read(struct bytes *tar)
{
    expect_data_of(file_of("a.sigmf", tar->at, tar->size));
    drop(tar);
}

static void expect_archive_refused(struct bytes *tar, const char *piece)
{
    config = replay_of(file_of("bad.sigmf", tar->at, tar->size));
    expect_refused(&config, -EINVAL, piece);
    expect_refused(&config, -EINVAL, "bad.sigmf");
    drop(tar);
}

static void an_archive_is_read_in_either_order(void **state)
{
    (void)state;
    struct bytes tar = {0};
    put_pair(&tar);
    put_end(&tar);
    expect_read(&tar);
    put_entry(&tar, "x.sigmf-data", 0, "abcdefgh");
    put_entry(&tar, "readme.txt", '0', "hello");
    put_entry(&tar, "._x.sigmf-meta", '0', "resource fork");
    put_entry(&tar, "x.sigmf-meta", 0, META);
    expect_read(&tar); /* without the blocks at the end */
}

static void long_names_come_from_pax_and_gnu_headers(void **state)
{
    (void)state;
    struct bytes tar = {0};
    put_entry(&tar, "pax", 'x', "26 path=long/x.sigmf-meta\n");
    put_entry(&tar, "cut", '0', META);
    put_entry(&tar, "././@LongLink", 'L', "long/x.sigmf-data");
    put_entry(&tar, "cut", '0', "abcdefgh");
    put_end(&tar);
    expect_read(&tar);
}

static void a_size_too_large_for_octal_comes_from_pax(void **state)
{
    (void)state;
    struct bytes tar = {0};
    put_entry(&tar, "x.sigmf-meta", '0', META);
    put_entry(&tar, "pax", 'x', "10 size=8\n");
    put_header(&tar, "x.sigmf-data", '0', 0);
    put_text(&tar, "abcdefgh");
    put_zeros(&tar, TAR_BLOCK - 8);
    put_end(&tar);
    expect_read(&tar);
}

/* Archives written by GNU tar, if it is installed. */
static void an_archive_made_by_tar_is_read(void **state)
{
    (void)state;
    char command[1024];
    file_of_text("t.sigmf-meta", META);
    file_of_text("t.sigmf-data", "abcdefgh");
    const char *formats[] = {"ustar", "pax", "gnu", "v7"};
    for (int i = 0; i < 4; i++) {
        snprintf(command, sizeof command,
                 "cd $(dirname %s) && tar --format=%s -cf t.sigmf ./t.sigmf-data ./t.sigmf-meta",
                 path_of("x"), formats[i]);
        if (system(command)) /* NOLINT(cert-env33-c): a fixed command */
            skip();
        expect_data_of(path_of("t.sigmf"));
    }
}

static int feed_stdin(const struct bytes *b)
{
    int ends[2];
    const int saved = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(write(ends[1], b->at, b->size), (ssize_t)b->size);
    close(ends[1]);
    return saved;
}

static void restore_stdin(int saved)
{
    dup2(saved, STDIN_FILENO);
    close(saved);
}

static void an_archive_is_read_from_a_pipe_if_its_meta_is_first(void **state)
{
    (void)state;
    struct bytes tar = {0};
    put_pair(&tar);
    put_end(&tar);
    int saved = feed_stdin(&tar);
    expect_data_of("sigmf:-");
    restore_stdin(saved);
    drop(&tar);
    put_entry(&tar, "x.sigmf-data", '0', "abcdefgh");
    put_entry(&tar, "x.sigmf-meta", '0', META);
    saved = feed_stdin(&tar);
    config = replay_of("sigmf:-");
    expect_refused(&config, -EINVAL, "samples before its meta");
    restore_stdin(saved);
    drop(&tar);
}

/* The samples of a recording are its name: both have the same length. */
static void put_several(struct bytes *tar)
{
    put_entry(tar, "all/", '5', "");
    put_entry(tar, "all/all.sigmf-collection", '0', "{\"collection\":{}}");
    put_entry(tar, "pax", 'g', "20 comment=for all\n");
    put_entry(tar, "./all/first123.sigmf-meta", '0', META);
    put_entry(tar, "all/alone.sigmf-meta", '0', META);
    put_entry(tar, "./all/first123.sigmf-data", '0', "first123");
    put_entry(tar, "all/Second45.SIGMF-META", '0', META);
    put_entry(tar, "all/second45.sigmf-data", '0', "Second45");
    put_entry(tar, "././@LongLink", 'L', "all/third678.sigmf-meta");
    put_entry(tar, "././@LongLink", 'K', "elsewhere");
    put_entry(tar, "cut", '0', META);
    put_entry(tar, "all/third678.sigmf-data", '0', "third678");
    put_end(tar);
}

static void expect_chosen(const char *replay, const char *name, const char *data)
{
    config = replay_of(replay);
    config.sigmf_recording = name;
    struct source *s = open_source(&config);
    int err = 0;
    struct bytes out = read_samples(s, UINT64_MAX, 3, &err);
    assert_int_equal(err, -ENODATA);
    assert_int_equal(out.size, 8);
    assert_memory_equal(out.at, data, 8);
    drop(&out);
    source_destroy(s);
}

static void one_of_several_recordings_is_chosen_by_its_name(void **state)
{
    (void)state;
    static const struct {
        const char *name, *data;
    } table[] = {{NULL, "first123"},       {"", "first123"},
                 {"first123", "first123"}, {"all/first123", "first123"},
                 {"Second45", "Second45"}, {"all/Second45", "Second45"},
                 {"third678", "third678"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct bytes tar = {0};
        put_several(&tar);
        expect_chosen(file_of("several.sigmf", tar.at, tar.size), table[i].name, table[i].data);
        const int saved = feed_stdin(&tar);
        expect_chosen("sigmf:-", table[i].name, table[i].data);
        restore_stdin(saved);
        drop(&tar);
    }
}

static void an_unknown_recording_lists_those_of_the_archive(void **state)
{
    (void)state;
    struct bytes tar = {0};
    put_several(&tar);
    config = replay_of(file_of("several.sigmf", tar.at, tar.size));
    config.sigmf_recording = "fourth";
    expect_refused(&config, -EINVAL,
                   "several.sigmf: --sigmf-recording fourth: not in the archive: all/first123, "
                   "all/Second45, all/third678");
    config.sigmf_recording = "alone"; /* it has no samples */
    expect_refused(&config, -EINVAL, "--sigmf-recording alone: not in the archive: all/first123");
    drop(&tar);
    for (int i = 0; i < 12; i++) {
        char name[64];
        snprintf(name, sizeof name, "recording%d.sigmf-meta", i);
        put_entry(&tar, name, '0', META);
        snprintf(name, sizeof name, "recording%d.sigmf-data", i);
        put_entry(&tar, name, '0', "abcdefgh");
    }
    config = replay_of(file_of("many.sigmf", tar.at, tar.size));
    config.sigmf_recording = "x";
    expect_refused(&config, -EINVAL, "recording0, recording1, recording2");
    expect_refused(&config, -EINVAL, "recording9, ... (12 in all)");
    drop(&tar);
}

/* tar -r appends a newer file behind the older one. */
static void the_last_file_of_a_name_counts(void **state)
{
    (void)state;
    struct bytes tar = {0};
    put_entry(&tar, "x.sigmf-meta", '0', "{");
    put_entry(&tar, "x.sigmf-data", '0', "old");
    put_entry(&tar, "x.sigmf-meta", '0', META);
    put_entry(&tar, "x.sigmf-data", '0', "abcdefgh");
    put_end(&tar);
    expect_read(&tar);
}

static void bad_archives_are_refused(void **state)
{
    (void)state;
    struct bytes tar = {0};
    put_zeros(&tar, 1);
    tar.size = 0;
    expect_archive_refused(&tar, "no .sigmf-meta");
    put_text(&tar, "\x1f\x8b\x08 gzip");
    put_zeros(&tar, 1000);
    expect_archive_refused(&tar, "no tar archive");
    put_end(&tar);
    expect_archive_refused(&tar, "no .sigmf-meta");
    put_entry(&tar, "x.sigmf-meta", '0', META);
    put_end(&tar);
    expect_archive_refused(&tar, "no .sigmf-data");
    put_entry(&tar, "x.sigmf-meta", '0', META);
    put_entry(&tar, "y.sigmf-data", '0', "abcdefgh");
    put_end(&tar);
    expect_archive_refused(&tar, "no .sigmf-meta in the archive has a .sigmf-data of its name");
    put_entry(&tar, "x.sigmf-meta", '0', META);
    put_header(&tar, "x.sigmf-data", '0', 8);
    put_text(&tar, "abcd");
    expect_archive_refused(&tar, "truncated archive");
    put_header(&tar, "x.sigmf-meta", '0', 1000);
    put_text(&tar, "{");
    expect_archive_refused(&tar, "truncated archive");
    put_header(&tar, "x.sigmf-meta", '0', 0x7fffffff);
    expect_archive_refused(&tar, "metadata of more than 64 MiB");
    put_entry(&tar, "pax", 'x', "99 path=x\n");
    expect_archive_refused(&tar, "damaged extended tar header");
    put_entry(&tar, "x.sigmf-meta", '0', "{");
    put_entry(&tar, "x.sigmf-data", '0', "abcdefgh");
    expect_archive_refused(&tar, "not JSON");
    put_entry(&tar, "x.sigmf-meta", '0', META);
    put_entry(&tar, "x.sigmf-data", '0', "a");
    expect_archive_refused(&tar, "no samples: 1 of the 2 bytes");
}

static void sizes_are_octal_or_binary_and_checked(void **state)
{
    (void)state;
    struct bytes tar = {0};
    struct tar_entry entry;
    put_header(&tar, "name", '0', 0777);
    assert_int_equal(tar_parse_header(tar.at, &entry), 0);
    assert_int_equal(entry.size, 0777);
    assert_string_equal(entry.name, "name");
    tar.at[0] ^= 1; /* now the checksum is wrong */
    assert_int_equal(tar_parse_header(tar.at, &entry), -EINVAL);
    drop(&tar);
    put_zeros(&tar, TAR_BLOCK);
    assert_int_equal(tar_parse_header(tar.at, &entry), 1);
    drop(&tar);
}

/* On blocks of exact size, so that the address sanitizer detects a read past the end. */
static void no_pax_header_is_read_beyond_its_end(void **state)
{
    (void)state;
    static const char text[] = "11 path=ab\n14 size=12345\n99999999999999999999 x=y\n";
    for (size_t size = 0; size < sizeof text; size++) {
        for (size_t change = 0; change <= size; change++) {
            struct tar_entry entry;
            char *exact = malloc(size + !size);
            memcpy(exact, text, size);
            if (change < size)
                exact[change] = (char)(exact[change] ^ (int)(1 + (size * 31 + change * 7) % 255));
            const int err = tar_parse_pax(exact, size, &entry);
            assert_true(err == 0 || err == -EINVAL);
            free(exact);
        }
    }
    struct tar_entry entry;
    assert_int_equal(tar_parse_pax(text, 25, &entry), 0);
    assert_string_equal(entry.name, "ab");
    assert_int_equal(entry.size, 12345);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_is_read_in_either_order),
        cmocka_unit_test(long_names_come_from_pax_and_gnu_headers),
        cmocka_unit_test(a_size_too_large_for_octal_comes_from_pax),
        cmocka_unit_test(an_archive_made_by_tar_is_read),
        cmocka_unit_test(an_archive_is_read_from_a_pipe_if_its_meta_is_first),
        cmocka_unit_test(one_of_several_recordings_is_chosen_by_its_name),
        cmocka_unit_test(an_unknown_recording_lists_those_of_the_archive),
        cmocka_unit_test(the_last_file_of_a_name_counts),
        cmocka_unit_test(bad_archives_are_refused),
        cmocka_unit_test(sizes_are_octal_or_binary_and_checked),
        cmocka_unit_test(no_pax_header_is_read_beyond_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
