/* test_arena.c - blocks of an arena: zeroed, aligned, apart, and all given back (the sanitizer
 * looks). */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "fft/cpu/base/cpu_memory.h"

/* None, odd ones, one that fills what is left, and ones beyond a huge page. */
static const size_t sizes[] = {0,       1,       63,   4096,       64 << 10, 100,
                               2 << 20, 5 << 20, 3000, 1900 << 10, 64};
enum { COUNT = sizeof sizes / sizeof sizes[0] };

static bool all_are(const unsigned char *block, size_t bytes, unsigned char value)
{
    for (size_t i = 0; i < bytes; i++)
        if (block[i] != value)
            return false;
    return true;
}

static void take_all(struct cpu_arena *a, unsigned char **blocks)
{
    for (size_t i = 0; i < COUNT; i++) {
        blocks[i] = cpu_arena_take(a, sizes[i]);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 64, 0);
        assert_true(all_are(blocks[i], sizes[i], 0));
    }
}

static void blocks_are_zeroed_aligned_and_apart(void **state)
{
    struct cpu_arena a = {0};
    unsigned char *blocks[COUNT];
    (void)state;

    take_all(&a, blocks);
    for (size_t i = 0; i < COUNT; i++)
        memset(blocks[i], (int)i + 1, sizes[i]);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(all_are(blocks[i], sizes[i], (unsigned char)(i + 1)));
    cpu_arena_free(&a);
}

static void an_arena_given_back_is_empty_and_zeroed_again(void **state)
{
    struct cpu_arena a = {0};
    unsigned char *blocks[COUNT];
    (void)state;

    cpu_arena_free(&a);
    for (int turn = 0; turn < 3; turn++) {
        take_all(&a, blocks);
        for (size_t i = 0; i < COUNT; i++)
            memset(blocks[i], 0xff, sizes[i]);
        cpu_arena_free(&a);
        assert_null(a.chunks);
    }
}

static void a_small_plan_takes_little_memory(void **state)
{
    struct cpu_arena a = {0};
    (void)state;

    const unsigned char *first = cpu_arena_take(&a, 1000), *second = cpu_arena_take(&a, 1000);
    assert_non_null(first);
    assert_non_null(second);
    assert_true(a.left < 64 << 10); /* no huge page was opened */
    cpu_arena_free(&a);
}

/* The linker sends the library's calls here (see CMakeLists.txt). */
static bool refused;
int __real_posix_memalign(void **block, size_t align, size_t bytes);
int __wrap_posix_memalign(void **block, size_t align, size_t bytes);

int __wrap_posix_memalign(void **block, size_t align, size_t bytes)
{
    return refused ? ENOMEM : __real_posix_memalign(block, align, bytes);
}

static void missing_memory_is_reported(void **state)
{
    struct cpu_arena a = {0};
    (void)state;

    refused = true;
    assert_null(cpu_arena_take(&a, 3 << 20));
    refused = false;
    assert_non_null(cpu_arena_take(&a, 3 << 20)); /* and the arena is as good as before */
    refused = true;
    assert_null(cpu_arena_take(&a, 3 << 20));
    refused = false;
    cpu_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_zeroed_aligned_and_apart),
        cmocka_unit_test(an_arena_given_back_is_empty_and_zeroed_again),
        cmocka_unit_test(a_small_plan_takes_little_memory),
        cmocka_unit_test(missing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
