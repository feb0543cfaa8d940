/* test_byte_stream.c - positions in files that 32 bits cannot count. */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <unistd.h>

#include "daemon/source/file/byte_stream.h"

static void the_end_of_a_file_of_5_gib_is_read(void **state)
{
    (void)state;
    static const uint64_t whole = UINT64_C(5) << 30;
    char path[] = "/tmp/fftd-test-XXXXXX", got[4];
    struct byte_stream b;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, "last", 4, (off_t)whole - 4), 4); /* a hole before it */
    close(file);
    const int err = byte_stream_open(&b, path);
    unlink(path);
    assert_int_equal(err, 0);
    assert_true(b.size == whole);
    assert_int_equal(byte_stream_seek(&b, whole - 4), 0);
    assert_int_equal(byte_stream_fill(&b, got, sizeof got, 1000), 0);
    assert_memory_equal(got, "last", 4);
    byte_stream_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_end_of_a_file_of_5_gib_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
