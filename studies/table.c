/* table.c - prints tables as text or JSON. */
#include "studies/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void tables_begin(struct tables *t, bool json)
{
    *t = (struct tables){.json = json};
    if (json)
        printf("[");
}

void tables_end(struct tables *t)
{
    if (t->json)
        printf("\n]\n");
}

static int width(const char *column)
{
    const int length = (int)strlen(column);
    return length > 10 ? length : 10;
}

void table_open(struct tables *t, const char *name, const char *said, const char *const *columns)
{
    t->name = name;
    t->columns = columns;
    if (t->json)
        return;
    printf("\n%s\n%s\n\n", name, said);
    for (uint32_t i = 0; columns[i]; i++)
        printf("%s%*s", i ? "  " : "", i ? width(columns[i]) : -24, columns[i]);
    printf("\n");
}

static void print_json(struct tables *t, const struct cell *cells)
{
    printf("%s\n  {\"table\":\"%s\"", t->rows ? "," : "", t->name);
    for (uint32_t i = 0; t->columns[i]; i++) {
        printf(",\"%s\":", t->columns[i]);
        if (cells[i].text)
            printf("\"%s\"", cells[i].text);
        else if (!isfinite(cells[i].number))
            printf("null");
        else
            printf("%.*g", cells[i].digits, cells[i].number);
    }
    printf("}");
}

static void print_text(const struct tables *t, const struct cell *cells)
{
    for (uint32_t i = 0; t->columns[i]; i++) {
        char text[100] = "-";
        if (cells[i].text)
            snprintf(text, sizeof text, "%s", cells[i].text);
        else if (isfinite(cells[i].number))
            snprintf(text, sizeof text, "%.*g", cells[i].digits, cells[i].number);
        printf("%s%*s", i ? "  " : "", i ? width(t->columns[i]) : -24, text);
    }
    printf("\n");
}

void table_row(struct tables *t, const struct cell *cells)
{
    if (t->json)
        print_json(t, cells);
    else
        print_text(t, cells);
    t->rows++;
    fflush(stdout);
}
