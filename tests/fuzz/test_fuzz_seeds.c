/*
 * test_fuzz_seeds.c - gives each fuzzer its seeds: it builds, and what it checks holds for them. A
 * case is a fuzzer.
 */
#include "tests/support/cmocka_all.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define FUZZER(name) int fuzz_##name(const uint8_t *bytes, size_t size);
#include "fuzzers.inc"
#undef FUZZER

struct fuzzer {
    const char *name;
    int (*run)(const uint8_t *bytes, size_t size);
};

/* The input has no byte to spare, so that AddressSanitizer sees a read beyond it. */
static void run_seed(const struct fuzzer *fuzzer, const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(size ? size : 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, size, file), size);
    assert_int_equal(fuzzer->run(bytes, size), 0);
    free(bytes);
    fclose(file);
}

static void seeds_pass(void **state)
{
    const struct fuzzer *fuzzer = *state;
    char path[PATH_MAX];
    snprintf(path, sizeof path, FUZZ_SEEDS "/%s_seeds", fuzzer->name);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    size_t seeds = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, FUZZ_SEEDS "/%s_seeds/%s", fuzzer->name, entry->d_name);
        run_seed(fuzzer, path);
        seeds++;
    }
    closedir(folder);
    assert_true(seeds > 0);
}

#define FUZZER(name) {#name, fuzz_##name},
static struct fuzzer fuzzers[] = {
#include "fuzzers.inc"
};
#undef FUZZER

int main(void)
{
    enum { FUZZERS = sizeof fuzzers / sizeof fuzzers[0] };
    struct CMUnitTest cases[FUZZERS];
    for (size_t i = 0; i < FUZZERS; i++)
        cases[i] = (struct CMUnitTest){
            .name = fuzzers[i].name, .test_func = seeds_pass, .initial_state = &fuzzers[i]};
    return cmocka_run_group_tests(cases, NULL, NULL);
}
