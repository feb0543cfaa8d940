/* test_ring_mirror.c - both halves of a mirror are the same memory, with a memfd and without. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/stream/ring/ring_mirror.h"

enum { BYTES = 1 << 20 };
static int memfd_error, mremap_error; /* 0: the call works */

/* Both replace those of the C library. */
int memfd_create(const char *name, unsigned flags)
{
    errno = memfd_error;
    return memfd_error ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

void *mremap(void *at, size_t had, size_t want, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    void *to = va_arg(more, void *);
    va_end(more);
    errno = mremap_error;
    return mremap_error ? MAP_FAILED : (void *)syscall(SYS_mremap, at, had, want, (long)flags, to);
}

static void assert_mirror(void)
{
    struct reason why = {0};
    unsigned char *map = NULL;
    if (mirror_map(&map, BYTES, &why) < 0)
        fail_msg("%s", why.sentence);
    for (size_t at = 0; at < BYTES; at += 4096) {
        assert_int_equal(map[at] | map[BYTES + at], 0);
        map[at] = (unsigned char)(1 + at / 4096 % 100);
        map[BYTES + at + 1] = (unsigned char)(101 + at / 4096 % 100);
    }
    assert_memory_equal(map, map + BYTES, BYTES);
    assert_int_equal(munmap(map, 2 * (size_t)BYTES), 0);
}

static void a_memfd_is_mapped_twice(void **state)
{
    (void)state;
    memfd_error = 0;
    mremap_error = EINVAL; /* not needed */
    assert_mirror();
}

static void without_a_memfd_an_anonymous_mapping_is_doubled(void **state)
{
    (void)state;
    memfd_error = ENOSYS;
    mremap_error = 0;
    assert_mirror();
}

static void a_limit_on_the_size_of_files_does_not_limit_the_ring(void **state)
{
    struct rlimit had, small;
    (void)state;
    memfd_error = mremap_error = 0;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &had), 0);
    small = had;
    small.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_mirror();
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &had), 0);
}

static void a_refusal_names_both_calls_and_their_errors(void **state)
{
    struct reason why = {0};
    unsigned char *map;
    (void)state;
    memfd_error = EPERM;
    mremap_error = EINVAL;
    assert_int_equal(mirror_map(&map, BYTES, &why), -EINVAL);
    assert_null(map);
    assert_string_equal(why.sentence, "memfd_create: Operation not permitted; "
                                      "mremap of an anonymous mapping: Invalid argument");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_memfd_is_mapped_twice),
        cmocka_unit_test(without_a_memfd_an_anonymous_mapping_is_doubled),
        cmocka_unit_test(a_limit_on_the_size_of_files_does_not_limit_the_ring),
        cmocka_unit_test(a_refusal_names_both_calls_and_their_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
