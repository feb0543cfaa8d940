/* passes.c - emulates the launches of a planned pass. */
#include "tests/support/cuda/passes.h"

#include <stdlib.h>
#include <string.h>

#include "emulate/cuda/emulate.h"
#include "tests/support/cmocka_all.h"

enum { ALIGN = 256 };

static void *take(size_t bytes)
{
    void *memory = aligned_alloc(ALIGN, (bytes + 2 * ALIGN - 1) / ALIGN * ALIGN);
    assert_non_null(memory);
    return memory;
}

uint32_t emulate_pass(const struct cuda_pass *p, const struct engine_pass *pass, const void *in,
                      void *out)
{
    struct cuda_launch launch;
    uint32_t launches = 0;
    void *tables = take(p->tables_bytes), *scratch = take(p->scratch_bytes);
    cuda_pass_tables(p, tables);
    memset(scratch, 0xff, p->scratch_bytes);
    const struct cuda_pass_memory memory = {(uintptr_t)in, (uintptr_t)out, (uintptr_t)tables,
                                            (uintptr_t)scratch};
    for (; cuda_pass_launch(p, &memory, pass->rows[0].count, launches, &launch); launches++) {
        const char *error = emulate_launch(&launch);
        if (error)
            fail_msg("%s, n %u: %s", launch.kernel, pass->n, error);
    }
    free(scratch);
    free(tables);
    return launches;
}
