/* figure_report.h - writes the figures of a table as JSON and as metrics. Pure; any thread. */
#ifndef FFTD_DAEMON_FIGURE_FIGURE_REPORT_H
#define FFTD_DAEMON_FIGURE_FIGURE_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/figure/figure.h"

/* A new object; NULL: no memory. */
json_t *figures_to_json(const struct figure *rows, const void *of);
/* The same if `on`, else null: this part is not there. */
json_t *figures_to_json_if(bool on, const struct figure *rows, const void *of);
/* Adds the keys to an object. */
void figures_add_json(json_t *object, const struct figure *rows, const void *of);

/* A family for each metric of the rows. */
void figures_write(const struct metric_writer *m, const struct figure *rows, const void *of);

/* One of several of a kind, as outputs are. */
struct figure_item {
    const char *name; /* the value of the label; NULL: it is left out */
    const void *of;
};
/* A family for each metric of the rows, with a sample of each item. Rows without arrays. */
void figures_write_items(const struct metric_writer *m, const struct figure *rows,
                         const char *label, const struct figure_item *items, size_t count);

#endif
