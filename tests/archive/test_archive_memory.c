/* test_archive_memory.c - the memory that admission counts for the archive, against the allocator's
 * own count. */
#include "tests/archive/archive_fixture.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static uint64_t allocated(void)
{
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

/* A sanitizer's allocator does not count. */
static bool counts(void)
{
    const uint64_t before = allocated();
    void *volatile block = malloc(1 << 22);
    const bool grew = allocated() - before >= 1 << 22;
    free(block);
    return grew;
}

static void the_count_is_what_the_archive_takes(void **state)
{
    (void)state;
    struct archive_fixture fixture;
    if (!counts())
        skip();
    for (uint32_t columns = 1024; columns <= 16384; columns *= 4) {
        archive_fixture_init(&fixture);
        fixture.options.columns = columns;
        const uint64_t counted = archiver_bytes(&fixture.options), before = allocated();
        archive_fixture_start(&fixture);
        const uint64_t took = allocated() - before;
        archive_fixture_remove(&fixture);
        assert_in_range(took, counted / 2, counted); /* the rest is for a block being written */
    }
    fixture.options.folder = NULL;
    assert_int_equal(archiver_bytes(&fixture.options), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_count_is_what_the_archive_takes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
