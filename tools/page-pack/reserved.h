/* reserved.h - words that have a meaning of their own in JavaScript or in browsers. */
#ifndef FFTD_TOOLS_PAGE_PACK_RESERVED_H
#define FFTD_TOOLS_PAGE_PACK_RESERVED_H

#include "tools/page-pack/token.h"

/* Keywords, and the global functions and objects of browsers. Constructors are not among them: they
 * begin with a capital. */
bool reserved_word(const struct token *word);

#endif
