/*
 * names.h - short names for joined modules. What a module declares outside functions gets a name
 * that no module contains, and those that import it use that one. So all modules can share one
 * scope. What functions and blocks declare (locals.h), and each private name, gets a short name
 * too.
 */
#ifndef FFTD_TOOLS_PAGE_PACK_NAMES_H
#define FFTD_TOOLS_PAGE_PACK_NAMES_H

#include "tools/page-pack/module.h"

/* Changes the tokens of all modules, except for those of their imports. */
void names_shorten(struct module *modules, size_t count);

#endif
