/* out_form.c - compares lines with patterns, and finds the last lines of files. */
#include "daemon/base/out_form.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/base/file_read.h"

enum { BLOCK = 65536, ROW_MAX = 64 << 20 };

/* ---- lines ------------------------------------------------------------------------------- */

/* What is left of a line. */
struct rest {
    const char *at, *end;
};

static size_t skip_digits(struct rest *r)
{
    const char *first = r->at;
    while (r->at < r->end && isdigit((unsigned char)*r->at))
        r->at++;
    return (size_t)(r->at - first);
}

static enum out_match match_digits(struct rest *r, size_t count)
{
    for (; count > 0; count--, r->at++) {
        if (r->at == r->end)
            return OUT_BEGINS;
        if (!isdigit((unsigned char)*r->at))
            return OUT_OTHER;
    }
    return OUT_FITS;
}

static bool skip_one(struct rest *r, char c)
{
    const bool is = r->at < r->end && *r->at == c;
    r->at += is;
    return is;
}

static enum out_match match_exponent(struct rest *r)
{
    if (!skip_one(r, 'e'))
        return OUT_FITS;
    if (!skip_one(r, '-'))
        skip_one(r, '+');
    return skip_digits(r) > 0 ? OUT_FITS : r->at == r->end ? OUT_BEGINS : OUT_OTHER;
}

/* A number that the end of the line cuts may be longer. */
static enum out_match match_number(struct rest *r, char kind)
{
    const size_t decimals = kind == 'c' ? 2 : kind == 'm' ? 6 : 0;
    skip_one(r, '-');
    const size_t whole = skip_digits(r);
    if (whole == 0 || r->at == r->end)
        return r->at == r->end ? OUT_BEGINS : OUT_OTHER;
    if (kind == 'i')
        return OUT_FITS;
    const bool point = skip_one(r, '.');
    const size_t count = point ? skip_digits(r) : 0;
    if (decimals > 0)
        return count == decimals                     ? OUT_FITS
               : r->at == r->end && count < decimals ? OUT_BEGINS
                                                     : OUT_OTHER;
    if (point && r->at < r->end && (count == 0 || r->at[-1] == '0'))
        return OUT_OTHER;
    return match_exponent(r);
}

static enum out_match match_pattern(const char *pattern, struct rest r)
{
    for (; *pattern; pattern++) {
        enum out_match match = OUT_FITS;
        if (*pattern == '%' && isdigit((unsigned char)pattern[1]))
            match = match_digits(&r, (size_t)(*++pattern - '0'));
        else if (*pattern == '%')
            match = match_number(&r, *++pattern);
        else if (!skip_one(&r, *pattern))
            match = r.at == r.end ? OUT_BEGINS : OUT_OTHER;
        if (match != OUT_FITS)
            return match;
    }
    return OUT_FITS;
}

/*
 * The steps of rtl_power's form are exact, those of hackrf_sweep's are rounded to 0.01 Hz: few of
 * these divide the span. The columns have twelve digits.
 */
static bool has_whole_steps(const char *line, size_t length)
{
    char start[256];
    double low, high, step;
    snprintf(start, sizeof start, "%.*s", (int)(length < 255 ? length : 255), line);
    if (sscanf(start, "%*[^,], %*[^,], %lg, %lg, %lg", &low, &high, &step) != 3 || !(step > 0))
        return false;
    const double steps = (high - low) / step;
    const double rounding = (fabs(low) + fabs(high) + step) * 1e-11 / step + steps * 1e-11;
    return fabs(steps - round(steps)) <= rounding;
}

enum out_match out_form_match(const struct out_form *form, const char *line, size_t length)
{
    enum out_match best = OUT_OTHER;
    for (int i = 0; i < OUT_FORM_PATTERNS && form->pattern[i]; i++) {
        const enum out_match match =
            match_pattern(form->pattern[i], (struct rest){line, line + length});
        best = match > best ? match : best;
    }
    if (best == OUT_FITS && form->whole_steps && !has_whole_steps(line, length))
        return OUT_OTHER;
    if (best == OUT_FITS && form->member &&
        !memmem(line, length, form->member, strlen(form->member)))
        return OUT_BEGINS; /* of a whole row: another one */
    return best;
}

/* ---- files ------------------------------------------------------------------------------- */

/* The first bytes of a line. */
struct window {
    char bytes[OUT_FORM_WINDOW];
    size_t length; /* without \n */
    bool ended;    /* with \n, or longer */
};

static int read_line(int fd, uint64_t at, struct window *w)
{
    const int err = file_read_at(fd, at, w->bytes, sizeof w->bytes, &w->length);
    const char *end = err == 0 ? memchr(w->bytes, '\n', w->length) : NULL;
    w->ended = end || w->length == sizeof w->bytes;
    if (end)
        w->length = (size_t)(end - w->bytes);
    return err;
}

/* The beginning of the line that contains the byte before `end`: after the \n before it, or 0. */
static int find_line(int fd, uint64_t end, uint64_t *line)
{
    char block[BLOCK];
    for (uint64_t at = end; at > 0 && end - at < ROW_MAX;) {
        const size_t want = at < BLOCK ? (size_t)at : BLOCK;
        size_t done;
        at -= want;
        const int err = file_read_at(fd, at, block, want, &done);
        const char *found = err == 0 ? memrchr(block, '\n', done) : NULL;
        if (err < 0 || found || at == 0) {
            *line = found ? at + (uint64_t)(found + 1 - block) : 0;
            return err;
        }
    }
    *line = 0;
    return end == 0 ? 0 : -EEXIST; /* no row is so long */
}

static int match_row(const struct out_form *form, const struct window *w)
{
    const enum out_match match = out_form_match(form, w->bytes, w->length);
    return match == OUT_FITS || (match == OUT_BEGINS && !w->ended) ? 0 : -EEXIST;
}

static int match_head(const char *head, const struct window *w)
{
    const size_t length = strlen(head);
    if (w->length > length || (w->ended && w->length < length))
        return -EEXIST;
    return memcmp(w->bytes, head, w->length) == 0 ? 0 : -EEXIST;
}

static int match_start(const struct out_form *form, int fd, struct window *w)
{
    int err = read_line(fd, 0, w);
    if (err < 0 || !form->head)
        return err < 0 ? err : match_row(form, w);
    err = match_head(form->head, w);
    if (err < 0 || !w->ended)
        return err;
    err = read_line(fd, w->length + 1, w);
    return err < 0 || (w->length == 0 && !w->ended) ? err : match_row(form, w);
}

/* Zeros follow where a machine lost its power before the rows were on the disk. */
static void trim_zeros(struct window *w)
{
    const char *zero = memchr(w->bytes, '\0', w->length);
    if (zero && !zero[w->length - 1 - (size_t)(zero - w->bytes)])
        w->length = (size_t)(zero - w->bytes);
}

/* A row, or the head. */
static int match_line(const struct out_form *form, uint64_t at, const struct window *w)
{
    return at == 0 && form->head ? match_head(form->head, w) : match_row(form, w);
}

/* What follows the last whole row. */
static int match_unfinished(const struct out_form *form, int fd, uint64_t at, struct window *w)
{
    const int err = read_line(fd, at, w);
    if (err < 0)
        return err;
    trim_zeros(w);
    return w->length > 0 ? match_line(form, at, w) : 0;
}

static int match_last(const struct out_form *form, int fd, uint64_t whole, struct window *w)
{
    uint64_t at;
    int err = find_line(fd, whole - 1, &at);
    if (err == 0)
        err = read_line(fd, at, w);
    return err < 0 ? err : match_line(form, at, w);
}

int out_form_examine(const struct out_form *form, int fd, uint64_t *whole)
{
    struct window w;
    struct stat st;
    *whole = 0;
    if (fstat(fd, &st) < 0)
        return -errno;
    if (st.st_size == 0)
        return 0;
    int err = match_start(form, fd, &w);
    if (err == 0)
        err = find_line(fd, (uint64_t)st.st_size, whole); /* after the last \n */
    if (err == 0 && *whole < (uint64_t)st.st_size)
        err = match_unfinished(form, fd, *whole, &w);
    return err == 0 && *whole > 0 ? match_last(form, fd, *whole, &w) : err;
}
