/* hex_words.c - parses hexadecimal words, and skips separators and comments. */
#include "studies/gpu_fft/tests/hex_words.h"

#include <ctype.h>
#include <errno.h>

/* The next character that is neither a separator nor part of a comment; EOF at the end. */
static int next_character(FILE *file)
{
    int c = getc(file);
    while (isspace(c) || c == ',' || c == '/') {
        if (c == '/' && getc(file) != '/')
            return '/';
        while (c == '/' && !feof(file) && getc(file) != '\n')
            ;
        c = getc(file);
    }
    return c;
}

int hex_words_read(FILE *file, uint32_t *words, int max)
{
    int count = 0;
    for (int c; (c = next_character(file)) != EOF; count++) {
        ungetc(c, file);
        if (count == max)
            return -E2BIG;
        if (!isdigit(c) || fscanf(file, "%x", &words[count]) != 1)
            return -EINVAL;
    }
    return count;
}
