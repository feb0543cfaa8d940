/* style.h - writes style sheets one after the other, without comments and needless blanks. */
#ifndef FFTD_TOOLS_PAGE_PACK_STYLE_H
#define FFTD_TOOLS_PAGE_PACK_STYLE_H

#include <stdio.h>

/* files: in folder, ended by NULL. @import, @charset and url() are refused: joining could change
 * their meaning. */
void join_styles(const char *folder, char *const *files, FILE *to);

#endif
