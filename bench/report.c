/* report.c - prints rows. */
#include "bench/report.h"

#include <stdio.h>

void report_begin(bool json)
{
    if (json)
        printf("[");
    else
        printf("%8s %-8s %-6s %7s %9s %9s %6s %9s %9s %9s\n", "n", "engine", "format", "threads",
               "MS/s", "ref MS/s", "ratio", "error", "ref error", "bound");
}

static void print_json(const struct row *r)
{
    printf(
        "{\"n\":%u,\"hop\":%u,\"engine\":\"%s\",\"what\":\"%s\",\"format\":\"%s\",\"threads\":%u,"
        "\"msps\":%.2f,",
        r->n, r->hop, r->engine, r->what, r->format, r->threads, r->msps);
    if (r->ref)
        printf("\"ref\":\"%s\",\"ref_msps\":%.2f,\"ratio\":%.3f,\"ref_rel_error\":%.3g,", r->ref,
               r->ref_msps, r->msps / r->ref_msps, r->ref_rel_error);
    else
        printf("\"ref\":null,\"ref_msps\":null,\"ratio\":null,\"ref_rel_error\":null,");
    printf("\"rel_error\":%.3g,\"bound_msps\":%.2f}", r->rel_error, r->bound_msps);
}

static void print_text(const struct row *r)
{
    printf("%8u %-8s %-6s %7u %9.1f ", r->n, r->engine, r->format, r->threads, r->msps);
    if (r->ref)
        printf("%9.1f %6.2f %9.2e %9.2e", r->ref_msps, r->msps / r->ref_msps, r->rel_error,
               r->ref_rel_error);
    else
        printf("%9s %6s %9.2e %9s", "-", "-", r->rel_error, "-");
    printf(" %9.1f\n", r->bound_msps);
}

void report_row(bool json, const struct row *row, bool first)
{
    if (json) {
        printf("%s\n  ", first ? "" : ",");
        print_json(row);
    } else {
        print_text(row);
    }
    fflush(stdout);
}

void report_end(bool json)
{
    if (json)
        printf("\n]\n");
}
