/*
 * main.c - page-pack: makes few small files of the page's many.
 *
 *     page-pack script FOLDER MAIN.js FILE.js...   joins the module MAIN.js and all others
 *     page-pack part FOLDER MAIN.js FILE.js...     joins those that MAIN.js needs
 *     page-pack style FOLDER FILE.css...           joins style sheets
 *
 * Writes to standard output. Comments and needless blanks are left out. A text that it does not
 * know for certain is refused in one line, with exit status 1.
 */
#include <string.h>

#include "tools/page-pack/join.h"
#include "tools/page-pack/style.h"
#include "tools/page-pack/text.h"

int main(int argc, char **argv)
{
    const char *kind = argc > 3 ? argv[1] : "";
    if (strcmp(kind, "script") == 0 || strcmp(kind, "part") == 0) {
        join_modules(argv[2], argv + 3, strcmp(kind, "script") == 0, stdout);
    } else if (strcmp(kind, "style") == 0) {
        join_styles(argv[2], argv + 3, stdout);
    } else {
        fputs("usage: page-pack script|part|style FOLDER FILE...\n", stderr);
        return 2;
    }
    text_free_all();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("page-pack: standard output");
        return 1;
    }
    return 0;
}
