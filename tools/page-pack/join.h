/*
 * join.h - joins JavaScript modules into one, in the order in which a browser evaluates them. They
 * share one scope: names.h gives what they declare outside functions names that differ.
 *
 * A module gets the values that exist when the ones that it imports have run. That is what a
 * browser does too, as long as no modules import each other in a circle and none exports a variable
 * that changes: both are refused.
 */
#ifndef FFTD_TOOLS_PAGE_PACK_JOIN_H
#define FFTD_TOOLS_PAGE_PACK_JOIN_H

#include <stdbool.h>
#include <stdio.h>

/*
 * files: in folder, ended by NULL; the first one is the page's, and imports others in turn. all: it
 * has to need every one of them; else those that it does not need are left out.
 */
void join_modules(const char *folder, char *const *files, bool all, FILE *to);

#endif
