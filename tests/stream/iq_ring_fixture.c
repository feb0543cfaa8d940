/* iq_ring_fixture.c - rings of counter-coded samples. */
#include "tests/stream/iq_ring_fixture.h"

struct iq_ring *make_ring(uint64_t pages, bool lossless)
{
    struct iq_ring *r = NULL;
    const struct iq_ring_config config = {
        .bytes = pages * 4096, .sample_bytes = 4, .block = BLOCK, .lossless = lossless};
    assert_int_equal(iq_ring_create(&r, &config, NULL), 0);
    assert_int_equal(iq_ring_capacity(r), pages * PAGE_SAMPLES);
    return r;
}

bool write_counted(struct iq_ring *r, uint32_t *number, uint32_t samples)
{
    uint32_t *into = iq_ring_write_begin(r, 10);
    if (!into)
        return false;
    for (uint32_t i = 0; i < samples; i++)
        into[i] = (*number)++;
    iq_ring_write_end(r, samples);
    return true;
}
