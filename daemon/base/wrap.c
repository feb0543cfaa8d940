/* wrap.c - breaks text between words. */
#include "daemon/base/wrap.h"

#include <string.h>

void wrap_print(FILE *out, const char *text, const char *indent, size_t column)
{
    for (const char *at = text; *at;) {
        const size_t word = strcspn(at, " ");
        if (at != text && column + 1 + word > WRAP_COLUMNS) {
            fprintf(out, "\n%s", indent);
            column = strlen(indent);
        } else if (at != text) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", (int)word, at);
        column += word;
        at += word + strspn(at + word, " ");
    }
    fputc('\n', out);
}
