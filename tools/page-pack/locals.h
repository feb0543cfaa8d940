/*
 * locals.h - the words by which functions and blocks of a JavaScript module declare names:
 * variables, parameters, functions and classes. Scopes are not told apart, but parts of the module
 * are: what a part declares inside brackets no other part can see. Whoever renames such a word
 * renames it in the whole part, so that each name still stands for the same thing.
 */
#ifndef FFTD_TOOLS_PAGE_PACK_LOCALS_H
#define FFTD_TOOLS_PAGE_PACK_LOCALS_H

#include "tools/page-pack/role.h"

struct local {
    unsigned
        part; /* of the token, from 1: a declaration of the module, or a member of its classes */
    bool declared; /* the token declares a name */
};

/*
 * tokens, roles: of a module, up to TOKEN_END. Returns one struct for each token. In default values
 * of parameters, words that declare nothing may count too. Words that have a meaning of their own
 * in JavaScript or in browsers never do: elsewhere in the part they may stand for that.
 */
struct local *locals_find(const struct token *tokens, const enum role *roles);

#endif
