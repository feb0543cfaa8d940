/* test_epoch.c - the sizes of the IQ ring that an epoch accepts. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/stream/epoch/epoch.h"

static const struct stream stream = {.format = FFT_IQ_CU8, .tuning = {.rate_hz = 2.4e6}};

/* 32 bits address 4 GiB: an epoch and the next one map their rings twice each. */
static void a_ring_too_large_to_map_is_refused(void **state)
{
    (void)state;
    const bool narrow = sizeof(void *) == 4;
    const struct epoch_config config = {.n = 1024,
                                        .ring_bytes = narrow ? 1 << 30 : UINT64_C(1) << 61};
    struct epoch *e;
    struct reason why = {0};
    assert_int_equal(epoch_create(&e, &stream, &config, &why), -ENOMEM);
    assert_null(e);
    assert_non_null(
        strstr(why.sentence, narrow ? "ring-size: 1073741824 bytes needed, a 32-bit fftd maps"
                                    : "a 64-bit fftd maps"));
}

static void a_size_beyond_the_address_space_is_not_truncated(void **state)
{
    (void)state;
    const uint64_t beyond = sizeof(void *) == 4 ? UINT64_C(1) << 32 : UINT64_C(1) << 62;
    const struct iq_ring_config config = {.bytes = beyond + 65536, .sample_bytes = 2, .block = 64};
    struct iq_ring *r;
    assert_int_equal(iq_ring_create(&r, &config, NULL), -ENOMEM);
    assert_null(r);
}

static void two_rings_of_64_mib_exist_at_once(void **state)
{
    (void)state;
    const struct epoch_config config = {.n = 1024, .ring_bytes = 64 << 20};
    struct epoch *e[2];
    struct reason why = {0};
    for (int i = 0; i < 2; i++)
        assert_int_equal(epoch_create(&e[i], &stream, &config, &why), 0);
    for (int i = 0; i < 2; i++)
        epoch_unref(e[i]);
}

/* 983.04 MB are a second of cs16 at 245.76 MS/s. */
static void a_ring_whose_writer_waits_is_smaller(void **state)
{
    (void)state;
    const struct stream fast = {.format = FFT_IQ_CS16, .tuning = {.rate_hz = 245.76e6}};
    struct settings settings = {.n = 1024, .line_rate_hz = 20};
    struct epoch_config config = {.n = 1024, .settings = &settings};
    assert_int_equal(epoch_ring_bytes(&fast, &config), 983040000);
    config.lossless = true;
    assert_int_equal(epoch_ring_bytes(&fast, &config), 4 * 4 * (245760000 / 20)); /* four lines */
    settings.line_rate_hz = 2;
    assert_int_equal(epoch_ring_bytes(&fast, &config), 983040000);
    settings.line_rate_hz = 1000;
    assert_int_equal(epoch_ring_bytes(&fast, &config), 8 * 4 * epoch_span(1024, 245.76e6));
    assert_int_equal(epoch_check(&fast, &config, NULL), 0);
    const struct stream slow = {.format = FFT_IQ_CS16, .tuning = {.rate_hz = 20e6}};
    assert_int_equal(epoch_ring_bytes(&slow, &config), 64 << 20);
    assert_int_equal(epoch_ring_bytes(&stream, &config), 2 * 2400000); /* a second is less */
    config.settings = NULL;
    assert_int_equal(epoch_ring_bytes(&slow, &config), 80000000);
}

static void a_block_is_a_quarter_of_a_frame_from_5_to_20_ms(void **state)
{
    (void)state;
    const uint64_t second = 2400000;
    struct stream fast = {.format = FFT_IQ_CS16, .tuning = {.rate_hz = 200e6}};
    assert_int_equal(epoch_block(&stream, second, 1024), 12000);
    assert_int_equal(epoch_block(&stream, second, 131072), 32768);
    assert_int_equal(epoch_block(&stream, second, 1 << 20), 48000);
    assert_int_equal(epoch_block(&stream, 80000, 1 << 20), 10000); /* an eighth of the ring */
    assert_int_equal(epoch_block(&fast, 200000000, 1 << 20), 65536);
    struct stream slow = stream;
    slow.cycle_samples = 1 << 22;
    assert_int_equal(epoch_block(&slow, 1 << 22, 131072), 32768);
    fast.cycle_samples = 1 << 22;
    assert_int_equal(epoch_block(&fast, 200000000, 1 << 20), 1000000);
}

static void a_ring_holds_whole_cycles(void **state)
{
    (void)state;
    static const uint8_t cycle[2 * 65536] = {1, 2, 3};
    struct stream repeating = stream;
    repeating.cycle = cycle;
    repeating.cycle_samples = 65536;
    const struct epoch_config config = {.n = 1024, .ring_bytes = (8 << 20) + 1};
    struct epoch *e;
    struct reason why = {0};
    assert_int_equal(epoch_create(&e, &repeating, &config, &why), 0);
    assert_int_equal(iq_ring_capacity(e->ring), (4 << 20) + 65536);
    for (uint64_t at = 0; at < 2 * iq_ring_capacity(e->ring); at += 65536)
        assert_memory_equal(iq_ring_at(e->ring, at), cycle, sizeof cycle);
    epoch_unref(e);
}

static void another_radio_does_not_continue_an_epoch(void **state)
{
    (void)state;
    const struct epoch_config config = {.n = 1024, .ring_bytes = 1 << 20};
    struct stream first = stream, second = stream;
    struct epoch *e;
    struct reason why = {0};
    strcpy(first.serial, "1");
    strcpy(second.serial, "2");
    assert_int_equal(epoch_create(&e, &first, &config, &why), 0);
    assert_true(epoch_suits(e, &first, 1024));
    assert_false(epoch_suits(e, &second, 1024));
    epoch_unref(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_too_large_to_map_is_refused),
        cmocka_unit_test(a_size_beyond_the_address_space_is_not_truncated),
        cmocka_unit_test(two_rings_of_64_mib_exist_at_once),
        cmocka_unit_test(a_ring_holds_whole_cycles),
        cmocka_unit_test(a_block_is_a_quarter_of_a_frame_from_5_to_20_ms),
        cmocka_unit_test(a_ring_whose_writer_waits_is_smaller),
        cmocka_unit_test(another_radio_does_not_continue_an_epoch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
