/* report.c - prints rows of results as text or JSON. */
#include "bench/report.h"

#include <stdio.h>

enum { SHAPE_TEXT = 40 };

static uint64_t points(const struct shape *s)
{
    uint64_t n = 1;
    for (uint32_t axis = 0; axis < s->rank; axis++)
        n *= s->n[axis];
    return n;
}

static const char *shape_text(const struct shape *s, char text[SHAPE_TEXT])
{
    int used = 0;
    for (uint32_t axis = 0; axis < s->rank; axis++)
        used +=
            snprintf(text + used, (size_t)(SHAPE_TEXT - used), "%s%u", axis ? "x" : "", s->n[axis]);
    return text;
}

void report_begin(struct report *r, bool json)
{
    *r = (struct report){.json = json};
    if (json)
        printf("[");
    else
        printf("%11s %-8s %-8s %-6s %7s %9s %9s %6s %9s %9s %9s\n", "n", "engine", "what", "format",
               "threads", "MS/s", "ref MS/s", "ratio", "error", "ref error", "bound");
}

static void print_json(const struct row *row)
{
    char shape[SHAPE_TEXT];
    printf("{\"n\":%llu,\"shape\":\"%s\",\"engine\":\"%s\",\"what\":\"%s\",\"format\":\"%s\","
           "\"threads\":%u,%s\"msps\":%.2f,",
           (unsigned long long)points(&row->shape), shape_text(&row->shape, shape), row->engine,
           row->what, row->format, row->threads, row->detail, row->msps);
    if (row->ref)
        printf("\"ref\":\"%s\",\"ref_msps\":%.2f,\"ratio\":%.3f,\"ref_rel_error\":%.3g,", row->ref,
               row->ref_msps, row->msps / row->ref_msps, row->ref_error);
    else
        printf("\"ref\":null,\"ref_msps\":null,\"ratio\":null,\"ref_rel_error\":null,");
    printf("\"rel_error\":%.3g,\"bound_msps\":%.2f}", row->error, row->bound_msps);
}

static void print_text(const struct row *row)
{
    char shape[SHAPE_TEXT];
    printf("%11s %-8s %-8s %-6s %7u %9.1f ", shape_text(&row->shape, shape), row->engine, row->what,
           row->format, row->threads, row->msps);
    if (row->ref)
        printf("%9.1f %6.2f %9.2e %9.2e", row->ref_msps, row->msps / row->ref_msps, row->error,
               row->ref_error);
    else
        printf("%9s %6s %9.2e %9s", "-", "-", row->error, "-");
    printf(" %9.1f\n", row->bound_msps);
}

void report_row(struct report *r, const struct row *row)
{
    if (r->json) {
        printf("%s\n  ", r->rows ? "," : "");
        print_json(row);
    } else {
        print_text(row);
    }
    r->rows++;
    fflush(stdout);
}

void report_end(struct report *r)
{
    if (r->json)
        printf("\n]\n");
}
