/*
 * role.h - what a word of a JavaScript module stands for. It follows from the brackets around the
 * word and the tokens beside it; where only a parser could say, the module is refused.
 */
#ifndef FFTD_TOOLS_PAGE_PACK_ROLE_H
#define FFTD_TOOLS_PAGE_PACK_ROLE_H

#include "tools/page-pack/token.h"

enum role {
    ROLE_NAME,      /* of a variable, function or class, or a keyword */
    ROLE_KEY,       /* a.key, { key: a }, class { key() {} key = a; } */
    ROLE_SHORTHAND, /* { a }: a key and a name at once */
};

/* Of each token up to TOKEN_END; means something for words alone. text: for refusals. */
enum role *role_list(const struct text *text, const struct token *tokens);

#endif
