/*
 * module.h - what a JavaScript module imports and exports. Known are these forms, and the module is
 * refused for any other one:
 *
 *     import { a, b as c } from './x.js';
 *     export const NAME = ...    export function NAME    export async function NAME    export class
 * NAME
 */
#ifndef FFTD_TOOLS_PAGE_PACK_MODULE_H
#define FFTD_TOOLS_PAGE_PACK_MODULE_H

#include "tools/page-pack/token.h"

enum { MODULE_MAX_PATH = 256 };

struct import {
    const struct token *first, *end;  /* the statement: from import up to after its ; */
    const struct token *names, *last; /* what is between { and }: a, b as c */
    char from[MODULE_MAX_PATH];       /* the path of the module in the folder */
};

struct module {
    struct text text;
    struct token *tokens;
    struct import *imports;
    size_t import_count;
    struct token *exports; /* their names */
    size_t export_count;
    unsigned number; /* its place in the output, from 1; 0: not yet written */
    bool visited;    /* its imports are being written, or were */
};

/* Reads FOLDER/FILE. */
struct module module_read(const char *folder, const char *file);
/* The module that an import of `reader` names. Exits if it is not there. */
struct module *module_find(struct module *modules, size_t count, const struct module *reader,
                           const struct import *import);
/* Exits, naming the place, if the module exports no such name. */
void module_require(const struct module *m, const struct token *name, const struct module *reader);
/* The name after `import->names` that begins at *at: its name and its name here. Advances *at
 * behind it. */
struct imported {
    const struct token *name, *here;
};
struct imported import_next(const struct module *m, const struct token **at);

#endif
