/* test_npy.c - arrays of NumPy, as numpy.save writes them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/source/wav_support.h"

#include "daemon/base/reason.h"
#include "daemon/format/recording/iq_sample.h"
#include "daemon/format/recording/npy.h"

/* The header of version 1 is padded to a multiple of 64 bytes with blanks and a line feed. */
static struct bytes header_of(unsigned major, const char *literal)
{
    struct bytes b = {0};
    const size_t prefix = major == 1 ? 10 : 12, length = strlen(literal) + 1;
    const size_t all = (prefix + length + 63) / 64 * 64;
    put(&b, "\x93NUMPY", 6);
    put_u16(&b, major);
    if (major == 1)
        put_u16(&b, (unsigned)(all - prefix));
    else
        put_u32(&b, all - prefix);
    put_text(&b, literal);
    while (b.size < all - 1)
        put_text(&b, " ");
    put_text(&b, "\n");
    return b;
}

static struct bytes array_of(const char *descr, const char *shape)
{
    char literal[200];
    snprintf(literal, sizeof literal, "{'descr': %s, 'fortran_order': False, 'shape': %s, }", descr,
             shape);
    return header_of(1, literal);
}

/* The first bytes of numpy.save(numpy.zeros(2, 'complex64')), from NumPy 1.24. */
static void numpys_own_bytes_are_read(void **state)
{
    static const char saved[] =
        "\x93NUMPY\x01\0v\0{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }"
        "                                                            \n";
    struct npy header;
    struct reason why = {0};
    (void)state;
    assert_int_equal(sizeof saved - 1, 128);
    assert_int_equal(npy_parse((const uint8_t *)saved, 128, &header, &why), 0);
    assert_int_equal(header.data_at, 128);
    assert_int_equal(header.data_bytes, 16);
    assert_string_equal(header.sample->name, "cf32");
}

static void types_and_shapes_give_format_and_length(void **state)
{
    static const struct {
        const char *descr, *shape, *sample;
        uint64_t bytes;
    } table[] = {
        {"'<c8'", "(1000,)", "cf32", 8000},
        {"'<c8'", "(1, 1000)", "cf32", 8000},
        {"'<c8'", "(1000, 1)", "cf32", 8000},
        {"'>c8'", "(1000,)", "cf32_be", 8000},
        {"'<c16'", "(1000,)", "cf64", 16000},
        {"'<f4'", "(1000, 2)", "cf32", 8000},
        {"'<f8'", "(1000, 2)", "cf64", 16000},
        {"'<i2'", "(1000, 2)", "cs16", 4000},
        {"'>i2'", "(1000, 2)", "cs16_be", 4000},
        {"'<u2'", "(1000, 2)", "cu16", 4000},
        {"'<i4'", "(1000, 2)", "cs32", 8000},
        {"'|i1'", "(1000, 2)", "cs8", 2000},
        {"'|u1'", "(1000, 2)", "cu8", 2000},
        {"'|u1'", "(10000000000L, 2L)", "cu8", 20000000000},
        {"'<i2'", "(1000,)", "ri16", 2000},
        {"'<f4'", "(1000,)", "rf32", 4000},
        {"[('re', '<i2'), ('im', '<i2')]", "(7,)", "cs16", 28},
        {"[('i', '|i1'), ('q', '|i1')]", "(7,)", "cs8", 14},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct bytes b = array_of(table[i].descr, table[i].shape);
        struct npy header;
        struct reason why = {0};
        for (size_t size = 0; size < b.size; size++) {
            const int need = npy_parse(b.at, size, &header, &why);
            assert_true(need > (int)size && need <= (int)b.size);
        }
        assert_int_equal(npy_parse(b.at, b.size, &header, &why), 0);
        assert_int_equal(header.data_at, b.size);
        assert_string_equal(header.sample->name, table[i].sample);
        assert_true(header.data_bytes == table[i].bytes);
        drop(&b);
    }
}

static void other_versions_and_orders_of_keys_are_read(void **state)
{
    (void)state;
    for (unsigned major = 1; major <= 3; major++) {
        struct bytes b = header_of(major, "{'shape':(5,),'fortran_order':True,'descr':'<c8'}");
        struct npy header;
        struct reason why = {0};
        assert_int_equal(npy_parse(b.at, b.size, &header, &why), 0);
        assert_int_equal(header.data_bytes, 40);
        assert_int_equal(header.data_at, b.size);
        drop(&b);
    }
}

static void what_cannot_be_read_says_what_helps(void **state)
{
    static const struct {
        const char *descr, *shape, *piece;
    } table[] = {
        {"'<U12'", "(1000,)", "of type <U12: save complex64"},
        {"'|O'", "(1000,)", "of type |O: save complex64"},
        {"'<i2'", "(2, 1000)", "of shape (2, 1000): I and Q have to be its two columns"},
        {"'<c8'", "(3, 1000)", "of shape (3, 1000): save one row of it"},
        {"'<c8'", "()", "of shape (): save one row of it"},
        {"[('a', '<i2'), ('b', '<f4')]", "(10,)", "of records"},
        {"[('a', '<i2'), ('b', '<i2'), ('c', '<i2')]", "(10,)", "of records"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct bytes b = array_of(table[i].descr, table[i].shape);
        const struct source_config config = replay_of(file_of("a.npy", b.at, b.size));
        expect_refused(&config, -ENOTSUP, table[i].piece);
        drop(&b);
    }
    struct bytes b = header_of(1, "{'descr': '<i2', 'fortran_order': True, 'shape': (1000, 2), }");
    const struct source_config config = replay_of(file_of("f.npy", b.at, b.size));
    expect_refused(&config, -ENOTSUP, "save numpy.ascontiguousarray(a)");
    drop(&b);
}

static void malformed_headers_are_refused(void **state)
{
    static const char *const literals[] = {
        "{}",
        "{'descr': '<c8', 'fortran_order': False}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (1000",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (99999999999999999999,), }",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (1, 2, 3, 4, 5), }",
    };
    (void)state;
    for (size_t i = 0; i < sizeof literals / sizeof literals[0]; i++) {
        struct bytes b = header_of(1, literals[i]);
        const struct source_config config = replay_of(file_of("m.npy", b.at, b.size));
        expect_refused(&config, -EINVAL, "a NumPy array with a malformed header");
        drop(&b);
    }
    const struct source_config config = replay_of(file_of("s.npy", "\x93NUMPY\1\0v\0{'des", 15));
    expect_refused(&config, -EINVAL, "ends inside its header of NumPy");
}

/* From a file of any name, a pipe, and cut. */
static void the_samples_follow_the_header(void **state)
{
    (void)state;
    struct bytes b = array_of("'<i2'", "(2, 2)");
    put_text(&b, "abcdefgh");
    source_destroy(expect_samples(file_of("x.npy", b.at, b.size), "abcdefgh"));
    source_destroy(expect_samples(file_of("x_433M_1M.cf32", b.at, b.size), "abcdefgh"));
    expect_piped_wav(&b, "-", "abcdefgh");
    put_text(&b, "another array");
    source_destroy(expect_samples(file_of("x.npy", b.at, b.size), "abcdefgh"));
    b.size -= strlen("efghanother array");
    source_destroy(expect_samples(file_of("x.npy", b.at, b.size), "abcd"));
    b.size -= 4;
    const struct source_config config = replay_of(file_of("x.npy", b.at, b.size));
    expect_refused(&config, -EINVAL, "empty, no samples");
    drop(&b);
}

static void the_name_gives_centre_and_rate(void **state)
{
    (void)state;
    struct bytes b = array_of("'<i2'", "(2, 2)");
    put_text(&b, "abcdefgh");
    struct source *s = expect_samples(file_of("x_433M_2M.npy", b.at, b.size), "abcdefgh");
    assert_true(s->stream.tuning.rate_hz == 2e6 && s->stream.tuning.center_hz == 433e6);
    source_destroy(s);
    drop(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numpys_own_bytes_are_read),
        cmocka_unit_test(types_and_shapes_give_format_and_length),
        cmocka_unit_test(other_versions_and_orders_of_keys_are_read),
        cmocka_unit_test(what_cannot_be_read_says_what_helps),
        cmocka_unit_test(malformed_headers_are_refused),
        cmocka_unit_test(the_samples_follow_the_header),
        cmocka_unit_test(the_name_gives_centre_and_rate),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
