/*
 * writer.h - writes tokens of JavaScript with as few blanks as possible. A line break stays where
 * it may end a statement, as a single one; a blank stays where two tokens would become others.
 */
#ifndef FFTD_TOOLS_PAGE_PACK_WRITER_H
#define FFTD_TOOLS_PAGE_PACK_WRITER_H

#include <stdio.h>

#include "tools/page-pack/token.h"

struct writer {
    FILE *to;
    const struct token *before; /* the newest token; NULL after other text */
};

void writer_put(struct writer *w, const struct token *token);
/* Leaves a token out. What follows `next` keeps the blanks that are before the left-out one. */
void writer_skip(const struct token *left_out, struct token *next);

#endif
