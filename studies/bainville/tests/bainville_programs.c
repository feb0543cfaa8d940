/* bainville_programs.c - writes the texts of all kernels after Bainville's document. */
#include "studies/bainville/tests/bainville_programs.h"

#include <stdio.h>
#include <stdlib.h>

#include "studies/bainville/chain_kernels.h"

static void write_text(const char *folder, const char *name, const struct bainville_text *t)
{
    char path[4096], *text = ocl_text(t->files, t->defines);
    snprintf(path, sizeof path, "%s/%s.cl", folder, name);
    FILE *out = fopen(path, "w");
    if (!out || !text || fputs(text, out) < 0 || fclose(out) != 0) {
        perror(path);
        exit(1);
    }
    free(text);
}

int bainville_write_programs(const char *folder)
{
    struct bainville_text text;
    char name[100];
    for (unsigned i = 0; i < BAINVILLE_METHODS * 2; i++) {
        const struct bainville_switches s = {.method = (enum bainville_method)(i / 2),
                                             .mad = i % 2};
        for (int k = 0; k < BAINVILLE_KERNELS; k++) {
            bainville_pass_text((enum bainville_kernel)k, &s, &text);
            snprintf(name, sizeof name, "%s%s_%d_%d",
                     k == BAINVILLE_RADIX16_ARRAY ? "private_" : "", text.files[3], s.method,
                     s.mad);
            write_text(folder, name, &text);
        }
        for (uint32_t radix = 2; radix <= 32; radix *= 2) {
            const struct bainville_group_form f = {radix & 0xa, radix, radix * radix};
            bainville_group_text(&f, &s, &text);
            snprintf(name, sizeof name, "%s%u_%d_%d", text.files[2], radix, s.method, s.mad);
            write_text(folder, name, &text);
        }
    }
    return 0;
}
