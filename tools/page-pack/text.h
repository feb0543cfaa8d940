/*
 * text.h - texts of page-pack: files as a whole, and refusals. The program ends at the first
 * refusal, so nothing is freed.
 */
#ifndef FFTD_TOOLS_PAGE_PACK_TEXT_H
#define FFTD_TOOLS_PAGE_PACK_TEXT_H

#include <stddef.h>

struct text {
    const char *name;        /* for refusals */
    const char *begin, *end; /* *end is 0 */
};

/* Reads FOLDER/FILE. */
struct text text_read(const char *folder, const char *file);
/* Memory for count objects, zeroed. */
void *text_allocate(size_t count, size_t size);
/* Frees all of it, and the files. */
void text_free_all(void);

/* Writes "NAME:LINE: ..." of the place `at` to stderr, and exits with status 1. at: NULL: without a
 * line. */
_Noreturn void text_refuse(const struct text *text, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
