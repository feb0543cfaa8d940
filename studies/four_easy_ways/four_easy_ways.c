/* four_easy_ways.c - the document's list of tables, the machine's table, and the general radix. */
#include "studies/four_easy_ways/four_easy_ways.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/four_easy_ways/once.h"

static void cpu_name(char *name, size_t size)
{
    char line[300];
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown processor");
    while (f && fgets(line, sizeof line, f)) {
        const char *value = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (value) {
            snprintf(name, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
            break;
        }
    }
    if (f)
        fclose(f);
}

static int print_machine(struct study *s)
{
    static const char *const columns[] = {"what", "here", NULL};
    char cpu[120];
    cpu_name(cpu, sizeof cpu);
    table_open(
        &s->tables, "machine",
        "L. R. Mullin and S. G. Small, \"Four Easy Ways to a Faster FFT\", 2002: an SGI Origin "
        "2000 (195 MHz),\nan IBM SP-2 (160 MHz), a SUN SPARCserver 1000E (60 MHz) and a SUN 20 "
        "(50 MHz).",
        columns);
    table_row(&s->tables, (struct cell[]){CELL_TEXT("processor"), CELL_TEXT(cpu)});
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT("engine"), CELL_TEXT(fft_engine_describe(s->engine))});
    table_row(&s->tables,
              (struct cell[]){CELL_TEXT("FFTW"), CELL_TEXT(s->fftw ? s->fftw->name : "none")});
    return 0;
}

const struct study_document study_four_easy_ways = {
    .name = "four-easy-ways",
    .title = "L. R. Mullin and S. G. Small, Four Easy Ways to a Faster FFT (2002)",
    .measures = true,
    .check = study_check_sizes,
    .once = study_once,
    .tables = {{"machine", print_machine},
               {"ladder", study_ladder},
               {"share", study_share},
               {"radix", study_radix},
               {"curves", study_curves},
               {"streams", study_streams},
               {"tlb", study_tlb},
               {"model", study_model},
               {"faults", study_faults},
               {"doubling", study_doubling},
               {"plan", study_plan},
               {"table-1", study_table_1},
               {"table-2", study_table_2},
               {"table-3", study_table_3},
               {"largest", study_largest_sizes},
               {"libraries", study_libraries},
               {"size", study_size},
               {"padding", study_padding}},
};

/* ---- a general radix at work ------------------------------------------------------------- */

enum { APART = 40 /* points: so that the arrays do not start in the same set of a cache */ };

int study_general_init(struct study_general *g, uint32_t n, uint32_t base, bool huge)
{
    struct radices radices;
    *g = (struct study_general){0};
    if (!fft_radix_factor(&radices, n, (const uint32_t[]){base, 0}))
        return -EINVAL;
    for (int i = 0; i < 2; i++)
        if (pages_map(&g->memory[i], n * sizeof *g->from, huge) < 0)
            return -ENOMEM;
    g->from = g->memory[0].at;
    g->to = (struct fft_iq *)g->memory[1].at + APART;
    noise_fill(g->from, n);
    memset(g->to, 0, n * sizeof *g->to); /* long work runs once: without page faults */
    return fft_general_init(&g->general, &radices);
}

void study_general_finish(struct study_general *g)
{
    fft_general_finish(&g->general);
    pages_unmap(&g->memory[0]);
    pages_unmap(&g->memory[1]);
}

void study_general_run(void *study_general)
{
    const struct study_general *g = study_general;
    fft_general_fft(&g->general, g->from, 1, g->to, false);
}

double study_general_seconds(const struct study *s, uint32_t n, uint32_t base, double *error)
{
    struct study_general g;
    double seconds = NAN;
    if (study_general_init(&g, n, base, false) == 0) {
        seconds = study_seconds(s, study_general_run, &g);
        if (error)
            *error = noise_transform_error(g.from, g.to, n);
    }
    study_general_finish(&g);
    return seconds;
}
