/* rigctl_command.c - a row for each command: reads its words, and writes values or an error. */
#include "daemon/rigctl/rigctl_command.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/si.h"
#include "daemon/stream/tuning.h"

/* Errors of Hamlib's rig.h. */
enum {
    HAMLIB_OK = 0,
    HAMLIB_INVALID = 1,
    HAMLIB_UNKNOWN = 4,
    HAMLIB_INTERNAL = 7,
    HAMLIB_ABSENT = 11
};

enum { WORDS = 3, WORD = 32 };

/* A line that was split at blanks. */
struct ask {
    const struct rigctl_rig *rig;
    char word[WORDS][WORD]; /* after the command */
    size_t count;
};

/* Values have no newline at the end; names are those of the extended form. */
typedef int command_hook(const struct ask *a, struct text *values);

/* ---- modes ------------------------------------------------------------------------------ */

/* The first row of a mode is what the rig reports. */
static const struct {
    const char *hamlib, *mode;
    unsigned bit; /* of Hamlib's rmode_t */
} modes[] = {{"AM", "am", 0x1},     {"CW", "cw", 0x2},   {"USB", "usb", 0x4},
             {"LSB", "lsb", 0x8},   {"FM", "nfm", 0x20}, {"WFM", "wfm", 0x40},
             {"AMS", "sam", 0x200}, {"WFM", "mpx", 0x40}};

enum { MODES = sizeof modes / sizeof modes[0] };

static const char *mode_of(const char *hamlib)
{
    for (size_t i = 0; i < MODES; i++)
        if (strcmp(modes[i].hamlib, hamlib) == 0)
            return modes[i].mode;
    return NULL;
}

static const char *hamlib_of(const char *mode)
{
    for (size_t i = 0; mode && i < MODES; i++)
        if (strcmp(modes[i].mode, mode) == 0)
            return modes[i].hamlib;
    return NULL;
}

/* ---- frequency and mode ----------------------------------------------------------------- */

/* Decimal digits alone: neither "inf" nor a unit. */
static bool read_number(const char *text, double *out)
{
    char *end;
    if (text[strspn(text, "+-.0123456789")] != '\0' || text[0] == '\0')
        return false;
    *out = strtod(text, &end);
    return *end == '\0' && isfinite(*out);
}

static int hamlib_error(int err)
{
    return err == 0 ? HAMLIB_OK : err == -EINVAL ? HAMLIB_INVALID : HAMLIB_INTERNAL;
}

static int get_frequency(const struct ask *a, struct text *values)
{
    struct rigctl_setting now;
    a->rig->get(a->rig->user, &now);
    text_add(values, "%.0f", now.center_hz);
    return HAMLIB_OK;
}

static int set_frequency(const struct ask *a, struct text *values)
{
    double hz;
    (void)values;
    if (a->count != 1 || !read_number(a->word[0], &hz) || !(hz > 0 && hz <= TUNING_CENTER_MAX_HZ))
        return HAMLIB_INVALID;
    return hamlib_error(a->rig->tune(a->rig->user, hz));
}

static int get_mode(const struct ask *a, struct text *values)
{
    struct rigctl_setting now;
    a->rig->get(a->rig->user, &now);
    const char *name = hamlib_of(now.mode);
    if (!name)
        return HAMLIB_ABSENT;
    text_add(values, "%s\n%.0f", name, now.passband_hz);
    return HAMLIB_OK;
}

/* Of the passband, 0 is the mode's own, and -1 what it is. "?" lists the modes. */
static int set_mode(const struct ask *a, struct text *values)
{
    double passband_hz = 0;
    if (a->count == 1 && strcmp(a->word[0], "?") == 0) {
        for (size_t i = 0; i + 1 < MODES; i++) /* WFM is the last one, too */
            text_add(values, "%s%s", i > 0 ? " " : "", modes[i].hamlib);
        return HAMLIB_OK;
    }
    struct rigctl_setting now;
    a->rig->get(a->rig->user, &now);
    const char *mode = a->count > 0 ? mode_of(a->word[0]) : NULL, *own = hamlib_of(now.mode);
    if (mode && own && strcmp(own, a->word[0]) == 0)
        mode = now.mode; /* of two that have the same name */
    if (!mode || a->count > 2 || (a->count == 2 && !read_number(a->word[1], &passband_hz)))
        return HAMLIB_INVALID;
    return hamlib_error(a->rig->set_mode(a->rig->user, mode, passband_hz));
}

/* ---- what a receiver of one VFO has ------------------------------------------------------- */

static int get_vfo(const struct ask *a, struct text *values)
{
    (void)a;
    text_add(values, "VFOA");
    return HAMLIB_OK;
}

static int set_vfo(const struct ask *a, struct text *values)
{
    static const char *const names[] = {"VFOA", "VFO", "currVFO", "Main", "MainA"};
    if (a->count != 1)
        return HAMLIB_INVALID;
    if (strcmp(a->word[0], "?") == 0)
        return get_vfo(a, values);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(a->word[0], names[i]) == 0)
            return HAMLIB_OK;
    return HAMLIB_INVALID;
}

static int get_zero(const struct ask *a, struct text *values)
{
    (void)a;
    text_add(values, "0");
    return HAMLIB_OK;
}

static int get_one(const struct ask *a, struct text *values)
{
    (void)a;
    text_add(values, "1");
    return HAMLIB_OK;
}

static int get_split(const struct ask *a, struct text *values)
{
    (void)a;
    text_add(values, "0\nVFOA");
    return HAMLIB_OK;
}

/* Of what it lacks: off, it is. */
static int set_off(const struct ask *a, struct text *values)
{
    (void)values;
    if (a->count == 0)
        return HAMLIB_INVALID;
    return strcmp(a->word[0], "0") == 0 ? HAMLIB_OK : HAMLIB_ABSENT;
}

/* gpredict announces a pass so. */
static int accept(const struct ask *a, struct text *values)
{
    (void)a;
    (void)values;
    return HAMLIB_OK;
}

static int get_info(const struct ask *a, struct text *values)
{
    (void)a;
    text_add(values, "fftd " FFTD_VERSION);
    return HAMLIB_OK;
}

/*
 * What Hamlib's network back-end reads on connecting: version, model and region; ranges of
 * reception (from, to, modes, two powers, VFOs, antennas) and of transmission, each ended by zeros;
 * steps; filters; three limits and announcements; preamplifiers, attenuators; masks of functions,
 * levels and parameters; then names and values.
 */
static int dump_state(const struct ask *a, struct text *values)
{
    unsigned all = 0;
    (void)a;
    for (size_t i = 0; i < MODES; i++)
        all |= modes[i].bit;
    text_add(values, "1\n2\n0\n1.000000 %.6f 0x%x -1 -1 0x1 0x0\n0 0 0 0 0 0 0\n0 0 0 0 0 0 0\n",
             TUNING_CENTER_MAX_HZ, all);
    text_add(values, "0x%x 1\n0 0\n0 0\n0\n0\n0\n0\n0\n0\n0x0\n0x0\n0x0\n0x0\n0x0\n0x0\n", all);
    text_add(values, "vfo_ops=0x0\nptt_type=0x0\ntargetable_vfo=0x0\nhas_set_vfo=1\nhas_get_vfo=1\n"
                     "has_set_freq=1\nhas_get_freq=1\ntimeout=0\nrig_model=2\n"
                     "rigctld_version=fftd " FFTD_VERSION "\ndone");
    return HAMLIB_OK;
}

/* ---- the table -------------------------------------------------------------------------- */

static const struct command {
    char letter; /* 0: none */
    const char *name;
    command_hook *run;
    const char *fields[2]; /* of values in the extended form; NULL: it sets something */
} commands[] = {
    {'f', "get_freq", get_frequency, {"Frequency"}},
    {'F', "set_freq", set_frequency, {NULL}},
    {'m', "get_mode", get_mode, {"Mode", "Passband"}},
    {'M', "set_mode", set_mode, {NULL}},
    {'v', "get_vfo", get_vfo, {"VFO"}},
    {'V', "set_vfo", set_vfo, {NULL}},
    {'s', "get_split_vfo", get_split, {"Split", "TX VFO"}},
    {'S', "set_split_vfo", set_off, {NULL}},
    {'t', "get_ptt", get_zero, {"PTT"}},
    {'T', "set_ptt", set_off, {NULL}},
    {'j', "get_rit", get_zero, {"RIT"}},
    {'J', "set_rit", set_off, {NULL}},
    {'_', "get_info", get_info, {"Info"}},
    {0, "get_powerstat", get_one, {"Power Status"}},
    {0, "get_lock_mode", get_zero, {"Locked"}},
    {0, "chk_vfo", get_zero, {"ChkVFO"}},
    {0, "dump_state", dump_state, {""}},
    {0, "AOS", accept, {NULL}},
    {0, "LOS", accept, {NULL}},
};

static const struct command *find(const char *word)
{
    const char *name = word + (word[0] == '\\');
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const struct command *c = &commands[i];
        const bool is_letter = c->letter && word[0] == c->letter && word[1] == '\0';
        if (is_letter || strcmp(name, c->name) == 0)
            return c;
    }
    return NULL;
}

/* ---- answers ---------------------------------------------------------------------------- */

/* "NAME: VALUE" for each; without a name, as it is. */
static void add_fields(struct text *answer, const struct command *c, const char *values)
{
    for (size_t i = 0; *values; i++) {
        const size_t length = strcspn(values, "\n");
        if (i < 2 && c->fields[i] && c->fields[i][0])
            text_add(answer, "%s: ", c->fields[i]);
        text_add_bytes(answer, values, length);
        text_add(answer, "\n");
        values += length + (values[length] == '\n');
    }
}

static void add_answer(struct text *answer, const struct command *c, const struct ask *a, int err,
                       const char *values, bool extended)
{
    if (extended) {
        text_add(answer, "%s:", c->name);
        for (size_t i = 0; i < a->count; i++)
            text_add(answer, " %s", a->word[i]);
        text_add(answer, "\n");
        if (err == HAMLIB_OK)
            add_fields(answer, c, values);
    } else if (err == HAMLIB_OK && values[0]) {
        text_add(answer, "%s\n", values);
        return;
    }
    text_add(answer, "RPRT %d\n", -err);
}

/* ---- lines ------------------------------------------------------------------------------ */

/* False: there are too many words, or one is too long. */
static bool split(const char *line, char command[WORD], struct ask *a)
{
    static const char blanks[] = " \t\r";
    const char *at = line + strspn(line, blanks);
    for (size_t i = 0; *at; i++) {
        const size_t length = strcspn(at, blanks);
        if (i > WORDS || length >= WORD)
            return false;
        char *into = i == 0 ? command : a->word[i - 1];
        memcpy(into, at, length);
        into[length] = '\0';
        a->count = i;
        at += length + strspn(at + length, blanks);
    }
    return true;
}

/* A page of a browser may send its requests here, with lines that are commands. */
static bool is_http(const char *line)
{
    const char *version = strstr(line, " HTTP/");
    return version && version > line;
}

static bool is_end(const char *command)
{
    return strcmp(command, "q") == 0 || strcmp(command, "Q") == 0 ||
           strcmp(command, "\\quit") == 0 || strcmp(command, "exit") == 0;
}

enum rigctl_next rigctl_command_run(const struct rigctl_rig *rig, const char *line,
                                    struct text *answer)
{
    struct ask a = {.rig = rig};
    struct text values = {0};
    char command[WORD] = "";
    if (is_http(line))
        return RIGCTL_END;
    const bool whole = split(line, command, &a), extended = command[0] == '+';
    const char *name = command + extended;
    const struct command *c = find(name);
    if (whole && is_end(name)) {
        text_add(answer, "RPRT 0\n");
        return RIGCTL_END;
    }
    if (whole && !command[0])
        return RIGCTL_NEXT;
    if (!whole || !c) {
        text_add(answer, "RPRT %d\n", whole ? -HAMLIB_UNKNOWN : -HAMLIB_INVALID);
        return RIGCTL_NEXT;
    }
    const int err = c->run(&a, &values);
    text_add_bytes(&values, "", 1); /* a text of C */
    add_answer(answer, c, &a, values.failed ? HAMLIB_INTERNAL : err,
               values.failed ? "" : values.data, extended);
    text_finish(&values);
    return RIGCTL_NEXT;
}
