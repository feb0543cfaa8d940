/* test_block.c - which blocks ask the system for huge pages, by what it says of them. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/system/memory_block.h"
#include "tests/support/cmocka_all.h"

/* The flags of the mapping that has the address (proc_pid_smaps(5)). "": there are none. */
static void flags_at(const char *address, char *flags, size_t size)
{
    char line[512];
    bool here = false;
    FILE *f = fopen("/proc/self/smaps", "r");
    flags[0] = '\0';
    while (f && fgets(line, sizeof line, f)) {
        uintptr_t from, to;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
            here = from <= (uintptr_t)address && (uintptr_t)address < to;
        else if (here && strncmp(line, "VmFlags:", 8) == 0)
            snprintf(flags, size, "%s", line + 8);
    }
    if (f)
        fclose(f);
}

static bool asks_for_huge_pages(size_t bytes, size_t part)
{
    char flags[512];
    char *block = block_take(bytes, part);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % 64, 0);
    memset(block, 1, bytes);
    flags_at(block + bytes / 2, flags, sizeof flags);
    if (!flags[0])
        skip(); /* this system does not say */
    free(block);
    return strstr(flags, " hg") != NULL;
}

static void a_block_whose_parts_are_long_is_on_huge_pages(void **state)
{
    (void)state;
    FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (!f)
        skip(); /* a system without them */
    fclose(f);
    assert_true(asks_for_huge_pages(5 * BLOCK_HUGE_PAGE + 1, BLOCK_HUGE_PAGE));
    assert_true(asks_for_huge_pages(BLOCK_HUGE_PAGE, BLOCK_HUGE_PAGE));
}

static void a_block_of_short_parts_is_not(void **state)
{
    (void)state;
    assert_false(asks_for_huge_pages(9 * BLOCK_HUGE_PAGE, BLOCK_HUGE_PAGE - 1));
    assert_false(asks_for_huge_pages(64, 64));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_whose_parts_are_long_is_on_huge_pages),
        cmocka_unit_test(a_block_of_short_parts_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
