/*
 * token.h - the tokens of a JavaScript module (ECMAScript 2024, clause 12). Whether a "/" divides
 * or begins a regular expression follows from the tokens before it; where only a parser could say,
 * the module is refused.
 */
#ifndef FFTD_TOOLS_PAGE_PACK_TOKEN_H
#define FFTD_TOOLS_PAGE_PACK_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/page-pack/text.h"

enum { TOKEN_MAX_DEPTH = 256 }; /* of brackets */

enum token_kind {
    TOKEN_WORD, /* names, keywords, private names with their # */
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_TEMPLATE, /* `...`, or one of its parts: `...${   }...${   }...` */
    TOKEN_REGEX,
    TOKEN_PUNCTUATOR,
    TOKEN_END /* after the last one */
};

struct token {
    enum token_kind kind;
    const char *text; /* in the module */
    size_t size;
    bool gap;       /* blanks, line breaks or comments are before it */
    bool new_line;  /* a line break is among them */
    unsigned depth; /* brackets open around it; a bracket is outside itself */
};

/* All tokens of a module, and one of kind TOKEN_END. */
struct token *token_list(const struct text *text);
bool token_is(const struct token *token, const char *text);

#endif
