/* out_form.c - compares lines with patterns, and finds the last lines of files. */
#include "daemon/files/out_form.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/files/file_read.h"

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

/* The columns of CSV that say where its levels lie. */
struct span {
    double low, high, step;
};

/* After the date and the time. */
static bool read_span(const char *line, size_t length, struct span *s)
{
    char start[256];
    double *const values[] = {&s->low, &s->high, &s->step};
    snprintf(start, sizeof start, "%.*s", (int)(length < 255 ? length : 255), line);
    char *at = strchr(start, ',');
    at = at ? strchr(at + 1, ',') : NULL;
    for (int i = 0; i < 3; i++) {
        if (!at || *at != ',')
            return false;
        const char *first = at + 1;
        *values[i] = strtod(first, &at);
        if (at == first)
            return false;
    }
    return true;
}

/*
 * The steps of rtl_power's form are exact, those of hackrf_sweep's are rounded to 0.01 Hz: few of
 * these divide the span. The columns have twelve digits.
 */
static bool has_whole_steps(const struct span *s)
{
    const double steps = (s->high - s->low) / s->step;
    const double rounding =
        (fabs(s->low) + fabs(s->high) + s->step) * 1e-11 / s->step + steps * 1e-11;
    return s->step > 0 && fabs(steps - round(steps)) <= rounding;
}

/* The rows of hackrf_sweep's form have one bin, or more in at most 5 MHz. */
static bool is_piece(const struct span *s)
{
    const double piece_hz = 5e6, rounding_hz = 1, wide = s->high - s->low;
    return wide > -rounding_hz && wide <= fmax(piece_hz, s->step) + rounding_hz;
}

static bool fits_span(enum out_levels levels, const char *line, size_t length)
{
    struct span s;
    if (levels == OUT_LEVELS_UNKNOWN)
        return true;
    return read_span(line, length, &s) &&
           (levels == OUT_LEVELS_EXACT ? has_whole_steps(&s) : is_piece(&s));
}

/* Rounded columns say how many levels there are within a few. */
static bool fits_count(enum out_levels levels, const char *line, size_t length, uint64_t count)
{
    struct span s;
    if (!read_span(line, length, &s) || !(s.step > 0))
        return levels != OUT_LEVELS_EXACT; /* 0.00: finer than the rounding */
    const double steps = (s.high - s.low) / s.step;
    const double rounding = levels == OUT_LEVELS_EXACT ? 0.5 : 0.5 + (1 + steps * 0.005) / s.step;
    return fabs(steps - (double)count) <= rounding;
}

enum out_match out_form_match(const struct out_form *form, const char *line, size_t length)
{
    enum out_match best = OUT_OTHER;
    for (int i = 0; i < OUT_FORM_PATTERNS && form->pattern[i]; i++) {
        const enum out_match match =
            match_pattern(form->pattern[i], (struct rest){line, line + length});
        best = match > best ? match : best;
    }
    if (best == OUT_FITS && !fits_span(form->levels, line, length))
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

/* Bytes `what` in the rest of the line. Of a line that is too long, those of 64 MiB. */
static int count_in_line(int fd, uint64_t at, char what, uint64_t *count)
{
    char block[BLOCK];
    *count = 0;
    for (uint64_t done = 0; done < ROW_MAX;) {
        size_t got;
        const int err = file_read_at(fd, at + done, block, sizeof block, &got);
        if (err < 0 || got == 0)
            return err;
        for (size_t i = 0; i < got; i++) {
            if (block[i] == '\n')
                return 0;
            *count += block[i] == what;
        }
        done += got;
    }
    return 0;
}

static int match_head(const char *head, const struct window *w)
{
    const size_t length = strlen(head);
    return w->length == length && memcmp(w->bytes, head, length) == 0 ? 0 : -EEXIST;
}

/* A whole row, or the head, at this place. */
static int match_line(const struct out_form *form, int fd, uint64_t at, const struct window *w)
{
    enum { COLUMNS = 6 }; /* before the levels */
    uint64_t commas;
    if (!w->ended)
        return -EEXIST;
    if (at == 0 && form->head)
        return match_head(form->head, w);
    if (out_form_match(form, w->bytes, w->length) != OUT_FITS)
        return -EEXIST;
    if (form->levels == OUT_LEVELS_UNKNOWN)
        return 0;
    const int err = count_in_line(fd, at, ',', &commas);
    if (err < 0)
        return err;
    return fits_count(form->levels, w->bytes, w->length, commas + 1 - COLUMNS) ? 0 : -EEXIST;
}

/* The beginning of a row. */
static int match_part(const struct out_form *form, const struct window *w)
{
    return out_form_match(form, w->bytes, w->length) != OUT_OTHER ? 0 : -EEXIST;
}

/* Zeros follow where a machine lost its power before the rows were on the disk. */
static void trim_zeros(struct window *w)
{
    while (w->length > 0 && w->bytes[w->length - 1] == '\0')
        w->length--;
}

/* Nothing but zeros from here on. */
static int match_zeros(int fd, uint64_t at)
{
    char block[BLOCK];
    for (size_t got = 1; got > 0; at += got) {
        const int err = file_read_at(fd, at, block, sizeof block, &got);
        if (err < 0)
            return err;
        for (size_t i = 0; i < got; i++)
            if (block[i])
                return -EEXIST;
    }
    return 0;
}

/* What follows the last whole row: less than 64 MiB. */
static int match_unfinished(const struct out_form *form, int fd, uint64_t at, struct window *w)
{
    const int err = read_line(fd, at, w);
    if (err < 0)
        return err;
    const size_t length = w->length;
    trim_zeros(w);
    if (w->length == 0)
        return match_zeros(fd, at);
    if (w->length < length) {
        const int zeros = match_zeros(fd, at + w->length);
        if (zeros < 0)
            return zeros;
    }
    return match_part(form, w);
}

static int match_at(const struct out_form *form, int fd, uint64_t at, struct window *w)
{
    const int err = read_line(fd, at, w);
    return err < 0 ? err : match_line(form, fd, at, w);
}

/* After the head. */
static int match_second(const struct out_form *form, int fd, uint64_t whole, struct window *w)
{
    const uint64_t at = strlen(form->head) + 1;
    return at < whole ? match_at(form, fd, at, w) : 0;
}

static int match_last(const struct out_form *form, int fd, uint64_t whole, struct window *w)
{
    uint64_t at;
    const int err = find_line(fd, whole - 1, &at);
    return err < 0 ? err : match_at(form, fd, at, w);
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
    int err = match_at(form, fd, 0, &w);
    if (err == 0)
        err = find_line(fd, (uint64_t)st.st_size, whole); /* after the last \n */
    if (err == 0 && *whole == 0)
        return -EEXIST; /* without a whole row it may be anything */
    if (err == 0 && form->head)
        err = match_second(form, fd, *whole, &w);
    if (err == 0 && *whole < (uint64_t)st.st_size)
        err = match_unfinished(form, fd, *whole, &w);
    return err == 0 ? match_last(form, fd, *whole, &w) : err;
}

/* ---- the beginning of a first row -------------------------------------------------------- */

static bool begins_first_line(const struct out_form *form, const struct window *w)
{
    if (w->length == 0)
        return false;
    if (form->head)
        return w->length <= strlen(form->head) && memcmp(w->bytes, form->head, w->length) == 0;
    return out_form_match(form, w->bytes, w->length) != OUT_OTHER;
}

/* No line ends in the file, and nothing but zeros is after its first zero. */
static bool is_one_line(int fd)
{
    char block[BLOCK];
    bool zeros = false;
    size_t got = 1;
    for (uint64_t at = 0; got > 0; at += got) {
        if (at >= ROW_MAX || file_read_at(fd, at, block, sizeof block, &got) < 0 ||
            memchr(block, '\n', got))
            return false;
        for (size_t i = 0; i < got; i++) {
            if (zeros && block[i])
                return false;
            zeros = zeros || !block[i];
        }
    }
    return true;
}

bool out_form_is_first_part(const struct out_form *form, int fd)
{
    struct window w;
    if (read_line(fd, 0, &w) < 0)
        return false;
    trim_zeros(&w);
    return begins_first_line(form, &w) && is_one_line(fd);
}
