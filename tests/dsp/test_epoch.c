/* test_epoch.c - the sizes of the IQ ring that an epoch accepts. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "daemon/stream/epoch.h"

static const struct stream stream = {.format = FFT_IQ_CU8, .tuning = {.rate_hz = 2.4e6}};

/* 32 bits address 4 GiB: an epoch and the next one map their rings twice each. */
static void a_ring_too_large_to_map_is_refused(void **state)
{
    (void)state;
    const bool narrow = sizeof(void *) == 4;
    const struct epoch_config config = {.n = 1024,
                                        .ring_bytes = narrow ? 1 << 30 : UINT64_C(1) << 61};
    struct epoch *e;
    char error[200];
    assert_int_equal(epoch_create(&e, &stream, &config, error, sizeof error), -ENOMEM);
    assert_null(e);
    assert_non_null(strstr(error, narrow ? "ring-size: 1073741824 bytes needed, a 32-bit fftd maps"
                                         : "a 64-bit fftd maps"));
}

static void a_size_beyond_the_address_space_is_not_truncated(void **state)
{
    (void)state;
    const uint64_t beyond = sizeof(void *) == 4 ? UINT64_C(1) << 32 : UINT64_C(1) << 62;
    const struct iq_ring_config config = {.bytes = beyond + 65536, .sample_bytes = 2, .block = 64};
    struct iq_ring *r;
    assert_int_equal(iq_ring_create(&r, &config), -ENOMEM);
    assert_null(r);
}

static void two_rings_of_64_mib_exist_at_once(void **state)
{
    (void)state;
    const struct epoch_config config = {.n = 1024, .ring_bytes = 64 << 20};
    struct epoch *e[2];
    char error[200];
    for (int i = 0; i < 2; i++)
        assert_int_equal(epoch_create(&e[i], &stream, &config, error, sizeof error), 0);
    for (int i = 0; i < 2; i++)
        epoch_drop(e[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_too_large_to_map_is_refused),
        cmocka_unit_test(a_size_beyond_the_address_space_is_not_truncated),
        cmocka_unit_test(two_rings_of_64_mib_exist_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
