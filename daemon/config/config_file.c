/*
 * config_file.c - reads the configuration file with inih.
 *
 * inih reads lines through the reader below. The reader counts lines and refuses what inih would
 * cut or misread silently: long lines, NULs, and text after the name of a section. It strips
 * indentation, which inih would take as a continuation.
 */
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/si.h"
#include "daemon/config/loader.h"
#include "daemon/config/option_table.h"
#include "daemon/files/text_file.h"
#include "daemon/system/named_file.h"

enum {
    FILE_BYTES_MAX = 1 << 20,
    LINE_MAX_CHARS = 197
}; /* inih's buffer of 200 less "\r\n" and NUL */

struct reader {
    struct config_loader *l;
    FILE *file;
    char section[64]; /* for messages */
    bool in_text;     /* the section is [measure NAME] or the like, of this kind */
    enum text_kind kind;
    int err; /* of the key that ended parsing */
};

static int fail_line(struct config_loader *l, const char *what)
{
    return config_fail(l, "%s:%d: %s", l->file, l->line, what);
}

/* One line without its end. 1, 0 at the end of the file, or -EINVAL. */
static int read_raw(struct reader *r, char line[LINE_MAX_CHARS + 1])
{
    int length = 0, byte;
    r->l->line++;
    while ((byte = getc(r->file)) != EOF && byte != '\n') {
        if (byte == '\0')
            return fail_line(r->l, "NUL byte: not a text file");
        if (length == LINE_MAX_CHARS)
            return fail_line(r->l, "line is longer than 197 characters");
        line[length++] = (char)byte;
    }
    if (ferror(r->file))
        return config_fail(r->l, "%s: cannot read: %s", r->l->file, strerror(errno));
    line[length] = '\0';
    return length > 0 || byte == '\n';
}

static int fail_section(struct reader *r)
{
    char location[512];
    snprintf(location, sizeof location, "%s:%d", r->l->file, r->l->line);
    return config_fail_section(r->l, location, r->section);
}

/* Checks "[name]", with an optional comment after it. */
static int check_section(struct reader *r, const char *line)
{
    const char *name = line + 1;
    const size_t length = strcspn(name, "]");
    if (!name[length])
        return fail_line(r->l, "section without its closing ']'");
    const char *rest = name + length + 1 + strspn(name + length + 1, " \t\r");
    if (*rest && *rest != ';' && *rest != '#')
        return fail_line(r->l, "text after the section's name");
    snprintf(r->section, sizeof r->section, "%.*s", (int)(length < 60 ? length : 60), name);
    const char *named = config_text_section(r->section, &r->kind);
    r->in_text = named && *named;
    if (r->in_text) {
        r->err = config_begin_text(r->l, r->kind, named);
        return r->err;
    }
    if (!option_is_section(r->section))
        return fail_section(r);
    return 0;
}

/* The reader for inih, like fgets. NULL ends parsing. */
static char *next_line(char *into, int size, void *stream)
{
    struct reader *r = stream;
    char line[LINE_MAX_CHARS + 1];
    if (r->l->failed || read_raw(r, line) <= 0)
        return NULL;
    const char *text = line + strspn(line, " \t\r");
    if (*text == '[' && check_section(r, text))
        return NULL;
    snprintf(into, (size_t)size, "%s\n", text);
    return into;
}

static int fail_key(struct reader *r, const char *section, const char *key)
{
    char location[512];
    if (!*section)
        return config_fail(r->l, "%s:%d: key '%s' stands before any [section]", r->l->file,
                           r->l->line, key);
    snprintf(location, sizeof location, "%s:%d", r->l->file, r->l->line);
    return config_fail_key(r->l, location, section, key);
}

static int set_key(struct reader *r, const struct config_option *o, const char *value)
{
    char location[512];
    const struct option_value *s = config_option_value(r->l->c, o);
    snprintf(location, sizeof location, "%s:%d: %s", r->l->file, r->l->line, o->key);
    if (s->origin == r->l->origin && strcmp(s->file ? s->file : r->l->file, r->l->file) == 0)
        return config_fail(r->l, "%s: is already set in line %d", location, s->line);
    return config_set(r->l, o, value, location);
}

/* The handler for inih. Nonzero continues parsing. */
static int on_key(void *user, const char *section, const char *key, const char *value)
{
    struct reader *r = user;
    if (r->in_text) {
        r->err = config_set_text_key(r->l, r->kind, key, value);
        return r->err == 0;
    }
    const struct config_option *o = *section ? option_find(section, key) : NULL;
    r->err = o ? set_key(r, o, value) : fail_key(r, section, key);
    return r->err == 0;
}

/*
 * inih returns the first line that is not "key = value" or that on_key refused, and continues after
 * it. The error in the earliest line is reported.
 */
static int parse(struct reader *r)
{
    struct config_loader *l = r->l;
    const int bad_line = ini_parse_stream(next_line, r, on_key, r);
    if (bad_line < 0 || r->err == -ENOMEM)
        return -ENOMEM;
    if (bad_line > 0 && (!l->failed || bad_line < l->line)) {
        l->failed = false;
        l->line = bad_line;
        return fail_line(l, "expected 'key = value'");
    }
    return l->failed ? -EINVAL : 0;
}

/* *text: the whole file, which the caller frees. */
static int read_whole(const char *path, char **text, size_t *size)
{
    *text = malloc(FILE_BYTES_MAX + 1);
    if (!*text)
        return -ENOMEM;
    const int err = named_file_read(path, *text, FILE_BYTES_MAX + 1, size);
    return err == 0 && *size > FILE_BYTES_MAX ? -EFBIG : err;
}

int config_read_file(struct config_loader *l)
{
    char *text;
    size_t size = 0;
    struct reader r = {.l = l};
    int err = read_whole(l->file, &text, &size);
    if (err == 0)
        r.file = size > 0 ? fmemopen(text, size, "r") : fopen("/dev/null", "re");
    if (err == 0 && !r.file)
        err = -errno;
    double hz;
    const bool is_frequency = err == -ENOENT && si_parse_unit(l->file, SI_HZ, &hz) == 0;
    if (err < 0)
        err = config_fail(l, "%s: cannot open: %s%s", l->file, named_file_describe(err),
                          is_frequency ? " (-c names a configuration file; a centre is -f)" : "");
    l->line = 0;
    config_begin_texts(l);
    if (r.file) {
        err = parse(&r);
        fclose(r.file);
    }
    free(text);
    return err;
}
